/// Finds texts that look like a token of Graph, without knowing the token.
///
/// A user's or page's token is `EAA` and at least twenty letters and digits; an app's is its id, a bar
/// and its secret (https://developers.facebook.com/docs/facebook-login/guides/access-tokens).
enum SecretShape {
  /// The shortest text after `EAA`.
  private static let minimumTail = 20
  /// The number of digits of an app's id.
  private static let idDigits = 6...20
  /// The shortest secret of an app.
  private static let minimumSecret = 16
  /// The length of the shortest text that looks like a token.
  static let shortest = min(3 + minimumTail, idDigits.lowerBound + 1 + minimumSecret)
  /// The length of the shortest rest of a text that contains a whole token from its identifying byte.
  static let shortestRest = min(3 + minimumTail, 1 + minimumSecret)
  /// The byte that identifies a user's or page's token.
  static let userTokenStart = UInt8(ascii: "E")
  /// The byte after it.
  static let userTokenNext = UInt8(ascii: "A")
  /// The byte that identifies an app's token.
  static let appTokenBar = UInt8(ascii: "|")
  /// The number of bytes before and after the identifying byte that are needed to detect a token.
  static let (lookbehind, lookahead) = (idDigits.upperBound + 1, minimumTail + 3)

  /// The token whose identifying byte is at this index: its `E`, or the bar within it.
  ///
  /// `previous` is the byte before the text.
  @inline(__always)
  static func token(
    at index: Int, in text: UnsafeBufferPointer<UInt8>, after previous: UInt8
  ) -> Range<Int>? {
    switch text[index] {
    case userTokenStart: userToken(at: index, in: text, after: previous)
    case appTokenBar: appToken(around: index, in: text, after: previous)
    default: nil
    }
  }

  private static func userToken(
    at start: Int, in text: UnsafeBufferPointer<UInt8>, after previous: UInt8
  ) -> Range<Int>? {
    guard start + 2 < text.count, text[start + 1] == userTokenNext,
      text[start + 2] == UInt8(ascii: "A"), !isWord(start == 0 ? previous : text[start - 1])
    else { return nil }
    let end = endOfToken(in: text, from: start + 3)
    return end - start - 3 >= minimumTail ? start..<end : nil
  }

  private static func appToken(
    around bar: Int, in text: UnsafeBufferPointer<UInt8>, after previous: UInt8
  ) -> Range<Int>? {
    var start = bar
    while start > 0, bar - start <= idDigits.upperBound, text[start - 1].isDigit { start -= 1 }
    guard idDigits.contains(bar - start), !isWord(start == 0 ? previous : text[start - 1]) else {
      return nil
    }
    let end = endOfToken(in: text, from: bar + 1)
    return end - bar - 1 >= minimumSecret ? start..<end : nil
  }

  /// The end of a run of letters, digits, `_` and `-`.
  static func endOfToken(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    while end < text.count, isWord(text[end]) || text[end] == UInt8(ascii: "-") { end += 1 }
    return end
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "_")
  }
}
