/// The schema of a journal's file.
enum JournalSchema {
  /// Identifies the file as a journal: `GFLO`, in SQLite's `application_id`.
  private static let applicationID: Int64 = 0x4746_4c4f
  /// The version of the tables and of the events in them, in SQLite's `user_version`.
  ///
  /// A release also reads that of the release before it. What identifies the file and the table
  /// `writer` never change, so that an older release can say which one is needed
  /// (docs/internals/compatibility.md).
  private static let version: Int64 = 6

  /// Creates the tables if the file is empty.
  ///
  /// - Throws: also for a file that is not a journal or has another version.
  static func prepare(_ file: SQLite) throws(JournalError) {
    guard try !check(file) else { return }
    // One transaction: a run that is killed leaves an empty file or a complete table.
    try file.transaction(.write) { connection in
      try connection.execute(
        """
        CREATE TABLE writer (graphflow TEXT NOT NULL);
        INSERT INTO writer VALUES ('\(toolVersion)');
        CREATE TABLE events (
          seq INTEGER PRIMARY KEY,
          json TEXT NOT NULL,
          body BLOB,
          seal INTEGER NOT NULL
        );
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        """)
    }
  }

  /// Checks that a file is a journal that this version can read, without changing it.
  ///
  /// - Returns: false for a file that is still empty.
  /// - Throws: as ``prepare(_:)``.
  static func check(_ file: SQLite) throws(JournalError) -> Bool {
    let (mark, found, tables, writer) = try file.transaction(.read) { connection in
      let found = try connection.integer("PRAGMA user_version") ?? 0
      return (
        try connection.integer("PRAGMA application_id") ?? 0, found,
        try connection.text("SELECT group_concat(name) FROM sqlite_master WHERE type = 'table'"),
        found > version ? try? connection.text("SELECT graphflow FROM writer") : nil
      )
    }
    // A run that was killed while it created its journal leaves an empty file, without events.
    if mark == 0, tables == nil { return false }
    guard mark == applicationID else {
      throw JournalError(.damaged, path: file.path, message: "this is not a GraphFlow journal")
    }
    guard found == version else {
      let name = writer.map { " (\($0.prefix(40)))" } ?? ""
      let author = found > version ? "a later version of graphflow\(name)" : "an unreleased version"
      throw JournalError(
        .otherVersion, path: file.path,
        message: "\(author) wrote this journal; only that version can finish the run")
    }
    guard tables?.split(separator: ",").contains("events") == true else {
      throw JournalError(.damaged, path: file.path, message: "the journal has no table of events")
    }
    return true
  }
}
