/// A checksum over all rows so far, to detect a changed, missing or foreign row.
///
/// SQLite detects broken pages, but not changed bytes within them, and a run must never continue from a
/// changed row. The checksum is FNV-1a with 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/). It
/// protects against accidents, not against attackers.
struct RunningChecksum: Hashable {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init() {}

  init(stored: Int64) { value = UInt64(bitPattern: stored) }

  var stored: Int64 { Int64(bitPattern: value) }

  /// Adds a row: its text, and its bodies if it has any.
  mutating func add(_ json: [UInt8], _ body: [UInt8]?) {
    add(json)
    if let body { add(body) }
  }

  /// Adds bytes, eight at a time because rows are long.
  private mutating func add(_ bytes: [UInt8]) {
    add(word: UInt64(bytes.count))
    bytes.withUnsafeBytes { bytes in
      var index = 0
      while index &+ 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        add(word: UInt64(littleEndian: word))
        index &+= 8
      }
      while index < bytes.count {
        add(bytes[index])
        index += 1
      }
    }
  }

  /// Adds a word, like a byte.
  ///
  /// The shift brings down what the multiplication moved up: a change of the highest bits must affect
  /// the lowest.
  private mutating func add(word: UInt64) {
    value = (value ^ word) &* 0x9e37_79b9_7f4a_7c15
    value ^= value >> 32
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }
}
