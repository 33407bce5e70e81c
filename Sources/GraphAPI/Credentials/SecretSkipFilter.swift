/// Decides for several positions at once whether no secret starts at any of them.
///
/// A form that starts at one of them, and is long enough, covers the four bytes at the last of them:
/// these are then among its own first bytes (after S. Wu and U. Manber, "A fast algorithm for
/// multi-pattern searching", 1994).
struct SecretSkipFilter: Sendable {
  /// The most positions that are checked together.
  private static let most = 16
  /// With fewer positions or more forms the filter would skip hardly anything.
  private static let (fewest, mostForms) = (8, 500)

  /// The number of positions that are checked together: all forms have three bytes more, or more.
  private var width = most
  /// A bit for the hash of every four bytes among a form's first; empty if the filter is disabled.
  private var filter = [UInt64](repeating: 0, count: 1 << 10)
  private var formCount = 0

  mutating func insert(_ form: [UInt8]) {
    formCount += 1
    width = min(width, form.count - 3)
    if width < Self.fewest || formCount > Self.mostForms { filter = [] }
    guard !filter.isEmpty else { return }
    form.withUnsafeBufferPointer { form in
      for offset in 0..<min(Self.most, form.count - 3) {
        let bit = SecretMask.bit(of: form.fourBytes(at: offset))
        filter[bit >> 6] |= 1 << UInt64(bit & 63)
      }
    }
  }

  /// The first index from this one at which a secret may be detected, in steps of `width`.
  ///
  /// At all indices before it no form of a recorded secret starts, and there are no characters that
  /// identify an unrecorded token.
  func possibleStart(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard !filter.isEmpty else { return start }
    let text = UnsafeRawBufferPointer(bytes)
    var index = start
    filter.withUnsafeBufferPointer { filter in
      while index &+ Self.most &+ 3 <= text.count {
        let bit = SecretMask.bit(of: bytes.fourBytes(at: index &+ width &- 1))
        guard filter[bit >> 6] & (1 << UInt64(bit & 63)) == 0, !Self.isMarked(text, at: index)
        else { return }
        index &+= width
      }
    }
    return index
  }

  /// Whether one of the first `most` positions identifies a token.
  @inline(__always)
  private static func isMarked(_ text: UnsafeRawBufferPointer, at index: Int) -> Bool {
    let half = index &+ 8
    return marks(text.eightBytes(at: index), followedBy: text.eightBytes(at: index &+ 1))
      | marks(text.eightBytes(at: half), followedBy: text.eightBytes(at: half &+ 1)) != 0
  }

  /// Not zero if one of eight bytes identifies a token.
  @inline(__always)
  private static func marks(_ eight: UInt64, followedBy next: UInt64) -> UInt64 {
    let starts =
      matches(eight, SecretShape.userTokenStart) & matches(next, SecretShape.userTokenNext)
    return starts | matches(eight, SecretShape.appTokenBar)
  }

  /// The high bit of each byte that is equal to this one, and perhaps of others.
  ///
  /// Source: Warren, "Hacker's Delight", section 6-1.
  @inline(__always)
  private static func matches(_ eight: UInt64, _ byte: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let difference = eight ^ (UInt64(byte) &* ones)
    return (difference &- ones) & ~difference & (ones &* 0x80)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func eightBytes(at index: Int) -> UInt64 {
    loadUnaligned(fromByteOffset: index, as: UInt64.self)
  }
}
