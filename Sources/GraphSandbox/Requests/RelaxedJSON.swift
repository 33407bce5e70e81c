import JSONPath

extension JSON {
  /// Reads the value of a parameter that should be JSON as PHP and people write it, too: names without
  /// quotes, and texts in single quotes, as in the examples of Graph's documentation.
  init?(relaxed text: String) {
    if let json = try? JSON(parsing: text) {
      self = json
      return
    }
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let content = Self.content(of: &rest, endingAt: byte)
        GraphText.append(String(decoding: content, as: UTF8.self), to: &output)
      case _ where Self.isLetter(byte):
        let word = [byte] + rest.prefix { Self.isLetter($0) || (48...57).contains($0) }
        rest = rest.dropFirst(word.count - 1)
        let text = String(decoding: word, as: UTF8.self)
        let isLiteral = ["true", "false", "null"].contains(text)
        if isLiteral { output += word } else { GraphText.append(text, to: &output) }
      default: output.append(byte)
      }
    }
    guard let json = try? JSON(parsing: output) else { return nil }
    self = json
  }

  /// The content of a quoted text, with its escapes resolved.
  private static func content(
    of rest: inout ArraySlice<UInt8>, endingAt quote: UInt8
  ) -> [UInt8] {
    var content: [UInt8] = []
    while let byte = rest.popFirst(), byte != quote {
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        content.append(escaped)
      } else {
        content.append(byte)
      }
    }
    return content
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: ".")
  }
}
