/// The bookmarks of a database.
struct PostgreSQLBookmarks: BookmarkStore {
  let session: PostgreSQLSession

  func owners() throws(JournalError) -> [BookmarkOwner] {
    try rows(BookmarkSQL.owners, [], columns: 5).map(BookmarkOwner.init(columns:))
  }

  func bookmarks(of owner: BookmarkOwner) throws(JournalError) -> [Bookmark] {
    try rows(BookmarkSQL.bookmarks, owner.columns, columns: 4)
      .compactMap(Bookmark.init(columns:)).sorted { $0.window < $1.window }
  }

  func keep(_ bookmarks: [Bookmark], of owner: BookmarkOwner) throws(JournalError) {
    try change(BookmarkSQL.keep, bookmarks.map { owner.columns + $0.columns })
  }

  func remove(_ windows: [Bookmark.Window], of owner: BookmarkOwner) throws(JournalError) {
    try change(BookmarkSQL.remove, windows.map { owner.columns + [$0.element, $0.since] })
  }

  private func rows(
    _ sql: String, _ values: [String], columns: Int
  ) throws(JournalError) -> [[String]] {
    try session.use { use in
      try use.connection.execute(Self.statement(sql), values.map { .text($0) }).rows
        .map { row in (0..<columns).map { row.text($0) ?? "" } }
    }
  }

  private func change(_ sql: String, _ rows: [[String]]) throws(JournalError) {
    try session.use { use in
      for row in rows {
        _ = try use.connection.execute(Self.statement(sql), row.map { .text($0) })
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
