/// Finds duplicate keys by their hashes, without keeping the keys.
///
/// Different keys with the same hash are distinguished when the file is read again. The number of
/// hashes has a limit, except for those that occur twice. Beyond the limit only the lower hashes
/// are kept, and another pass over the keys handles the rest.
struct KeyHashes {
  private let limit: Int
  /// The range of hashes that are kept in this pass.
  private var part: ClosedRange<UInt64> = 0...UInt64.max
  private var hashes: [UInt64] = []
  /// How many keys there are, after the first pass.
  private var keyCount = 0
  private var isFirstPass = true
  private(set) var repeated: Set<UInt64> = []

  /// Keeps at most this number of hashes at a time, at 8 bytes each.
  init(limit: Int = 1_500_000) { self.limit = max(limit, 1) }

  mutating func append(_ key: String) {
    if isFirstPass { keyCount += 1 }
    let hash = KeyHashes.hash(of: key)
    guard part.contains(hash) else { return }
    hashes.append(hash)
    guard hashes.count > limit else { return }
    removeDuplicates()
    // About half of them are removed, so that this is seldom needed.
    while hashes.count > max(limit / 8 * 5, 1), part.lowerBound < part.upperBound {
      part = part.lowerBound...(part.lowerBound + (part.upperBound - part.lowerBound) / 2)
      hashes.removeLast(hashes.reversed().prefix { $0 > part.upperBound }.count)
    }
  }

  /// Ends a pass over the keys; returns whether another pass is needed.
  mutating func needsAnotherPass() -> Bool {
    removeDuplicates()
    hashes = []
    isFirstPass = false
    guard part.upperBound < UInt64.max else { return false }
    // A tenth less than the limit: hashes are spread evenly, but not exactly.
    let share = min(Double(limit) * 0.9 / Double(max(keyCount, 1)), 0.9)
    let start = part.upperBound + 1
    part = start...(start + min(UInt64(share * 0x1p64), UInt64.max - start))
    return true
  }

  func isRepeated(_ key: String) -> Bool { repeated.contains(KeyHashes.hash(of: key)) }

  /// Sorts the hashes, removes duplicates, and records them.
  private mutating func removeDuplicates() {
    hashes.sort()
    var count = 0
    // By index: an iterator would retain the array, and the first change would copy it.
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

  /// The hash of a key, which is stable within the process only.
  ///
  /// Texts that are canonically equivalent have the same hash.
  private static func hash(of key: String) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(key)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}
