/// A row of a table on a page of Markdown.
public struct TableRow: Sendable {
  /// The heading, of the second level, below which it is.
  public let section: String
  /// The cells that are not empty.
  public let cells: [String]

  /// The rows of all tables of a page, without heads and rules.
  public static func all(of path: String) -> [TableRow] {
    var rows: [TableRow] = []
    var section = ""
    var isHead = true
    for line in ((try? text(of: path)) ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      guard line.hasPrefix("| ") else {
        isHead = true
        continue
      }
      if !isHead && !line.hasPrefix("| ---") {
        rows.append(TableRow(section: section, cells: cells(of: String(line))))
      }
      isHead = false
    }
    return rows
  }

  /// The cells of a row; a bar inside a cell is escaped.
  private static func cells(of line: String) -> [String] {
    line.dropFirst(2).replacing("\\|", with: "\u{0}").replacing(" |", with: "\u{1}")
      .split(separator: "\u{1}")
      .map { String($0.replacing("\u{0}", with: "|").drop { $0 == " " }) }
      .filter { !$0.isEmpty }
  }
}
