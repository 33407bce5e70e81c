/// A table for people.
enum TextTable {
  /// Rows with columns of equal width; the first row is the header, and the last column has any width.
  static func text(of rows: [[String]]) -> String {
    let widths = rows[0].indices.dropLast().map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      (zip(row, widths).map { $0.padded(to: $1) } + row.suffix(1)).joined(separator: "  ") + "\n"
    }
    .joined()
  }
}
