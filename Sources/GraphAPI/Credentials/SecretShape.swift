/// Finds what looks like a token of Graph, whether or not anybody has told of it.
///
/// A user's or page's token is `EAA` and at least twenty letters and digits; an app's is its id, a bar
/// and its secret (https://developers.facebook.com/docs/facebook-login/guides/access-tokens).
enum SecretShape {
  private static let leastTail = 20
  private static let digits = 6...20
  private static let leastSecret = 16
  /// Where a user's or page's token is told.
  static let userTokenStart = UInt8(ascii: "E")
  /// Where an app's token is told.
  static let appTokenBar = UInt8(ascii: "|")
  /// How many bytes have to be seen before and behind the one at which a token is told.
  static let (before, behind) = (digits.upperBound + 1, leastTail + 3)

  /// The token that is told at this index: at its `E`, or at the bar within it.
  ///
  /// The byte before the first one is `previous`.
  @inline(__always)
  static func token(
    at index: Int,
    in text: UnsafeBufferPointer<UInt8>,
    after previous: UInt8
  ) -> Range<Int>? {
    switch text[index] {
    case userTokenStart: userToken(at: index, in: text, after: previous)
    case appTokenBar: appToken(around: index, in: text, after: previous)
    default: nil
    }
  }

  private static func userToken(
    at start: Int,
    in text: UnsafeBufferPointer<UInt8>,
    after previous: UInt8
  ) -> Range<Int>? {
    guard start + 2 < text.count, text[start + 1] == UInt8(ascii: "A"),
      text[start + 2] == UInt8(ascii: "A"), !isWord(start == 0 ? previous : text[start - 1])
    else { return nil }
    let end = endOfToken(in: text, from: start + 3)
    return end - start - 3 >= leastTail ? start..<end : nil
  }

  private static func appToken(
    around bar: Int,
    in text: UnsafeBufferPointer<UInt8>,
    after previous: UInt8
  ) -> Range<Int>? {
    var start = bar
    while start > 0, bar - start <= digits.upperBound, text[start - 1].isDigit { start -= 1 }
    guard digits.contains(bar - start), !isWord(start == 0 ? previous : text[start - 1]) else {
      return nil
    }
    let end = endOfToken(in: text, from: bar + 1)
    return end - bar - 1 >= leastSecret ? start..<end : nil
  }

  /// Where letters, digits, `_` and `-` end.
  static func endOfToken(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    while end < text.count, isWord(text[end]) || text[end] == UInt8(ascii: "-") { end += 1 }
    return end
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "_")
  }
}
