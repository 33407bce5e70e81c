/// A fragment of HTML in which no text can become markup.
///
/// Names of elements and attributes are static strings. Data from the world is text or the value of
/// an attribute; both are escaped when they are written.
enum HTML: Sendable, ExpressibleByStringLiteral {
  /// The attributes of an element; one without a value is left out.
  typealias Attributes = KeyValuePairs<StaticString, String?>

  case text(String)
  case element(StaticString, Attributes, [HTML])
  /// The style sheet or the script, which hold no data.
  case asset(PageAsset)

  init(stringLiteral value: String) { self = .text(value) }

  static func tag(
    _ name: StaticString, at attributes: Attributes = [:], _ children: HTML...
  ) -> HTML { .element(name, attributes, children) }

  static func tag(_ name: StaticString, class style: String?, _ children: HTML...) -> HTML {
    .element(name, ["class": style], children)
  }

  static func tag(
    _ name: StaticString, at attributes: Attributes = [:], holding children: [HTML]
  ) -> HTML { .element(name, attributes, children) }

  static func small(_ text: String) -> HTML { .tag("small", .text(text)) }

  static func code(_ text: String) -> HTML { .tag("code", .text(text)) }

  /// A link within the page.
  static func link(
    _ view: PageView, id: String? = nil, class style: String? = nil, isExpanded: Bool? = nil,
    _ children: HTML...
  ) -> HTML {
    .element(
      "a",
      [
        "href": view.address, "id": id, "class": style,
        "aria-expanded": isExpanded.map { "\($0)" },
      ], children)
  }

  func write(to output: inout [UInt8]) {
    switch self {
    case .text(let text): Self.writeEscaped(text, to: &output)
    case .asset(let asset): output.append(contentsOf: asset.bytes)
    case .element(let name, let attributes, let children):
      output.append(UInt8(ascii: "<"))
      name.withUTF8Buffer { output.append(contentsOf: $0) }
      for case (let name, let value?) in attributes { Self.write(name, value, to: &output) }
      output.append(UInt8(ascii: ">"))
      guard !Self.voids.contains(name.description) else { return }
      for child in children { child.write(to: &output) }
      output.append(contentsOf: "</".utf8)
      name.withUTF8Buffer { output.append(contentsOf: $0) }
      output.append(UInt8(ascii: ">"))
    }
  }

  private static func write(_ name: StaticString, _ value: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: " "))
    name.withUTF8Buffer { output.append(contentsOf: $0) }
    output.append(contentsOf: "=\"".utf8)
    writeEscaped(value, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  /// Elements without an end tag (HTML Living Standard, 13.1.2).
  private static let voids: Set<String> = ["meta", "input", "br", "hr", "link"]

  /// Escapes a text for elements and quoted attributes; control characters are dropped.
  static func writeEscaped(_ text: String, to output: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): output.append(contentsOf: "&#39;".utf8)
      case 0..<9, 11..<32, 127: continue
      default: output.append(byte)
      }
    }
  }
}
