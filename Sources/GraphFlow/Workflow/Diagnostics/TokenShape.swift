/// Finds texts that look like access tokens.
///
/// Graph's user and page tokens begin with `EAA`; an app's token is its id, a bar and its secret
/// (https://developers.facebook.com/docs/facebook-login/guides/access-tokens).
package enum TokenShape {
  private static let minimumTail = 20
  private static let minimumDigits = 6
  private static let minimumSecret = 16

  /// The byte ranges of all texts that look like tokens, in order.
  package static func ranges(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "E") || byte == UInt8(ascii: "|") else { continue }
      let range =
        byte == UInt8(ascii: "E")
        ? userToken(in: bytes, at: index - 1) : appToken(in: bytes, around: index - 1)
      guard let range else { continue }
      index = range.upperBound
      ranges.append(range)
    }
    return ranges
  }

  /// The text with every character of a token replaced by `*`, so that columns do not change.
  package static func masking(_ text: String) -> String {
    var bytes = Array(text.utf8)
    return mask(&bytes) ? String(decoding: bytes, as: UTF8.self) : text
  }

  /// Masks the tokens in a text; false if there are none.
  @discardableResult static func mask(_ bytes: inout [UInt8]) -> Bool {
    let found = bytes.withUnsafeBufferPointer(ranges(in:))
    for index in found.joined() { bytes[index] = UInt8(ascii: "*") }
    return !found.isEmpty
  }

  private static func userToken(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Range<Int>?
  {
    guard start + 3 + minimumTail <= bytes.count, bytes[start + 1] == UInt8(ascii: "A"),
      bytes[start + 2] == UInt8(ascii: "A"), start == 0 || !isWord(bytes[start - 1])
    else { return nil }
    var end = start + 3
    while end < bytes.count, isWord(bytes[end]) { end += 1 }
    return end - start >= 3 + minimumTail ? start..<end : nil
  }

  private static func appToken(in bytes: UnsafeBufferPointer<UInt8>, around bar: Int) -> Range<Int>?
  {
    var start = bar
    while start > 0, WorkflowName.isDigit(bytes[start - 1]) { start -= 1 }
    guard bar - start >= minimumDigits, start == 0 || !isWord(bytes[start - 1]) else { return nil }
    var end = bar + 1
    while end < bytes.count, WorkflowName.isPart(bytes[end]) { end += 1 }
    return end - bar - 1 >= minimumSecret ? start..<end : nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    WorkflowName.isPart(byte) && byte != UInt8(ascii: "-")
  }
}
