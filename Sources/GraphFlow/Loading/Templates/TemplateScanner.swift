internal import JSONPath

/// Splits a text into plain text and references (docs/reference/language.md, "References").
struct TemplateScanner {
  /// A part of a text.
  enum Part {
    case text(String)
    case reference(ScannedReference)
    case fault(TemplateFault)
  }

  var bytes: [UInt8]
  var offset = 0
  /// Where the reference that is being read begins.
  var start = 0
  private(set) var foreign: [ForeignPlaceholder] = []
  /// Braces that follow a reference and close nothing.
  private(set) var strayBraces: [ScannedReference.Piece] = []

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Whether a text may contain references: most do not, and need no scanning.
  static func mayHoldReference(_ text: String) -> Bool { text.holds("{") }

  static func parts(of text: String) -> [Part] {
    mayHoldReference(text) || text.isEmpty ? scan(text).parts : [.text(text)]
  }

  /// All parts of a text, and the text in it that is probably meant otherwise.
  static func scan(
    _ text: String
  ) -> (parts: [Part], foreign: [ForeignPlaceholder], strayBraces: [ScannedReference.Piece]) {
    var scanner = TemplateScanner(text)
    let parts = scanner.parts()
    return (parts, scanner.foreign, scanner.strayBraces)
  }

  /// The references and mistyped references of an expression; other quoted text is skipped.
  ///
  /// A reference in quotes is a fault: it would be compared as text (docs/reference/language.md,
  /// "Expressions").
  static func operands(of expression: String) -> [Part] {
    guard mayHoldReference(expression) else { return [] }
    var scanner = TemplateScanner(expression)
    return scanner.operands()
  }

  private mutating func parts() -> [Part] {
    var parts: [Part] = []
    parts.reserveCapacity(2)
    // The text up to the last doubled brace, and where the text after it begins.
    var text: [UInt8] = []
    var rest = 0
    // The number of open braces in the text: a brace after a reference may close one of them.
    var open = 0
    func flush(upTo end: Int) {
      if !text.isEmpty {
        parts.append(.text(String(decoding: text + bytes[rest..<end], as: UTF8.self)))
        text = []
      } else if rest < end {
        parts.append(.text(String(decoding: bytes[rest..<end], as: UTF8.self)))
      }
    }
    while let brace = bytes[offset...].firstIndex(of: UInt8(ascii: "{")) {
      for byte in bytes[offset..<brace] where byte == UInt8(ascii: "}") { open -= 1 }
      move(to: brace)
      if byte(1) == UInt8(ascii: "{") {
        recordForeign()
        open += 2
        text += bytes[rest...brace]
        rest = brace + 2
        move(to: rest)
        continue
      }
      if let part = partInBraces() {
        flush(upTo: brace)
        rest = offset
        parts.append(part)
        // A brace right after a reference, if no brace is open.
        if case .reference = part, open <= 0, byte() == UInt8(ascii: "}") {
          strayBraces.append(piece(offset..<offset + 1))
        }
      } else {
        open = max(0, open) + 1
        offset = brace
        recordForeign()
        move(to: brace + 1)
      }
    }
    flush(upTo: bytes.count)
    return parts
  }

  private mutating func recordForeign() {
    if let found = foreignPlaceholder() { foreign.append(found) }
  }

  mutating func operands() -> [Part] {
    var parts: [Part] = []
    var quote: UInt8?
    var isName = false
    // After one failure inside quotes no more are tried: each may read to the end of the text.
    var searchesQuotes = true
    while offset < bytes.count {
      let byte = bytes[offset]
      let next = offset + 1
      switch byte {
      case UInt8(ascii: "\\") where quote != nil: move(to: min(next + 1, bytes.count))
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        if quote == nil {
          (quote, isName) = (byte, offset > 0 && bytes[offset - 1] == UInt8(ascii: "["))
        } else if quote == byte {
          quote = nil
        }
        move(to: next)
      case UInt8(ascii: "{") where quote == nil || searchesQuotes:
        let start = offset
        switch partInBraces() {
        case let part? where quote == nil: parts.append(part)
        case .reference(let reference)?:
          let whole = reference.whole
          parts.append(
            .fault(
              TemplateFault(
                message: "in quotes '\(whole.text.short)' is text, not a reference",
                hint: isName
                  ? "select by its value with a filter, such as [?@.id == \(whole.text.short)]"
                  : "remove the quotes around it", bytes: whole.bytes)))
        default:
          if quote != nil { searchesQuotes = false }
          move(to: start + 1)
        }
      default: move(to: next)
      }
    }
    return parts
  }

  // MARK: Reading bytes

  /// The byte at a distance from the current offset; nil after the end.
  func byte(_ distance: Int = 0) -> UInt8? {
    let index = offset + distance
    return index < bytes.count ? bytes[index] : nil
  }

  mutating func move(to end: Int) { offset = min(end, bytes.count) }

  mutating func skipSpaces() { while byte() == UInt8(ascii: " ") { offset += 1 } }

  mutating func piece(while fits: (UInt8) -> Bool) -> ScannedReference.Piece {
    let start = offset
    offset = bytes[start...].firstIndex { !fits($0) } ?? bytes.count
    return piece(start..<offset)
  }

  func piece(_ range: Range<Int>) -> ScannedReference.Piece {
    ScannedReference.Piece(text: String(decoding: bytes[range], as: UTF8.self), bytes: range)
  }
}
