/// Collects lines of text, and paragraphs that are broken to a width.
struct TextLines {
  private(set) var text = ""
  private let width: Int

  /// Creates an empty text; paragraphs are broken at `width` columns, or never if it is nil.
  init(width: Int?) { self.width = width.map { max(40, $0) } ?? .max }

  /// Adds a line without its trailing spaces.
  mutating func add(_ line: String) {
    text.append(contentsOf: line.trimmingBlanks)
    text.append("\n")
  }

  /// Adds a paragraph that is indented and broken between words.
  ///
  /// The label precedes its first line.
  mutating func add(paragraph: String, indent: Int, label: String = "") {
    let margin = String(repeating: " ", count: indent)
    var line = margin + label
    var isEmpty = true
    for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
      if !isEmpty, width != .max, line.count + 1 + word.count > width {
        add(line)
        line = margin
        isEmpty = true
      }
      if !isEmpty { line.append(" ") }
      line.append(contentsOf: word)
      isEmpty = false
    }
    add(line)
  }

  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(text)))
  }

  static func columns(_ text: String) -> Int { DisplayText.columns(text) }
}

extension String {
  fileprivate var trimmingBlanks: Substring {
    var rest = self[...]
    while rest.utf8.last == UInt8(ascii: " ") { rest.unicodeScalars.removeLast() }
    return rest
  }
}

extension String {
  /// The text as one word of a POSIX shell, in single quotes.
  package var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}

/// Formats durations.
enum ElapsedTime {
  /// Milliseconds as seconds with three decimals, for programs.
  static func seconds(_ milliseconds: Int64) -> String {
    "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
  }

  /// Milliseconds as `412 ms`, `1.2 s`, `2 min 5 s` or `3 h 12 min`.
  static func text(milliseconds: Int64) -> String {
    let milliseconds = max(0, milliseconds)
    let seconds = milliseconds / 1000
    return switch milliseconds {
    case ..<1000: "\(milliseconds) ms"
    case ..<60_000: "\(seconds).\(milliseconds % 1000 / 100) s"
    case ..<3_600_000: "\(seconds / 60) min \(seconds % 60) s"
    default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }
}

/// Makes untrusted text (a server's message, a name in a file) safe for a line of output.
enum UntrustedText {
  /// The text on one line, with control and bidirectional characters escaped, tokens masked, and commands
  /// of CI systems disabled.
  static func safe(_ text: String) -> String {
    withoutCommands(DisplayText.safe(text))
  }

  /// Breaks commands of CI systems: `::set-output …` at the start of a line (GitHub), `##[…]`,
  /// `##vso[…]` and `##teamcity[…]` anywhere (GitHub, Azure, TeamCity).
  ///
  /// Line breaking can move any word to the start of a line.
  private static func withoutCommands(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ":")) || text.utf8.contains(UInt8(ascii: "#")) else {
      return text
    }
    var result = ""
    var beforePrevious: Character = " "
    var previous: Character = " "
    for character in text {
      let isWord = character == ":" && previous == ":" && beforePrevious.isWhitespace
      if isWord || (character == "#" && previous == "#") { result.append(" ") }
      result.append(character)
      beforePrevious = previous
      previous = character
    }
    return result
  }
}
