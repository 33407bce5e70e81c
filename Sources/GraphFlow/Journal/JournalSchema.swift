internal import GRDB

/// The schema of a journal's file.
enum JournalSchema {
  /// Identifies the file as a journal: `GFLO`, in SQLite's `application_id`.
  private static let applicationID: Int64 = 0x4746_4c4f
  /// The version of the tables and of the events in them, in SQLite's `user_version`.
  private static let version: Int64 = 4

  /// Creates the table if the file is empty.
  ///
  /// - Throws: `JournalError` for a file that is not a journal or has another version, and SQLite's
  ///   errors.
  static func prepare(_ queue: DatabaseQueue, path: String) throws {
    guard try !check(queue, path: path) else { return }
    // One transaction: a run that is killed leaves an empty file or a complete table.
    try queue.write { database in
      try database.execute(
        sql: """
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
  /// - Throws: as ``prepare(_:path:)``.
  static func check(_ queue: DatabaseQueue, path: String) throws -> Bool {
    let (mark, found, isEmpty, hasEvents) = try queue.read { database in
      (
        try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
        try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0,
        try Int64.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0,
        try database.tableExists("events")
      )
    }
    // A run that was killed while it created its journal leaves an empty file, without events.
    if mark == 0, isEmpty { return false }
    guard mark == applicationID else {
      throw JournalError(.damaged, path: path, message: "this is not a GraphFlow journal")
    }
    guard found == version else {
      let writer = found > version ? "a later version of graphflow" : "an unreleased version"
      throw JournalError(
        .otherVersion, path: path,
        message: "\(writer) wrote this journal; only that version can finish the run")
    }
    guard hasEvents else {
      throw JournalError(.damaged, path: path, message: "the journal has no table of events")
    }
    return true
  }
}

extension Configuration {
  /// A configuration for a file with untrusted contents, which waits for locks of other processes.
  static func untrusted(waiting seconds: Double, _ pragmas: String = "") -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(seconds)
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      try database.execute(
        sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; \(pragmas)")
    }
    return configuration
  }
}
