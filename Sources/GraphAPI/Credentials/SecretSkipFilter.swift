/// Tells of eight places at once that no secret begins at any of them, as of most texts it can.
///
/// A form that begins at one of them, and is long enough, covers the four bytes at the last of them:
/// these are then among its own first bytes (after S. Wu and U. Manber, "A fast algorithm for
/// multi-pattern searching", 1994).
struct SecretSkipFilter: Sendable {
  /// How many places are looked at together.
  static let width = 8
  /// The bytes that are looked at for that: the places, and what reaches beyond the last.
  private static let reach = width + 3
  /// With more forms the filter would let nothing pass.
  private static let mostForms = 1000

  /// A bit for the hash of every four bytes that a form has among its first; empty if that is no use.
  private var filter = [UInt64](repeating: 0, count: 1 << 10)
  private var formCount = 0

  /// Learns a form of a secret.
  mutating func record(_ form: [UInt8]) {
    formCount += 1
    if form.count < Self.reach || formCount > Self.mostForms { filter = [] }
    guard !filter.isEmpty else { return }
    form.withUnsafeBufferPointer { form in
      for offset in 0..<Self.width {
        let bit = SecretMask.bit(of: form.fourBytes(at: offset))
        filter[bit >> 6] |= 1 << UInt64(bit & 63)
      }
    }
  }

  /// Whether no secret can be told at this place and the seven behind it: no form of a known one
  /// begins there, nor is there a letter by which one is told that nobody knows.
  @inline(__always)
  func isClear(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !filter.isEmpty, index + Self.reach <= bytes.count else { return false }
    let bit = SecretMask.bit(of: bytes.fourBytes(at: index + Self.width - 1))
    guard filter[bit >> 6] & (1 << UInt64(bit & 63)) == 0 else { return false }
    let places = UnsafeRawBufferPointer(bytes).loadUnaligned(
      fromByteOffset: index,
      as: UInt64.self
    )
    return !Self.holds(SecretShape.userTokenStart, in: places)
      && !Self.holds(SecretShape.appTokenBar, in: places)
  }

  /// Whether one of eight bytes is this one.
  ///
  /// Source: Warren, "Hacker's Delight", section 6-1.
  @inline(__always)
  private static func holds(_ byte: UInt8, in eight: UInt64) -> Bool {
    let differences = eight ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
    return (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080 != 0
  }
}
