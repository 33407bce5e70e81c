/// Reads the text of a ``FieldSelection``.
struct FieldSelectionParser {
  private let source: String
  private let text: [UInt8]
  private var position = 0

  init(_ text: String) {
    source = text
    self.text = Array(text.utf8)
  }

  mutating func selection() throws(GraphFault) -> FieldSelection {
    let selection = try list(depth: 0)
    guard position == text.count else {
      throw fault("Expected end of string instead of \"\(here)\".")
    }
    return selection
  }

  private mutating func list(depth: Int) throws(GraphFault) -> FieldSelection {
    guard depth < FieldSelection.depthLimit else { throw fault("Expression is too deep.") }
    let start = position
    var fields: [FieldSelection.Field] = []
    var names: Set<String> = []
    repeat {
      let field = try field(depth: depth)
      if names.insert(field.outputName).inserted { fields.append(field) }
    } while skip(",")
    let text = String(decoding: text[start..<position], as: UTF8.self)
    return FieldSelection(fields: fields, text: text)
  }

  private mutating func field(depth: Int) throws(GraphFault) -> FieldSelection.Field {
    let own = try name()
    var modifiers = Parameters()
    var selection: FieldSelection?
    while skip(".") {
      let modifier = try name()
      guard skip("(") else { throw fault("Expected \"(\" instead of \"\(here)\".") }
      let start = position
      while position < text.count, text[position] != UInt8(ascii: ")") { position += 1 }
      let argument = String(decoding: text[start..<position], as: UTF8.self)
      guard skip(")") else { throw fault("Expected \")\" instead of \"\(here)\".") }
      modifiers.append(modifier, argument)
    }
    skipSpaces()
    if skip("{") {
      selection = try list(depth: depth + 1)
      guard skip("}") else { throw fault("Expected \"}\" instead of \"\(here)\".") }
      skipSpaces()
    }
    return FieldSelection.Field(name: own, modifiers: modifiers, selection: selection)
  }

  private mutating func name() throws(GraphFault) -> String {
    skipSpaces()
    let start = position
    while position < text.count, Self.isNamed(text[position]) { position += 1 }
    guard start < position else { throw fault("Expected name.") }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpaces() {
    while position < text.count, text[position] == UInt8(ascii: " ") { position += 1 }
  }

  private var here: String {
    position < text.count ? String(decoding: text[position...].prefix(1), as: UTF8.self) : ""
  }

  private func fault(_ problem: String) -> GraphFault {
    .fieldSyntax(problem, at: position, of: source)
  }

  private static func isNamed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: ":"), 128...:
      true
    default: false
    }
  }
}
