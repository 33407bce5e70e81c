internal import JSONPath

/// Why an answer cannot be used, in words that quote nothing of it.
enum UnusableAnswer: String {
  case empty = "the answer is empty"
  case redirect = "the answer is a redirect, and redirects are not followed"
  case unusualStatus = "the answer has a status that Graph does not use"
  case html = "the answer is a page of HTML, not JSON"
  case notAnArray = "the answer is neither a list of items nor an error object"
  case failedArray = "the answer is a list of items under a status that says it failed"
  case tooLong = "the answer is longer than 64 MiB"

  /// The reason for a text that is no JSON.
  static func text(for body: [UInt8], _ error: JSON.SyntaxError) -> String {
    if body.first(where: { !isSpace($0) }) == UInt8(ascii: "<") { return html.rawValue }
    if error.isTooDeep { return "the answer is nested deeper than \(JSON.depthLimit) levels" }
    return "the answer is not whole JSON (byte \(error.offset) of \(body.count))"
  }

  /// The reason for a list of another length than the batch's.
  static func length(_ count: Int, expected: Int) -> String {
    "the answer has \(count) items for \(expected) operations"
  }

  /// Whether a byte is white space in JSON.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
