/// A row of a journal: the events of one append (``EventBlock``).
struct JournalRow {
  /// Counted from 1, without gaps.
  let number: Int64
  let json: [UInt8]
  let body: [UInt8]?
  /// The running checksum over all rows up to this one.
  let checksum: Int64
}

/// The rows of one run's journal, as a store reads them; whatever they hold.
protocol JournalRows: Sendable {
  /// Where they are, for messages.
  var place: String { get }

  /// Visits the rows after a number in order, until `visit` returns false.
  ///
  /// - Throws: the errors of reading and those of `visit`; `damaged` for a row that lacks a part.
  func forEach(
    after number: Int64, _ visit: (JournalRow) throws(JournalError) -> Bool
  ) throws(JournalError)

  /// The first row.
  func first() throws(JournalError) -> JournalRow?

  /// The last row, of those whose text contains another; nil for all.
  func last(containing text: String?) throws(JournalError) -> JournalRow?

  /// The number of rows whose text contains another, counted up to a limit.
  func count(containing text: String, limit: Int64) throws(JournalError) -> Int64

  /// The checksum of a row.
  func checksum(of number: Int64) throws(JournalError) -> Int64?
}

/// The rows in a file of SQLite.
struct SQLiteRows: JournalRows {
  private static let columns = "SELECT seq, json, body, seal FROM events"
  private let file: SQLite
  /// Whether the file has no table yet.
  private let isEmpty: Bool

  /// Opens the file at a path.
  ///
  /// - Throws: `notFound`, `damaged`, `otherVersion`, `locked` or `cannotCreate`.
  init(path: String) throws(JournalError) {
    guard try FileIdentity(path) != nil else {
      throw JournalError(.notFound, path: path, message: "there is no journal")
    }
    file = try SQLite(path: path, waiting: 5000, "PRAGMA query_only = ON")
    isEmpty = try !JournalSchema.check(file)
  }

  /// Reads a file that is already open and has its table.
  init(_ file: SQLite) { (self.file, isEmpty) = (file, false) }

  var place: String { file.path }

  func forEach(
    after number: Int64, _ visit: (JournalRow) throws(JournalError) -> Bool
  ) throws(JournalError) {
    try read(ifEmpty: ()) { connection in
      var last = number
      // All rows are read without a condition: a search would find no rows in a truncated file.
      let condition = number > 0 ? "WHERE seq > ?" : ""
      try connection.statement("\(SQLiteRows.columns) \(condition) ORDER BY seq").rows(
        number > 0 ? [.integer(number)] : []
      ) { found in
        let row = try row(found, after: last)
        last = row.number
        return try visit(row)
      }
    }
  }

  func first() throws(JournalError) -> JournalRow? { try row("ORDER BY seq LIMIT 1") }

  func last(containing text: String?) throws(JournalError) -> JournalRow? {
    let order = "ORDER BY seq DESC LIMIT 1"
    guard let text else { return try row(order) }
    return try row("WHERE instr(json, ?) > 0 \(order)", [.text(Array(text.utf8))])
  }

  func count(containing text: String, limit: Int64) throws(JournalError) -> Int64 {
    try read(ifEmpty: 0) { connection in
      try connection.integer(
        "SELECT count(*) FROM (SELECT 1 FROM events WHERE instr(json, ?) > 0 LIMIT ?)",
        .text(Array(text.utf8)), .integer(limit)) ?? 0
    }
  }

  func checksum(of number: Int64) throws(JournalError) -> Int64? {
    try read(ifEmpty: nil) { connection in
      try connection.integer("SELECT seal FROM events WHERE seq = ?", .integer(number))
    }
  }

  private func row(
    _ condition: String, _ values: [SQLite.Value] = []
  ) throws(JournalError) -> JournalRow? {
    try read(ifEmpty: nil) { connection in
      var row: JournalRow?
      try connection.statement("\(SQLiteRows.columns) \(condition)").rows(values) { found in
        row = try self.row(found, after: nil)
        return false
      }
      return row
    }
  }

  /// A row with all its parts, which follows the one before it.
  private func row(_ row: SQLite.Row, after last: Int64?) throws(JournalError) -> JournalRow {
    let name = last.map { "entry \($0 + 1)" } ?? "an entry"
    guard let number = row.integer(0), let json = row.bytes(1), let checksum = row.integer(3),
      last == nil || number == last.map({ $0 + 1 })
    else { throw JournalError(.damaged, path: place, message: "\(name) is lost") }
    return JournalRow(number: number, json: json, body: row.bytes(2), checksum: checksum)
  }

  private func read<Value: Sendable>(
    ifEmpty none: Value, _ body: (SQLite.Connection) throws -> Value
  ) throws(JournalError) -> Value {
    isEmpty ? none : try file.transaction(.read, body)
  }
}
