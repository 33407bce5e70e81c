/// Finds out which keys occur twice without keeping them: a hash of each.
///
/// Keys that share one by chance are told apart when the file is read again. How many hashes are kept
/// has a limit, but for those that occur twice: beyond it only the lower ones are kept, and the keys are passed again for the rest.
struct KeyHashes {
  private let limit: Int
  /// The hashes that are kept on this pass.
  private var part: ClosedRange<UInt64> = 0...UInt64.max
  private var hashes: [UInt64] = []
  /// How many keys there are, after the first pass.
  private var keyCount = 0
  private var isFirstPass = true
  /// The hashes that occur more than once.
  private(set) var repeated: Set<UInt64> = []

  /// Prepares for keys, of which so many hashes are kept at a time, at 8 bytes each.
  init(limit: Int = 1_500_000) {
    self.limit = max(limit, 1)
  }

  /// Takes the next key.
  mutating func append(_ key: String) {
    if isFirstPass { keyCount += 1 }
    let hash = KeyHashes.hash(of: key)
    guard part.contains(hash) else { return }
    hashes.append(hash)
    guard hashes.count > limit else { return }
    removeDuplicates()
    // About half of them go, so that this is not soon to be done again.
    while hashes.count > max(limit / 8 * 5, 1), part.lowerBound < part.upperBound {
      part = part.lowerBound...(part.lowerBound + (part.upperBound - part.lowerBound) / 2)
      hashes.removeLast(hashes.reversed().prefix { $0 > part.upperBound }.count)
    }
  }

  /// Ends a pass over the keys; whether they have to be passed again.
  mutating func needsAnotherPass() -> Bool {
    removeDuplicates()
    hashes = []
    isFirstPass = false
    guard part.upperBound < UInt64.max else { return false }
    // A tenth less than there is room for: hashes are spread evenly, but not exactly.
    let share = min(Double(limit) * 0.9 / Double(max(keyCount, 1)), 0.9)
    let start = part.upperBound + 1
    part = start...(start + min(UInt64(share * 0x1p64), UInt64.max - start))
    return true
  }

  /// Whether a key's hash occurred more than once.
  func isRepeated(_ key: String) -> Bool { repeated.contains(KeyHashes.hash(of: key)) }

  /// Sorts the hashes, and notes which of them are there twice.
  private mutating func removeDuplicates() {
    hashes.sort()
    var count = 0
    // By index: an iterator would hold on to the array, and the first change would copy it.
    for index in hashes.indices {
      let hash = hashes[index]
      if count > 0, hashes[count - 1] == hash {
        repeated.insert(hash)
      } else {
        hashes[count] = hash
        count += 1
      }
    }
    hashes.removeLast(hashes.count - count)
  }

  /// The hash of a key; the same all through the process and in no other.
  ///
  /// Texts that Unicode holds to be equal have the same.
  private static func hash(of key: String) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(key)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}
