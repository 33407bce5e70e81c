/// Finds out whether keys occur twice without keeping them: 64 bits of each.
struct KeyHashes {
  private var hashes: [Int] = []

  /// Takes the next key.
  mutating func append(_ key: String) { hashes.append(KeyHashes.hash(of: key)) }

  /// The hashes that occur more than once; different keys may share one, so look again.
  consuming func repeated() -> Set<Int> {
    var repeated: Set<Int> = []
    hashes.sort()
    for index in hashes.indices.dropFirst() where hashes[index] == hashes[index - 1] {
      repeated.insert(hashes[index])
    }
    return repeated
  }

  /// The hash of a key; the same all through the process and in no other.
  static func hash(of key: String) -> Int {
    var hasher = Hasher()
    hasher.combine(key)
    return hasher.finalize()
  }
}
