package import JSONPath

/// Whose bookmarks they are: those of a group of a workflow file, as it is defined at the time.
package struct BookmarkOwner: Hashable, Comparable, Sendable {
  /// The path of the workflow file, without links.
  package let file: String
  /// The profile, and the host that is called.
  package let profile, graph: String
  /// The name of the group.
  package let group: String
  /// The digest of everything that decides what its rows hold.
  package let definition: String

  package init(file: String, profile: String, graph: String, group: String, definition: String) {
    self.file = StateDirectory.canonical(file)
    (self.profile, self.graph) = (profile, graph)
    (self.group, self.definition) = (group, definition)
  }

  fileprivate init(columns: [String]) {
    (file, profile, graph) = (columns[0], columns[1], columns[2])
    (group, definition) = (columns[3], columns[4])
  }

  fileprivate var columns: [String] { [file, profile, graph, group, definition] }

  package static func < (left: BookmarkOwner, right: BookmarkOwner) -> Bool {
    left.columns.lexicographicallyPrecedes(right.columns)
  }
}

/// The statements that both kinds of database understand; `?` stands for a value.
private enum BookmarkSQL {
  static let key = ["file", "profile", "graph", "grp", "definition"]
  static let columns = key + ["element", "since", "until", "facts"]

  static let owners = "SELECT DISTINCT \(key.joined(separator: ", ")) FROM windows"
  static let bookmarks = "SELECT element, since, until, facts FROM windows WHERE \(ownerEquals)"
  static let keep = """
    INSERT INTO windows (\(columns.joined(separator: ", "))) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (\(key.joined(separator: ", ")), element, since)
    DO UPDATE SET until = excluded.until, facts = excluded.facts
    """
  static let remove = "DELETE FROM windows WHERE \(ownerEquals) AND element = ? AND since = ?"

  private static let ownerEquals = key.map { "\($0) = ?" }.joined(separator: " AND ")
}

extension Bookmark {
  fileprivate var columns: [String] { [window.element, window.since, window.until, facts] }

  /// The columns `element`, `since`, `until` and `facts`; nil if they are not those of a bookmark.
  fileprivate init?(columns: [String]) {
    guard columns.count == 4, let facts = try? JSON(parsing: columns[3]) else { return nil }
    self.init(
      Window(element: columns[0], since: columns[1], until: columns[2]),
      isFinished: facts["finished"]?.bool == true, run: facts["run"]?.string ?? "",
      files: (facts["files"]?.array ?? []).compactMap { File($0) },
      listed: Dictionary(
        (facts["listed"]?.object ?? JSON.Object()).map { name, ids in
          (name, (ids.array ?? []).compactMap(\.string))
        }, uniquingKeysWith: { $1 }))
  }

  private var facts: String {
    JSON.object(
      JSON.Object(
        [
          ("finished", .bool(isFinished)), ("run", .string(run)),
          ("files", .array(files.map(\.json))),
        ] + (listed.isEmpty ? [] : [("listed", listedJSON)]))
    ).serialized()
  }

  private var listedJSON: JSON {
    .object(
      JSON.Object(
        listed.sorted { $0.key < $1.key }.map { ($0.key, .array($0.value.map(JSON.string))) }))
  }
}

extension Bookmark.File {
  /// The file as bookmarks and manifests hold it.
  package var json: JSON {
    .object(
      JSON.Object(
        [
          ("output", .string(output)), ("path", .string(path)),
          ("rows", .number(JSON.Number(rows))), ("bytes", .number(JSON.Number(bytes))),
          ("sha256", .string(digest)),
        ] + (missing.map { [("missing", $0)] } ?? [])))
  }

  fileprivate init?(_ json: JSON) {
    guard let output = json["output"]?.string, let path = json["path"]?.string,
      let rows = json["rows"]?.integer, let bytes = json["bytes"]?.integer,
      let digest = json["sha256"]?.string
    else { return nil }
    self.init(
      output: output, path: path, rows: rows, bytes: bytes, digest: digest,
      missing: json["missing"])
  }
}

/// The bookmarks of groups.
package struct BookmarkStore: Sendable {
  let table: any BookmarkTable

  /// What has bookmarks, in order.
  package func owners() throws(JournalError) -> [BookmarkOwner] {
    try table.rows(BookmarkSQL.owners, [], columns: BookmarkSQL.key.count)
      .map(BookmarkOwner.init(columns:)).sorted()
  }

  /// The bookmarks of a group, in order.
  package func bookmarks(of owner: BookmarkOwner) throws(JournalError) -> [Bookmark] {
    let rows = try table.rows(BookmarkSQL.bookmarks, owner.columns, columns: 4)
    let bookmarks = rows.compactMap(Bookmark.init(columns:))
    guard bookmarks.count == rows.count else {
      throw JournalError(.damaged, path: table.place, message: "the bookmarks are damaged")
    }
    return bookmarks.sorted { $0.window < $1.window }
  }

  /// Keeps bookmarks durably, in place of those of the same elements and first days.
  package func keep(_ bookmarks: [Bookmark], of owner: BookmarkOwner) throws(JournalError) {
    try table.change(BookmarkSQL.keep, bookmarks.map { owner.columns + $0.columns })
  }

  /// Removes the bookmarks of windows.
  package func remove(
    _ windows: [Bookmark.Window], of owner: BookmarkOwner
  ) throws(JournalError) {
    try table.change(BookmarkSQL.remove, windows.map { owner.columns + [$0.element, $0.since] })
  }
}

/// The table of a state directory, in a SQLite file that is created with the first bookmark.
struct BookmarkFile: BookmarkTable {
  /// The columns, here and in the other kind of database; those of a release never change.
  static let columns = """
    (
      file text NOT NULL,
      profile text NOT NULL,
      graph text NOT NULL,
      grp text NOT NULL,
      definition text NOT NULL,
      element text NOT NULL,
      since text NOT NULL,
      until text NOT NULL,
      facts text NOT NULL,
      PRIMARY KEY (file, profile, graph, grp, definition, element, since)
    )
    """

  let folder: String

  var place: String { "\(folder)/bookmarks.sqlite" }

  func rows(
    _ query: String, _ values: [String], columns: Int
  ) throws(JournalError) -> [[String]] {
    guard let file = try open(creating: false) else { return [] }
    return try file.transaction(.read) { connection in
      var rows: [[String]] = []
      try connection.statement(query).rows(values.map { .text(Array($0.utf8)) }) { row in
        rows.append(
          (0..<columns).map { String(decoding: row.bytes(Int32($0)) ?? [], as: UTF8.self) })
        return true
      }
      return rows
    }
  }

  func change(_ statement: String, _ rows: [[String]]) throws(JournalError) {
    guard !rows.isEmpty, let file = try open(creating: true) else { return }
    try file.transaction(.write) { connection in
      let statement = try connection.statement(statement)
      for row in rows { try statement.rows(row.map { .text(Array($0.utf8)) }) { _ in true } }
    }
  }

  /// Opens the file, whose table exists then; nil if there is none yet.
  private func open(creating: Bool) throws(JournalError) -> SQLite? {
    try PrivateFolder.refuseForeign(place)
    if !OpenFile.exists(place) {
      guard creating else { return nil }
      do throws(JournalError) {
        try PrivateFolder(creating: folder).createFile("bookmarks.sqlite")
      } catch {
        // Another process may have created it.
        guard OpenFile.exists(place) else { throw error }
      }
    }
    // Each commit is synced.
    let file = try SQLite(
      path: place, called: "the file of bookmarks", waiting: 10_000, "PRAGMA synchronous = FULL")
    try file.use { connection in
      try connection.execute("CREATE TABLE IF NOT EXISTS windows \(Self.columns) WITHOUT ROWID")
    }
    return file
  }
}

/// The table `windows`: in ``StateDirectory`` in a file of its own, in ``PostgreSQLStore`` beside others.
protocol BookmarkTable: Sendable {
  /// The place, for messages.
  var place: String { get }

  /// The rows of a query; `?` in it stands for a value.
  func rows(
    _ query: String, _ values: [String], columns: Int
  ) throws(JournalError) -> [[String]]

  /// Executes a statement with the values of each row, durably.
  func change(_ statement: String, _ rows: [[String]]) throws(JournalError)
}
