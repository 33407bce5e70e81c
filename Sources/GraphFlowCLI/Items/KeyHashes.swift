/// Finds out whether keys occur twice without keeping them: 40 bits of each.
///
/// Keys that share them by chance are told apart when the file is looked at again.
struct KeyHashes {
  /// The hashes without their last byte, which names the bucket: arrays that stay small do not
  /// double at great cost.
  private var buckets = [[UInt32]](repeating: [], count: 256)

  /// Takes the next key.
  mutating func append(_ key: String) {
    let hash = KeyHashes.hash(of: key)
    buckets[hash & 255].append(UInt32(truncatingIfNeeded: hash >> 8))
  }

  /// The hashes that occur more than once; different keys may share one, so look again.
  consuming func repeated() -> Set<Int> {
    var repeated: Set<Int> = []
    for index in buckets.indices {
      buckets[index].sort()
      let hashes = buckets[index]
      for (hash, next) in zip(hashes, hashes.dropFirst()) where hash == next {
        repeated.insert(Int(hash) << 8 | index)
      }
    }
    return repeated
  }

  /// The hash of a key, 40 bits; the same all through the process and in no other.
  static func hash(of key: String) -> Int {
    var hasher = Hasher()
    hasher.combine(key)
    return hasher.finalize() & (1 << 40 - 1)
  }
}
