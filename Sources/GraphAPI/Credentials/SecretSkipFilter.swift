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

  /// The first index from this one at which a secret may be detected, in steps of eight.
  ///
  /// At all indices before it no form of a recorded secret starts, and there is no character that
  /// identifies an unrecorded token.
  func possibleStart(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard !filter.isEmpty else { return start }
    let text = UnsafeRawBufferPointer(bytes)
    var index = start
    filter.withUnsafeBufferPointer { filter in
      while index &+ Self.reach <= text.count {
        let bit = SecretMask.bit(of: bytes.fourBytes(at: index &+ Self.width &- 1))
        let positions = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        guard filter[bit >> 6] & (1 << UInt64(bit & 63)) == 0, Self.marks(in: positions) == 0
        else { return }
        index &+= Self.width
      }
    }
    return index
  }

  /// Not zero if one of eight bytes identifies a token.
  ///
  /// Source: Warren, "Hacker's Delight", section 6-1.
  @inline(__always)
  private static func marks(in eight: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let starts = eight ^ (UInt64(SecretShape.userTokenStart) &* ones)
    let bars = eight ^ (UInt64(SecretShape.appTokenBar) &* ones)
    return ((starts &- ones) | (bars &- ones)) & ~eight & (ones &* 0x80)
  }
}
