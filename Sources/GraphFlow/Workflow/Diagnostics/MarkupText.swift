/// Writes XML or HTML: names are static, and every other text is escaped.
struct MarkupText: Sendable {
  private(set) var bytes: [UInt8] = []

  /// Writes an element with its content and its end.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
    _ content: (inout MarkupText) -> Void = { _ in }
  ) {
    begin(name, attributes)
    content(&self)
    end(name)
  }

  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:], text: String
  ) {
    element(name, attributes) { $0.text(text) }
  }

  /// Writes the start of an element; elements of HTML without content have no end.
  mutating func begin(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:]
  ) {
    verbatim("<")
    verbatim(name)
    for (name, value) in attributes {
      verbatim(" ")
      verbatim(name)
      verbatim("=\"")
      escape(value, isAttribute: true)
      verbatim("\"")
    }
    verbatim(">")
  }

  mutating func end(_ name: StaticString) {
    verbatim("</")
    verbatim(name)
    verbatim(">")
  }

  mutating func text(_ text: String) { escape(text, isAttribute: false) }

  mutating func verbatim(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ other: MarkupText) { bytes += other.bytes }

  /// Appends a style sheet or a script that is a part of this program.
  mutating func append(resource: [UInt8]) { bytes += resource }

  /// Appends JSON for a script: there, `<` could begin the element's end or a comment.
  mutating func append(scriptData json: [UInt8]) {
    for byte in json {
      if byte == UInt8(ascii: "<") { verbatim("\\u003c") } else { bytes.append(byte) }
    }
  }

  /// Appends what ``SVGText`` has written, which has escaped its texts.
  mutating func append(drawing: String) { bytes += drawing.utf8 }

  /// Escapes a text; characters that XML 1.0 (§2.2) does not allow are dropped.
  ///
  /// In attributes, white space would become a space (XML 1.0 §3.3.3).
  private mutating func escape(_ text: String, isAttribute: Bool) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": verbatim("&amp;")
      case "<": verbatim("&lt;")
      case ">": verbatim("&gt;")
      case "\"": verbatim("&quot;")
      case "'": verbatim("&#39;")
      case "\r": verbatim("&#13;")
      case "\n": if isAttribute { verbatim("&#10;") } else { verbatim("\n") }
      case "\t": if isAttribute { verbatim("&#9;") } else { verbatim("\t") }
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{fffe}", "\u{ffff}": continue
      default: if let encoded = UTF8.encode(scalar) { bytes.append(contentsOf: encoded) }
      }
    }
  }
}
