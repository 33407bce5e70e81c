/// Reads the text of a ``GoessnerPath``.
struct GoessnerPathParser {
  private let text: [UInt8]
  private var position = 0

  init(_ text: String) { self.text = Array(text.utf8) }

  /// All steps; nil if the text is outside the subset.
  mutating func steps() -> [GoessnerPath.Step]? {
    guard skip("$") else { return nil }
    var steps: [GoessnerPath.Step] = []
    while position < text.count {
      if skip("[") {
        guard let selectors = bracket() else { return nil }
        steps.append(.init(selectors: selectors, isRecursive: false))
        continue
      }
      guard skip(".") else { return nil }
      let isRecursive = skip(".")
      if isRecursive, skip("[") {
        guard let selectors = bracket() else { return nil }
        steps.append(.init(selectors: selectors, isRecursive: true))
      } else {
        guard let selector = dotted() else { return nil }
        steps.append(.init(selectors: [selector], isRecursive: isRecursive))
      }
    }
    return steps
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// The name, index or star after a dot; it ends at the next dot or bracket.
  private mutating func dotted() -> GoessnerPath.Selector? {
    let start = position
    while position < text.count, text[position] != UInt8(ascii: "."),
      text[position] != UInt8(ascii: "[")
    { position += 1 }
    guard start < position else { return nil }
    let name = String(decoding: text[start..<position], as: UTF8.self)
    if name == "*" { return .wildcard }
    if text[start..<position].allSatisfy({ (48...57).contains($0) }), let index = Int(name) {
      return .nameOrIndex(name, index)
    }
    return .name(name)
  }

  private mutating func bracket() -> [GoessnerPath.Selector]? {
    var selectors: [GoessnerPath.Selector] = []
    repeat {
      guard let selector = bracketed() else { return nil }
      selectors.append(selector)
    } while skip(",")
    return skip("]") ? selectors : nil
  }

  private mutating func bracketed() -> GoessnerPath.Selector? {
    skipSpaces()
    defer { skipSpaces() }
    if skip("*") { return .wildcard }
    if skip("'") { return quoted(by: UInt8(ascii: "'")).map { .name($0) } }
    if skip("\"") { return quoted(by: UInt8(ascii: "\"")).map { .name($0) } }
    let start = integer()
    skipSpaces()
    guard skip(":") else {
      // Goessner's own evaluator finds nothing at a negative index either.
      return start.map { .index($0) }
    }
    skipSpaces()
    let end = integer()
    skipSpaces()
    guard skip(":") else { return .slice(start: start, end: end, step: 1) }
    skipSpaces()
    let step = integer() ?? 1
    return step > 0 ? .slice(start: start, end: end, step: step) : nil
  }

  private mutating func quoted(by quote: UInt8) -> String? {
    var name: [UInt8] = []
    while position < text.count {
      let byte = text[position]
      position += 1
      if byte == quote { return String(decoding: name, as: UTF8.self) }
      if byte == UInt8(ascii: "\\"), position < text.count {
        name.append(text[position])
        position += 1
      } else {
        name.append(byte)
      }
    }
    return nil
  }

  private mutating func integer() -> Int? {
    let start = position
    _ = skip("-")
    while position < text.count, (48...57).contains(text[position]) { position += 1 }
    return Int(String(decoding: text[start..<position], as: UTF8.self))
  }

  private mutating func skipSpaces() { while skip(" ") {} }
}
