internal import CSQLite
internal import Synchronization

/// An error of SQLite, without the values of a statement.
struct SQLiteError: Error {
  /// The primary result code, such as `SQLITE_BUSY`.
  let code: Int32
  let message: String
}

/// A connection to a SQLite file.
///
/// It serializes its users: each closure has the connection to itself. Statements are prepared once
/// and kept. Source: SQLite, "C-language Interface Specification".
final class SQLite: Sendable {
  private let connection: Mutex<Connection>

  /// Opens or creates a file with untrusted contents.
  ///
  /// - Parameters:
  ///   - path: the path; `:memory:` is a database that exists only in this connection.
  ///   - milliseconds: how long a statement waits for the locks of other processes.
  ///   - pragmas: statements to execute first.
  /// - Throws: ``SQLiteError``.
  init(path: String, waiting milliseconds: Int32, _ pragmas: String = "") throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    // A connection that could not be opened has an error, too, unless there was no memory for it.
    guard let handle else { throw SQLiteError(code: code, message: "out of memory") }
    let connection = Connection(handle)
    try connection.check(code)
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, milliseconds)
    try connection.execute(
      "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; \(pragmas)")
    self.connection = Mutex(connection)
  }

  /// Calls a closure with the connection; each statement is a transaction.
  func use<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value {
    try connection.withLock { connection in try body(connection) }
  }

  /// Calls a closure in a transaction, which is rolled back if the closure throws.
  func transaction<Value: Sendable>(
    _ kind: TransactionKind, _ body: (Connection) throws -> Value
  ) throws -> Value {
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

  enum TransactionKind: String {
    /// Sees one state of the file.
    case read = "DEFERRED"
    case write = "IMMEDIATE"
  }

  /// Closes the file; later statements throw.
  func close() throws { try use { connection in try connection.close() } }
}

extension SQLite {
  /// The connection itself, for its user of the moment.
  final class Connection {
    private var handle: OpaquePointer?
    private var statements: [String: Statement] = [:]

    fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

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
      for statement in statements.values { statement.finalize() }
      statements = [:]
      try check(sqlite3_close(handle))
      handle = nil
    }

    fileprivate func check(_ code: Int32) throws {
      guard code != SQLITE_OK, code != SQLITE_ROW, code != SQLITE_DONE else { return }
      let message = handle.map { String(cString: sqlite3_errmsg($0)) }
      throw SQLiteError(
        code: code & 0xFF, message: message ?? String(cString: sqlite3_errstr(code)))
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

    fileprivate func finalize() { sqlite3_finalize(handle) }

    /// Executes the statement with these values.
    func execute(_ values: Value...) throws { try rows(values) { _ in true } }

    /// Visits the rows of the result until the visitor returns false.
    func rows(_ values: [Value] = [], _ visit: (Row) throws -> Bool) throws {
      defer {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
      }
      for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
      while true {
        let code = sqlite3_step(handle)
        try connection.check(code)
        guard code == SQLITE_ROW, try visit(Row(handle: handle)) else { return }
      }
    }

    /// SQLite copies the bytes (`SQLITE_TRANSIENT`).
    private func bind(_ value: Value, at index: Int32) throws {
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      switch value {
      case .integer(let integer): try connection.check(sqlite3_bind_int64(handle, index, integer))
      case .blob(nil): try connection.check(sqlite3_bind_null(handle, index))
      case .text(let bytes):
        try bytes.withUnsafeBytes { bytes in
          try connection.check(
            sqlite3_bind_text64(
              handle, index, bytes.baseAddress, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8)))
        }
      case .blob(let bytes?):
        try bytes.withUnsafeBytes { bytes in
          try connection.check(
            sqlite3_bind_blob64(
              handle, index, bytes.baseAddress, UInt64(bytes.count), copied))
        }
      }
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
      let start = sqlite3_column_blob(handle, column)
      let count = Int(sqlite3_column_bytes(handle, column))
      return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
  }
}
