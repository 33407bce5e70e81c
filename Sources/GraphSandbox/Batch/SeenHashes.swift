/// Some thousands of hashes that were asked about last, each in its place.
struct SeenHashes: Sendable {
  private var hashes: [UInt64] = []
  /// A power of two.
  private static let places = 8_192

  /// Whether the hash was noted before, and no other since that has its place.
  mutating func note(_ hash: UInt64) -> Bool {
    if hashes.isEmpty { hashes = Array(repeating: 0, count: Self.places) }
    let place = Int(truncatingIfNeeded: hash) & (Self.places - 1)
    defer { hashes[place] = hash }
    return hashes[place] == hash
  }
}
