/// FNV-1a with 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/): a fast digest that detects
/// accidents, not attacks.
package struct FNV1a: Hashable, Sendable {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  /// Adds the UTF-8 bytes of a text.
  package mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
  }
}
