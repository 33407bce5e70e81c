internal import GRDB

/// What a journal's file looks like, in all its versions.
enum JournalSchema {
  /// Marks the file as ours: `GFLO`, in SQLite's `application_id`.
  static let applicationID: Int64 = 0x4746_4c4f

  /// The steps from an empty file to the newest version; only ever appended to.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: events") { database in
      try database.execute(
        sql: """
          CREATE TABLE events (
            seq INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            json TEXT NOT NULL,
            body BLOB,
            seal INTEGER NOT NULL
          );
          PRAGMA application_id = \(applicationID);
          """
      )
    }
    // The table stays as it is: its rows may hold several events each, see `EventBlock`.
    migrator.registerMigration("2: blocks of events") { _ in }
    // The tables are the same, but the first event holds the run's options, and a later one may
    // begin a changed file: an earlier tool would go on without the one and stumble over the other,
    // so it has to refuse.
    migrator.registerMigration("3: options and changed files") { database in
      try database.execute(sql: "PRAGMA user_version = 3")
    }
    // An earlier tool would not know what one object for two events is.
    migrator.registerMigration("4: joined events") { _ in }
    // The tables are the same, but an earlier tool would not keep the mark beside the run.
    migrator.registerMigration(marked) { _ in }
    return migrator
  }

  /// The step since when a journal has an ``IntentMark``.
  private static let marked = "5: marks of intents"

  /// Whether the version that made a file, or went on with it, kept a mark of it.
  static func isMarked(_ database: Database) throws -> Bool {
    try migrator.appliedIdentifiers(database).contains(marked)
  }

  /// Makes or updates the tables.
  ///
  /// - Throws: `JournalError` for a file that is not ours or is newer than this tool, and SQLite's
  ///   errors.
  static func prepare(_ queue: DatabaseQueue, path: String) throws {
    // Before the tables: a run that is killed between the migrator's own table and ours must not
    // leave a file that looks like somebody else's.
    if try !check(queue, path: path) {
      try queue.write { try $0.execute(sql: "PRAGMA application_id = \(applicationID)") }
    }
    try migrator.migrate(queue)
  }

  /// Looks whether a file is a journal that this tool can read; changes nothing.
  ///
  /// - Returns: false for a file that is still empty, or without the table of events.
  /// - Throws: as ``prepare(_:path:)``.
  static func check(_ queue: DatabaseQueue, path: String) throws -> Bool {
    let (mark, isEmpty, hasEvents, isNewer) = try queue.read { database in
      (
        try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
        try Int64.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0,
        try database.tableExists("events"),
        try migrator.hasBeenSuperseded(database)
      )
    }
    // A run that was killed while its journal was made leaves an empty file: a run without events.
    guard mark == applicationID || (mark == 0 && isEmpty) else {
      throw JournalError(.damaged, path: path, message: "this is not a GraphFlow journal")
    }
    guard !isNewer else {
      throw JournalError(
        .newer,
        path: path,
        message: "a later version of graphflow wrote this journal; update it"
      )
    }
    return hasEvents
  }
}
