import GraphFlow

/// Lines at the bottom of a terminal that are drawn again and again.
///
/// The cursor is below them whenever nothing is written, so that a process that is killed leaves
/// nothing broken. It is moved relative to its place, because the terminal scrolls.
struct TerminalBlock {
  private var lines: [String] = []
  private var width = 0

  /// Removes the block from the terminal.
  mutating func erasure() -> [UInt8] {
    guard !lines.isEmpty else { return [] }
    defer { lines = [] }
    return Array("\(cursorToTop)\u{1b}[J".utf8)
  }

  /// Replaces the block; empty if it is the same.
  mutating func drawing(_ new: [String]) -> [UInt8] {
    let width = Terminal.width(of: STDERR_FILENO)
    guard new != lines || width != self.width else { return [] }
    if new.isEmpty { return erasure() }
    var text = lines.isEmpty ? "" : cursorToTop
    for line in new { text += line + "\u{1b}[K\n" }
    if !lines.isEmpty { text += "\u{1b}[J" }
    (lines, self.width) = (new, width)
    return Array(text.utf8)
  }

  /// Moves the cursor to the first line; a terminal that became narrower has wrapped the lines.
  private var cursorToTop: String {
    let now = max(1, Terminal.width(of: STDERR_FILENO))
    guard now < width else { return "\r\u{1b}[\(lines.count)A" }
    let rows = lines.reduce(0) { $0 + max(1, (DisplayText.columns($1) + now - 1) / now) }
    return "\r\u{1b}[\(rows)A"
  }
}

extension Terminal {
  /// Whether standard error is a terminal that moves its cursor.
  static var takesBlock: Bool {
    !isStructured && isatty(STDERR_FILENO) == 1
      && Environment.value("TERM").map { $0 != "dumb" } == true
  }

  static var progressStyle: ProgressStyle {
    var (now, local) = (time(nil), tm())
    localtime_r(&now, &local)
    return ProgressStyle(
      width: width(of: STDERR_FILENO), style: hasColor(STDERR_FILENO) ? .colored : .plain,
      zone: local.tm_gmtoff, hasUnicode: hasUnicode)
  }

  private static let hasUnicode: Bool = {
    let locale = Environment.value("LC_ALL") ?? Environment.value("LC_CTYPE")
    // LANGUAGE_COUNTRY.ENCODING@MODIFIER
    let name = (locale ?? Environment.value("LANG") ?? "").prefix { $0 != "@" }.lowercased()
    return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
  }()
}
