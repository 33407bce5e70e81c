/// A SQLite file of records with keys.
///
/// Changes are transactions, so a killed process leaves no partial change; a power failure may undo the
/// last changes. One process at a time can open the file.
package final class RecordFile: Sendable {
  private let file: SQLite

  /// Identifies the file: `GFRE`, in SQLite's `application_id`.
  private static let applicationID: Int64 = 0x4746_5245

  /// Opens or creates a file.
  ///
  /// - Throws: `damaged` for another kind of file, `locked`, `cannotWrite`.
  package init(path: String) throws(JournalError) {
    file = try SQLite(
      path: path, called: "the file", waiting: 1000, "PRAGMA locking_mode = EXCLUSIVE")
    let isOurs = try file.transaction(.read) { connection in
      let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_master") == 0
      let mark = try connection.integer("PRAGMA application_id")
      return isEmpty && mark == 0 || mark == Self.applicationID
    }
    guard isOurs else {
      throw JournalError(.damaged, path: path, message: "this is not a file of records")
    }
    try file.use { connection in
      try connection.execute(
        """
        PRAGMA application_id = \(Self.applicationID);
        PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        CREATE TABLE IF NOT EXISTS records (key TEXT PRIMARY KEY, value BLOB NOT NULL)
          WITHOUT ROWID;
        """)
    }
  }

  /// Visits all records; only one is in memory at a time.
  ///
  /// - Throws: a `JournalError`, or what the visitor throws.
  package func readAll(_ visit: (_ key: String, _ value: [UInt8]) throws -> Void) throws {
    var refusal: (any Error)?
    try file.use { connection in
      try connection.statement("SELECT key, value FROM records").rows { row in
        do {
          try visit(String(decoding: row.bytes(0) ?? [], as: UTF8.self), row.bytes(1) ?? [])
        } catch {
          refusal = error
        }
        return refusal == nil
      }
    }
    if let refusal { throw refusal }
  }

  /// Changes all records or none; a record without a value is deleted.
  ///
  /// - Throws: `cannotWrite` for a full or failing disk.
  package func change(_ records: [(key: String, value: [UInt8]?)]) throws(JournalError) {
    try file.transaction(.write) { connection in
      let set = try connection.statement(
        "INSERT OR REPLACE INTO records (key, value) VALUES (?, ?)")
      let remove = try connection.statement("DELETE FROM records WHERE key = ?")
      for (key, value) in records {
        if let value {
          try set.execute(.text(Array(key.utf8)), .blob(value))
        } else {
          try remove.execute(.text(Array(key.utf8)))
        }
      }
    }
  }
}
