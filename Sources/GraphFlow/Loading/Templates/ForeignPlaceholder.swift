internal import JSONPath

/// A placeholder of another tool, which stays text here: `{{ inputs.x }}`, `${x}`, `{x}`.
///
/// Text is sent unchanged, so only a placeholder with a known name gets a warning.
struct ForeignPlaceholder {
  /// The text inside, without spaces around it.
  let name: String
  /// Whether only a single pair of braces encloses it: prose may mean exactly that.
  let isBare: Bool
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
    let closing = isDouble ? 2 : 1
    guard end > start, WorkflowName.isStart(bytes[start]), index + closing <= bytes.count,
      bytes[index..<index + closing].allSatisfy({ $0 == UInt8(ascii: "}") })
    else { return nil }
    return ForeignPlaceholder(
      name: String(decoding: bytes[start..<end], as: UTF8.self), isBare: !isDouble && !sign,
      whole: piece(brace - (sign ? 1 : 0)..<index + closing))
  }

  /// The shell's placeholders, `$(x)`, in a text without braces.
  static func shellPlaceholders(in text: String) -> [ForeignPlaceholder] {
    guard text.holds("$") else { return [] }
    var scanner = TemplateScanner(text)
    var found: [ForeignPlaceholder] = []
    while let dollar = scanner.bytes[scanner.offset...].firstIndex(of: UInt8(ascii: "$")) {
      scanner.move(to: dollar)
      let rest = scanner.bytes[dollar...].dropFirst(2).prefix(maximumLength)
      let name = rest.prefix(while: isForeignPart)
      if scanner.byte(1) == UInt8(ascii: "("), !name.isEmpty,
        scanner.bytes[name.endIndex...].first == UInt8(ascii: ")")
      {
        found.append(
          ForeignPlaceholder(
            name: String(decoding: name, as: UTF8.self), isBare: false,
            whole: scanner.piece(dollar..<name.endIndex + 1)))
      }
      scanner.move(to: dollar + 1)
    }
    return found
  }

  private static func isForeignPart(_ byte: UInt8) -> Bool {
    WorkflowName.isPart(byte) || ".[]:$=*'".utf8.contains(byte)
  }
}
