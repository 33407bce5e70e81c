/// Finds out whether keys occur twice without keeping them: 64 bits of each.
struct KeyHashes {
  /// The hashes, by their last bits: arrays that stay small do not double at great cost.
  private var buckets = [[Int]](repeating: [], count: 256)

  /// Takes the next key.
  mutating func append(_ key: String) {
    let hash = KeyHashes.hash(of: key)
    buckets[hash & 255].append(hash)
  }

  /// The hashes that occur more than once; different keys may share one, so look again.
  consuming func repeated() -> Set<Int> {
    var repeated: Set<Int> = []
    for index in buckets.indices {
      buckets[index].sort()
      let hashes = buckets[index]
      for (hash, next) in zip(hashes, hashes.dropFirst()) where hash == next {
        repeated.insert(hash)
      }
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
