/// Decides for eight positions at once whether no secret starts at any of them.
///
/// A form that starts at one of them, and is long enough, covers the four bytes at the last of them:
/// these are then among its own first bytes (after S. Wu and U. Manber, "A fast algorithm for
/// multi-pattern searching", 1994).
struct SecretSkipFilter: Sendable {
  /// The number of positions that are checked together.
  static let width = 8
  /// The number of bytes that are checked: the positions and three bytes after the last.
  private static let reach = width + 3
  /// With more forms the filter would skip hardly anything.
  private static let mostForms = 1000

  /// A bit for the hash of every four bytes among a form's first; empty if the filter is disabled.
  private var filter = [UInt64](repeating: 0, count: 1 << 10)
  private var formCount = 0

  mutating func insert(_ form: [UInt8]) {
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

  /// Whether no secret can be detected at this position and the next seven: no form of a recorded one
  /// starts there, and there is no character that identifies an unrecorded token.
  @inline(__always)
  func canSkip(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !filter.isEmpty, index + Self.reach <= bytes.count else { return false }
    let bit = SecretMask.bit(of: bytes.fourBytes(at: index + Self.width - 1))
    guard filter[bit >> 6] & (1 << UInt64(bit & 63)) == 0 else { return false }
    let positions = UnsafeRawBufferPointer(bytes).loadUnaligned(
      fromByteOffset: index, as: UInt64.self)
    return !Self.contains(SecretShape.userTokenStart, in: positions)
      && !Self.contains(SecretShape.appTokenBar, in: positions)
  }

  /// Whether one of eight bytes is this one.
  ///
  /// Source: Warren, "Hacker's Delight", section 6-1.
  @inline(__always)
  private static func contains(_ byte: UInt8, in eight: UInt64) -> Bool {
    let differences = eight ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
    return (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080 != 0
  }
}
