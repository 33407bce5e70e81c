internal import GRDB

/// A SQLite file of records with keys.
///
/// Changes are transactions, so a killed process leaves no partial change; a power failure may undo the
/// last changes. One process at a time can open the file.
package final class RecordFile: Sendable {
  private let queue: DatabaseQueue
  private let path: String

  /// Identifies the file: `GFRE`, in SQLite's `application_id`.
  private static let applicationID: Int64 = 0x4746_5245

  /// Opens or creates a file.
  ///
  /// - Throws: `damaged` for another kind of file, `locked`, `cannotWrite`.
  package init(path: String) throws(JournalError) {
    self.path = path
    do {
      queue = try DatabaseQueue(
        path: path, configuration: .untrusted(waiting: 1, "PRAGMA locking_mode = EXCLUSIVE"))
      let isOurs = try queue.read { database in
        let isEmpty = try Int64.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        let mark = try Int64.fetchOne(database, sql: "PRAGMA application_id")
        return isEmpty && mark == 0 || mark == Self.applicationID
      }
      guard isOurs else {
        throw JournalError(.damaged, path: path, message: "this is not a file of records")
      }
      try queue.writeWithoutTransaction { database in
        try database.execute(
          sql: """
            PRAGMA application_id = \(Self.applicationID);
            PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            CREATE TABLE IF NOT EXISTS records (key TEXT PRIMARY KEY, value BLOB NOT NULL)
              WITHOUT ROWID;
            """)
      }
    } catch let error as JournalError {
      throw error
    } catch {
      throw JournalError(error, path: path, calling: "the file")
    }
  }

  /// Visits all records; only one is in memory at a time.
  package func readAll(_ visit: (_ key: String, _ value: [UInt8]) throws -> Void) throws {
    try queue.read { database in
      let rows = try Row.fetchCursor(database, sql: "SELECT key, value FROM records")
      while let row = try rows.next() {
        let value: [UInt8]? = try row.withUnsafeData(atIndex: 1) { data in data.map { Array($0) } }
        try visit(row[0], value ?? [])
      }
    }
  }

  /// Changes all records or none; a record without a value is deleted.
  ///
  /// - Throws: `cannotWrite` for a full or failing disk.
  package func change(_ records: [(key: String, value: [UInt8]?)]) throws(JournalError) {
    do {
      try queue.write { database in
        let set = try database.cachedStatement(
          sql: "INSERT OR REPLACE INTO records (key, value) VALUES (?, CAST(? AS BLOB))")
        let remove = try database.cachedStatement(sql: "DELETE FROM records WHERE key = ?")
        for (key, value) in records {
          if let value {
            try set.execute(arguments: [key, String(decoding: value, as: UTF8.self)])
          } else {
            try remove.execute(arguments: [key])
          }
        }
      }
    } catch {
      throw JournalError(error, path: path, calling: "the file")
    }
  }
}
