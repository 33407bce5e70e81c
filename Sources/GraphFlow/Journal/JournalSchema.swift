/// The schema of a journal's file.
enum JournalSchema {
  /// Identifies the file as a journal: `GFLO`, in SQLite's `application_id`.
  private static let applicationID: Int64 = 0x4746_4c4f
  /// The version of the tables and of the events in them, in SQLite's `user_version`.
  private static let version: Int64 = 5

  /// Creates the table if the file is empty.
  ///
  /// - Throws: also for a file that is not a journal or has another version.
  static func prepare(_ file: SQLite) throws(JournalError) {
    guard try !check(file) else { return }
    // One transaction: a run that is killed leaves an empty file or a complete table.
    try file.transaction(.write) { connection in
      try connection.execute(
        """
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
    let (mark, found, isEmpty, hasEvents) = try file.transaction(.read) { connection in
      (
        try connection.integer("PRAGMA application_id") ?? 0,
        try connection.integer("PRAGMA user_version") ?? 0,
        try connection.integer("SELECT count(*) FROM sqlite_master") == 0,
        try connection.integer(
          "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'events'") == 1
      )
    }
    // A run that was killed while it created its journal leaves an empty file, without events.
    if mark == 0, isEmpty { return false }
    guard mark == applicationID else {
      throw JournalError(.damaged, path: file.path, message: "this is not a GraphFlow journal")
    }
    guard found == version else {
      let writer = found > version ? "a later version of graphflow" : "an unreleased version"
      throw JournalError(
        .otherVersion, path: file.path,
        message: "\(writer) wrote this journal; only that version can finish the run")
    }
    guard hasEvents else {
      throw JournalError(.damaged, path: file.path, message: "the journal has no table of events")
    }
    return true
  }
}
