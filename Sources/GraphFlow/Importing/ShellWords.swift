/// Splits command lines into words as a POSIX shell does, with `$'…'` of bash and the carets of
/// Windows.
///
/// A variable becomes a marked reference to an input. Nothing is executed or expanded.
struct ShellWords {
  private let text: [Unicode.Scalar]
  private var index = 0
  /// The inputs for variables, in their order.
  private(set) var inputs: [String] = []
  /// Whether it was written for the command prompt of Windows, where only `"` quotes.
  private let isForWindows: Bool

  init(_ text: String) {
    let scalars = Array(MarkedReference.unmarked(text).unicodeScalars)
    let pairs = zip(scalars, scalars.dropFirst())
    isForWindows = pairs.contains { $0 == "^" && ($1 == "\"" || $1 == "\n" || $1 == "\r") }
    self.text = isForWindows ? Self.withoutCarets(scalars) : scalars
  }

  /// The commands, each with its words.
  mutating func commands() throws(ImportFailure) -> [[String]] {
    var commands: [[String]] = [[]]
    while index < text.count {
      switch text[index] {
      case " ", "\t", "\r": index += 1
      case "\n", ";", "|":
        commands.append([])
        index += 1
      case "&" where index + 1 == text.count || " &\n".unicodeScalars.contains(text[index + 1]):
        commands.append([])
        index += 1
      case "#": skip { $0 != "\n" }
      case "\\" where isLineEnd(after: index): skipLineEnd()
      case ">":
        skip { ">& ".unicodeScalars.contains($0) }
        _ = try word()
      default: commands[commands.count - 1].append(try word())
      }
    }
    return commands.filter { !$0.isEmpty }
  }

  // MARK: Words

  private mutating func word() throws(ImportFailure) -> String {
    var word = String.UnicodeScalarView()
    while index < text.count {
      let scalar = text[index]
      switch scalar {
      case " ", "\t", "\n", "\r", ";", "|": return String(word)
      case "\"": try appendDoubleQuoted(to: &word)
      case "'" where !isForWindows: word.append(contentsOf: try quoted(by: "'"))
      case "\\" where isLineEnd(after: index): skipLineEnd()
      case "\\" where !isForWindows:
        index += 1
        if index < text.count { word.append(text[index]) }
        index += 1
      case "$" where !isForWindows && index + 1 < text.count && text[index + 1] == "'":
        index += 1
        word.append(contentsOf: try ansiQuoted())
      case "$", "`": try appendExpansion(to: &word)
      default:
        word.append(scalar)
        index += 1
      }
    }
    return String(word)
  }

  private func unclosed(_ start: Int) -> ImportFailure {
    let before = text[..<start]
    let line = 1 + before.count { $0 == "\n" }
    let column = 1 + before.reversed().prefix { $0 != "\n" }.count
    return ImportFailure(
      "the quote at \(line):\(column) has no end",
      hint: "put the whole line in quotes, or give it on standard input: --from-curl -")
  }

  private mutating func quoted(
    by mark: Unicode.Scalar
  ) throws(ImportFailure)
    -> ArraySlice<Unicode.Scalar>
  {
    let start = index
    guard let end = text[(start + 1)...].firstIndex(of: mark) else { throw unclosed(start) }
    index = end + 1
    return text[(start + 1)..<end]
  }

  private mutating func appendDoubleQuoted(
    to word: inout String.UnicodeScalarView
  ) throws(ImportFailure) {
    let start = index
    index += 1
    while index < text.count, text[index] != "\"" {
      let next = index + 1 < text.count ? text[index + 1] : " "
      switch text[index] {
      case "\\" where next == "\n" && !isForWindows: index += 2
      case "\\" where (isForWindows ? "\"\\" : "$`\"\\").unicodeScalars.contains(next):
        word.append(next)
        index += 2
      case "$", "`": try appendExpansion(to: &word)
      case let scalar:
        word.append(scalar)
        index += 1
      }
    }
    guard index < text.count else { throw unclosed(start) }
    index += 1
  }

  /// Reads `$'…'` (Bash Reference Manual, "ANSI-C Quoting").
  private mutating func ansiQuoted() throws(ImportFailure) -> String.UnicodeScalarView {
    let start = index
    var word = String.UnicodeScalarView()
    // Escapes may write a character byte by byte.
    var bytes: [UInt8] = []
    index += 1
    while index < text.count, text[index] != "'" {
      guard text[index] == "\\", index + 1 < text.count else {
        bytes += String(text[index]).utf8
        index += 1
        continue
      }
      let escape = text[index + 1]
      index += 2
      let simple: [Unicode.Scalar: UInt8] = [
        "n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "E": 27,
      ]
      switch escape {
      case "x": bytes.append(UInt8(truncatingIfNeeded: number(radix: 16, digits: 2)))
      case "u", "U":
        let value = number(radix: 16, digits: escape == "u" ? 4 : 8)
        bytes += String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8
      case "0"..."7":
        index -= 1
        bytes.append(UInt8(truncatingIfNeeded: number(radix: 8, digits: 3)))
      default: bytes += simple[escape].map { [$0] } ?? Array(String(escape).utf8)
      }
    }
    guard index < text.count else { throw unclosed(start) }
    index += 1
    word.append(contentsOf: String(decoding: bytes, as: UTF8.self).unicodeScalars)
    return word
  }

  private mutating func number(radix: Int, digits: Int) -> UInt32 {
    let piece = text[index...].prefix(digits).prefix {
      Character($0).hexDigitValue.map { $0 < radix } ?? false
    }
    index += piece.count
    return UInt32(String(String.UnicodeScalarView(piece)), radix: radix) ?? 0
  }

  /// Reads `$NAME` or `${NAME…}` as an input; another dollar sign is text.
  private mutating func appendExpansion(
    to word: inout String.UnicodeScalarView
  ) throws(ImportFailure) {
    let next = index + 1 < text.count ? text[index + 1] : " "
    guard text[index] == "$", next != "(", !isForWindows else {
      if isForWindows || next.properties.isWhitespace && text[index] == "$" {
        word.append(text[index])
        index += 1
        return
      }
      throw ImportFailure(
        "the line runs another command in '\(text[index])'", hint: "write its result instead")
    }
    let start = index + (next == "{" ? 2 : 1)
    let name = text[start...].prefix { $0.isASCII && WorkflowName.isPart(UInt8($0.value)) }
      .prefix { $0 != "-" }
    let input = String(String.UnicodeScalarView(name)).lowercased()
    guard WorkflowName.isWellFormed(input) else {
      word.append("$")
      index += 1
      return
    }
    index = start + name.count
    if next == "{" {
      guard let end = text[index...].firstIndex(of: "}") else { throw unclosed(start - 2) }
      index = end + 1
    }
    inputs.append(input)
    word.append(contentsOf: MarkedReference.marked("{input=\(input)}").unicodeScalars)
  }

  // MARK: Lines

  private func isLineEnd(after index: Int) -> Bool {
    let rest = text[index...].dropFirst().prefix(2)
    return rest.first == "\n" || rest.elementsEqual(["\r", "\n"])
  }

  private mutating func skipLineEnd() {
    skip { $0 != "\n" }
    index += 1
  }

  private mutating func skip(while fits: (Unicode.Scalar) -> Bool) {
    index = text[index...].firstIndex { !fits($0) } ?? text.count
  }

  /// The text after the command prompt has read it: a caret takes the next character as it is, and
  /// joins lines.
  private static func withoutCarets(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var plain: [Unicode.Scalar] = []
    var index = 0
    while index < text.count {
      if text[index] == "^" {
        index += 1
        if index < text.count, text[index] == "\r" { index += 1 }
        if index < text.count, text[index] == "\n" {
          // A second line break after the caret is one of the text.
          index += 1
          if index < text.count, text[index] != "\n" { continue }
        }
      }
      if index < text.count { plain.append(text[index]) }
      index += 1
    }
    return plain
  }
}
