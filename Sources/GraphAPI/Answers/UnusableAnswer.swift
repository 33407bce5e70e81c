internal import JSONPath

/// Why an answer is unusable, in messages that do not quote it.
enum UnusableAnswer {
  static let empty = "the answer is empty"
  static let redirect = "the answer is a redirect, and redirects are not followed"
  static let unusualStatus = "the answer has a status that Graph does not use"
  static let html = "the answer is a page of HTML, not JSON"
  static let notAnArray = "the answer is neither a list of items nor an error object"
  static let failedArray = "the answer is a list of items, but its status is an error"
  static let tooLong = "the answer is longer than 64 MiB"

  static func text(for body: [UInt8], _ error: JSON.SyntaxError) -> String {
    if body.first(where: { !isSpace($0) }) == UInt8(ascii: "<") { return html }
    if error.isTooDeep { return "the answer is nested deeper than \(JSON.depthLimit) levels" }
    return "the answer is not complete JSON (byte \(error.offset) of \(body.count))"
  }

  static func length(_ count: Int, expected: Int) -> String {
    "the answer has \(count) items for \(expected) operations"
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
