internal import CSQLite
internal import Synchronization

/// A connection to a SQLite file.
///
/// It serializes its users: each closure has the connection to itself. Statements are prepared once
/// and kept. Source: SQLite, "C-language Interface Specification".
final class SQLite: Sendable {
  let path: String
  private let name: String
  private let connection: Mutex<Connection>

  enum TransactionKind: String {
    /// Sees one state of the file.
    case read = "DEFERRED"
    case write = "IMMEDIATE"
  }

  /// Opens or creates a file with untrusted contents.
  ///
  /// - Parameters:
  ///   - path: the path; `:memory:` is a database that exists only in this connection.
  ///   - name: what the file is called in messages.
  ///   - milliseconds: how long a statement waits for the locks of other processes.
  ///   - pragmas: statements to execute first.
  /// - Throws: `damaged`, `locked`, `cannotCreate` or `cannotWrite`, as all methods.
  init(
    path: String, called name: String = "the journal", waiting milliseconds: Int32,
    _ pragmas: String = ""
  ) throws(JournalError) {
    (self.path, self.name) = (path, name)
    do {
      connection = Mutex(try Connection(path, waiting: milliseconds, pragmas))
    } catch {
      throw JournalError(error, path: path, calling: name)
    }
  }

  /// Calls a closure with the connection; each statement is a transaction.
  func use<Value: Sendable>(_ body: (Connection) throws -> Value) throws(JournalError) -> Value {
    do {
      return try connection.withLock { connection in try body(connection) }
    } catch {
      throw JournalError(error, path: path, calling: name)
    }
  }

  /// Calls a closure in a transaction, which is rolled back if the closure throws.
  func transaction<Value: Sendable>(
    _ kind: TransactionKind, _ body: (Connection) throws -> Value
  ) throws(JournalError) -> Value {
    try use { connection in
      try connection.execute("BEGIN \(kind.rawValue)")
      do {
        let value = try body(connection)
        try connection.execute("COMMIT")
        return value
      } catch {
        // After some errors SQLite has already rolled back.
        try? connection.execute("ROLLBACK")
        throw error
      }
    }
  }

  /// Closes the file; later statements throw.
  func close() throws(JournalError) { try use { connection in try connection.close() } }
}

/// An error of SQLite, without the values of a statement.
private struct SQLiteError: Error {
  /// The primary result code, such as `SQLITE_BUSY`.
  let code: Int32
  let message: String
}

extension JournalError {
  private static let diskFull = "the disk is full"

  /// Whether releasing the reserved space may help.
  var isDiskFull: Bool { kind == .cannotWrite && message == JournalError.diskFull }

  fileprivate init(_ error: any Error, path: String, calling name: String) {
    if let known = error as? JournalError {
      self = known
      return
    }
    let error = error as? SQLiteError ?? SQLiteError(code: SQLITE_ERROR, message: "\(error)")
    let (kind, message): (Kind, String) =
      switch error.code {
      case SQLITE_CORRUPT, SQLITE_NOTADB: (.damaged, "\(name) is damaged: \(error.message)")
      case SQLITE_BUSY, SQLITE_LOCKED: (.locked, "another process holds \(name)")
      case SQLITE_CANTOPEN: (.cannotCreate, error.message)
      case SQLITE_FULL: (.cannotWrite, JournalError.diskFull)
      default: (.cannotWrite, error.message)
      }
    self.init(kind, path: path, message: message)
  }
}

extension SQLite {
  /// The connection itself, for its user of the moment.
  final class Connection {
    private var handle: OpaquePointer?
    private var statements: [String: Statement] = [:]

    fileprivate init(_ path: String, waiting milliseconds: Int32, _ pragmas: String) throws {
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
      // A connection that could not be opened has to be closed, too; `deinit` does.
      try check(sqlite3_open_v2(path, &handle, flags, nil))
      sqlite3_extended_result_codes(handle, 1)
      sqlite3_busy_timeout(handle, milliseconds)
      try execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; \(pragmas)")
    }

    deinit { try? close() }

    /// Executes statements without results.
    func execute(_ sql: String) throws {
      try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// A statement that is prepared once; `?` stand for values.
    func statement(_ sql: String) throws -> Statement {
      if let statement = statements[sql] { return statement }
      var prepared: OpaquePointer?
      try check(sqlite3_prepare_v2(handle, sql, -1, &prepared, nil))
      guard let prepared else { throw SQLiteError(code: SQLITE_MISUSE, message: "no statement") }
      let statement = Statement(prepared, of: self)
      statements[sql] = statement
      return statement
    }

    /// A value of the first row of a result; nil if there is no row.
    func first<Found>(
      _ sql: String, _ values: [Value] = [], _ read: (Row) -> Found
    ) throws -> Found? {
      var found: Found?
      try statement(sql).rows(values) { row in
        found = read(row)
        return false
      }
      return found
    }

    /// The integer in the first column of the first row; nil without a row, and for another type.
    func integer(_ sql: String, _ values: Value...) throws -> Int64? {
      try first(sql, values) { $0.integer(0) } ?? nil
    }

    /// The text in the first column of the first row; nil without a row, and for another type.
    func text(_ sql: String) throws -> String? {
      try first(sql) { row in row.bytes(0).map { String(decoding: $0, as: UTF8.self) } } ?? nil
    }

    fileprivate func close() throws {
      // A connection with statements cannot be closed.
      statements = [:]
      try check(sqlite3_close(handle))
      handle = nil
    }

    fileprivate func check(_ code: Int32) throws {
      guard code != SQLITE_OK, code != SQLITE_ROW, code != SQLITE_DONE else { return }
      // Without a connection, as after `close()`, there is only the text of the code.
      let message = handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle)
      throw SQLiteError(code: code & 0xFF, message: message.map { String(cString: $0) } ?? "")
    }
  }

  /// A value for a `?` in a statement.
  enum Value {
    case integer(Int64)
    case text([UInt8])
    case blob([UInt8]?)
  }

  /// A prepared statement.
  final class Statement {
    private let handle: OpaquePointer
    private unowned let connection: Connection

    fileprivate init(_ handle: OpaquePointer, of connection: Connection) {
      (self.handle, self.connection) = (handle, connection)
    }

    deinit { sqlite3_finalize(handle) }

    /// Executes the statement with these values.
    func execute(_ values: Value...) throws { try rows(values) { _ in true } }

    /// Visits the rows of the result until the visitor returns false.
    func rows(_ values: [Value] = [], _ visit: (Row) throws -> Bool) throws {
      defer {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
      }
      try bind(values[...]) {
        while true {
          let code = sqlite3_step(handle)
          try connection.check(code)
          guard code == SQLITE_ROW, try visit(Row(handle: handle)) else { return }
        }
      }
    }

    /// Calls a closure with these values for the last `?`; SQLite does not copy their bytes
    /// (`SQLITE_STATIC`).
    private func bind(_ values: ArraySlice<Value>, _ body: () throws -> Void) throws {
      guard let value = values.first else { return try body() }
      let (index, rest) = (Int32(values.startIndex + 1), values.dropFirst())
      switch value {
      case .integer(let integer): try connection.check(sqlite3_bind_int64(handle, index, integer))
      case .blob(nil): try connection.check(sqlite3_bind_null(handle, index))
      // Without an address, SQLite would store a null.
      case .blob(let bytes?) where bytes.isEmpty:
        try connection.check(sqlite3_bind_zeroblob(handle, index, 0))
      case .text(let bytes):
        return try bytes.withUnsafeBytes { bytes in
          try connection.check(
            sqlite3_bind_text64(
              handle, index, bytes.baseAddress, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8)))
          try bind(rest, body)
        }
      case .blob(let bytes?):
        return try bytes.withUnsafeBytes { bytes in
          try connection.check(
            sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil))
          try bind(rest, body)
        }
      }
      try bind(rest, body)
    }
  }

  /// The current row of a result; it is valid until the visitor returns.
  struct Row {
    fileprivate let handle: OpaquePointer

    /// The integer in a column; nil for another type.
    func integer(_ column: Int32) -> Int64? {
      guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
      return sqlite3_column_int64(handle, column)
    }

    /// The bytes of a text or a blob; nil for another type.
    func bytes(_ column: Int32) -> [UInt8]? {
      let type = sqlite3_column_type(handle, column)
      guard type == SQLITE_TEXT || type == SQLITE_BLOB else { return nil }
      // There is no address for an empty blob.
      guard let start = sqlite3_column_blob(handle, column) else { return [] }
      let count = Int(sqlite3_column_bytes(handle, column))
      return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
  }
}
