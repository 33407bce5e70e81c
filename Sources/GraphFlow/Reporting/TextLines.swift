/// Collects lines of text, and paragraphs that are broken to a width.
struct TextLines {
  /// The text so far; every line ends in a line break.
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

  /// The text, padded with spaces to a width.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(text)))
  }

  /// The number of terminal columns that the text needs.
  static func columns(_ text: String) -> Int {
    text.isPlain
      ? text.utf8.count : text.unicodeScalars.reduce(0) { $0 + DisplayText.width($1) }
  }
}

extension String {
  fileprivate var trimmingBlanks: Substring {
    var rest = self[...]
    while rest.utf8.last == UInt8(ascii: " ") { rest.unicodeScalars.removeLast() }
    return rest
  }
}
