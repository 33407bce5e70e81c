internal import JSONPath

/// A placeholder of another tool, which stays text here: `{{ inputs.x }}`, `${x}`, `%(x)s`, `{x}`.
struct ForeignPlaceholder {
  /// The text inside, without spaces around it.
  let name: String
  /// Whether only a single pair of braces encloses it: prose may mean exactly that.
  let isBare: Bool
  /// Whether it is `$(x)`: mostly a command, and of a known name only in few tools.
  var isCommand = false
  /// The placeholder with its braces and the character before them.
  let whole: ScannedReference.Piece
}

extension TemplateScanner {
  private static let maximumLength = 120

  /// The foreign placeholder whose brace is at the current offset.
  func foreignPlaceholder() -> ForeignPlaceholder? {
    let brace = offset
    let isDouble = byte(1) == UInt8(ascii: "{")
    let sign = brace > 0 && "$%#".utf8.contains(bytes[brace - 1])
    var index = brace + (isDouble ? 2 : 1)
    let limit = min(bytes.count, brace + Self.maximumLength)
    while index < limit, bytes[index] == UInt8(ascii: " ") { index += 1 }
    let start = index
    while index < limit, Self.isForeignPart(bytes[index]) { index += 1 }
    let end = index
    while index < limit, bytes[index] == UInt8(ascii: " ") { index += 1 }
    // A filter in a template: `{{ limit | int }}`.
    if isDouble, end > start, index < limit, bytes[index] == UInt8(ascii: "|") {
      index = bytes[index..<limit].firstIndex { "{}\n".utf8.contains($0) } ?? limit
    }
    let closing = isDouble ? 2 : 1
    guard end > start, WorkflowName.isStart(bytes[start]), index + closing <= bytes.count,
      bytes[index..<index + closing].allSatisfy({ $0 == UInt8(ascii: "}") })
    else { return nil }
    return ForeignPlaceholder(
      name: String(decoding: bytes[start..<end], as: UTF8.self), isBare: !isDouble && !sign,
      whole: piece(brace - (sign ? 1 : 0)..<index + closing))
  }

  /// The placeholders without braces: `$(x)` of shells and pipelines, `%(x)s` of Python.
  static func placeholdersInParentheses(in text: String) -> [ForeignPlaceholder] {
    guard text.holds("(") else { return [] }
    var scanner = TemplateScanner(text)
    let bytes = scanner.bytes
    var found: [ForeignPlaceholder] = []
    while let opening = bytes[scanner.offset...].firstIndex(of: UInt8(ascii: "(")) {
      scanner.move(to: opening + 1)
      guard opening > 0, "$%".utf8.contains(bytes[opening - 1]) else { continue }
      let isCommand = bytes[opening - 1] == UInt8(ascii: "$")
      let name = bytes[(opening + 1)...].prefix(maximumLength).prefix(while: isForeignPart)
      let closing = name.endIndex
      guard !name.isEmpty, bytes[closing...].first == UInt8(ascii: ")"),
        isCommand || bytes[closing...].dropFirst().first.map("sdif".utf8.contains) == true
      else { continue }
      found.append(
        ForeignPlaceholder(
          name: String(decoding: name, as: UTF8.self), isBare: false, isCommand: isCommand,
          whole: scanner.piece(opening - 1..<closing + (isCommand ? 1 : 2))))
    }
    return found
  }

  private static func isForeignPart(_ byte: UInt8) -> Bool {
    WorkflowName.isPart(byte) || ".[]:$=*'+".utf8.contains(byte)
  }
}
