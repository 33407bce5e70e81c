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
  /// identify an unrecorded token; or nothing after them is long enough for a secret.
  func possibleStart(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let last = bytes.count &- Self.most &- 3
    guard !filter.isEmpty, last >= 0, let first = bytes.baseAddress else { return start }
    let text = UnsafeRawPointer(first)
    return filter.withUnsafeBufferPointer { filter in
      var index = start
      while index <= last {
        guard isFree(text + index, filter) else { return index }
        index &+= width
      }
      // The last step overlaps with the one before it. What is left after it may be too short.
      if index < last &+ width, isFree(text + last, filter) { index = last &+ width }
      let shortest = min(width &+ 3, SecretShape.shortestRest)
      return index &+ shortest > bytes.count ? max(start, bytes.count) : index
    }
  }

  /// Whether no secret is detected at any of the first positions of a text.
  @inline(__always)
  private func isFree(_ text: UnsafeRawPointer, _ filter: UnsafeBufferPointer<UInt64>) -> Bool {
    let beginning = text.loadUnaligned(fromByteOffset: width &- 1, as: UInt32.self)
    let bit = SecretMask.bit(of: beginning)
    return filter[bit >> 6] & (1 << UInt64(bit & 63)) == 0 && !Self.isMarked(text)
  }

  /// Whether one of the first `most` positions identifies a token.
  @inline(__always)
  private static func isMarked(_ text: UnsafeRawPointer) -> Bool {
    let words = text.loadUnaligned(as: SIMD2<UInt64>.self)
    let next = text.loadUnaligned(fromByteOffset: 1, as: SIMD2<UInt64>.self)
    let starts =
      (words ^ every(SecretShape.userTokenStart)) | (next ^ every(SecretShape.userTokenNext))
    let marks = zeros(in: starts) | zeros(in: words ^ every(SecretShape.appTokenBar))
    return marks[0] | marks[1] != 0
  }

  @inline(__always)
  private static func every(_ byte: UInt8) -> SIMD2<UInt64> {
    SIMD2(repeating: UInt64(byte) &* 0x0101_0101_0101_0101)
  }

  /// The high bit of each byte that is zero, and perhaps of others.
  ///
  /// Source: Warren, "Hacker's Delight", section 6-1.
  @inline(__always)
  private static func zeros(in words: SIMD2<UInt64>) -> SIMD2<UInt64> {
    (words &- every(1)) & ~words & every(0x80)
  }
}
