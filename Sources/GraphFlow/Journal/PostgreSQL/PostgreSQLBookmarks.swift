/// The table of bookmarks in a database.
struct PostgreSQLBookmarks: BookmarkTable {
  let session: PostgreSQLSession

  var place: String { session.address.place }

  func rows(
    _ query: String, _ values: [String], columns: Int
  ) throws(JournalError) -> [[String]] {
    try session.use { use in
      try use.connection.execute(Self.statement(query), values.map { .text($0) }).rows
        .map { row in (0..<columns).map { row.text($0) ?? "" } }
    }
  }

  func change(_ statement: String, _ rows: [[String]]) throws(JournalError) {
    try session.use { use in
      for row in rows {
        _ = try use.connection.execute(Self.statement(statement), row.map { .text($0) })
      }
    }
  }

  /// A statement with PostgreSQL's names of tables and values.
  private static func statement(_ sql: String) -> String {
    let parts = sql.split(separator: "?", omittingEmptySubsequences: false)
    let numbered = parts.enumerated().map { $0 == 0 ? "\($1)" : "$\($0)\($1)" }.joined()
    return ["FROM windows", "INTO windows"].reduce(numbered) { text, words in
      text.replacing(words, with: words.replacing(" ", with: " graphflow."))
    }
  }
}
