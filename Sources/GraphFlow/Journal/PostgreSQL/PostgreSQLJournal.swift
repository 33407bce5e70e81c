internal import Synchronization

/// A run's events in a database.
///
/// An append is one statement, and so one transaction, which also checks that this session still has
/// the run. A durable append waits until the server has synced it (`synchronous_commit`); the others do
/// not. If the connection breaks, it is unknown whether the last append was stored, and a server that
/// has crashed may have lost the ones before it that were not durable. So the rows since the last
/// durable append are kept, and what is missing is appended again.
package final class PostgreSQLJournal: RunJournal {
  /// After this number of bytes an append is durable, to bound what is kept.
  private static let maximumUnsynced = 4 << 20
  private let session: PostgreSQLSession
  private let run: String
  private let reading: JournalReading
  private let state = Mutex(State())

  private struct State {
    /// The number and the checksum that the next row continues; nil if they were not read yet.
    var last: JournalRow.End?
    /// The rows since the last durable append, and their size.
    var unsynced: [JournalRow] = []
    var size = 0
    /// The connection that was used last.
    var generation = 0
    var fault: JournalError?
  }

  init(_ id: RunID, in session: PostgreSQLSession) {
    self.session = session
    run = id.description
    reading = JournalReading(PostgreSQLRows(id, in: session))
  }

  /// Appends all events or none.
  ///
  /// - Throws: `lockLost` if another process has taken over the run, `unavailable` if the server does
  ///   not answer before the lease ends; every further append then throws, too.
  package func append(_ events: [RunEvent], durably: Bool) async throws(JournalError) {
    try state.withLock { state throws(JournalError) in
      if let fault = state.fault { throw fault }
      guard !events.isEmpty else { return }
      do throws(JournalError) {
        try append(EventBlock(events), durably: durably, &state)
      } catch {
        state.fault = error
        throw error
      }
    }
  }

  private func append(
    _ block: EventBlock, durably: Bool, _ state: inout State
  ) throws(JournalError) {
    if state.last == nil {
      (state.last, state.generation) = try session.use { (try stored($0), $0.generation) }
    }
    let known = state.last ?? JournalRow.End()
    var checksum = known.checksum
    checksum.add(block.json, block.body)
    let row = JournalRow(
      number: known.number + 1, json: block.json, body: block.body, checksum: checksum.stored)
    let isDurable = durably || state.size + row.size > PostgreSQLJournal.maximumUnsynced
    state.generation = try session.use { use in
      let rows =
        use.generation == state.generation
        ? [row] : try missing(of: state.unsynced + [row], after: try stored(use))
      for missing in rows { try insert(missing, durably: isDurable, use) }
      return use.generation
    }
    state.last = JournalRow.End(number: row.number, checksum: checksum)
    state.unsynced.append(row)
    state.size += row.size
    if isDurable { (state.unsynced, state.size) = ([], 0) }
  }

  /// The rows that a server does not have whose last row is known.
  ///
  /// - Throws: `lockLost` if its last row is another one than this process has written.
  private func missing(
    of rows: [JournalRow], after stored: JournalRow.End
  ) throws(JournalError) -> [JournalRow] {
    if let last = rows.first(where: { $0.number == stored.number }) {
      guard last.checksum == stored.checksum.stored else {
        throw JournalError(lostAt: session.address)
      }
    } else if stored.number + 1 != rows.first?.number {
      throw JournalError(
        .damaged, path: session.address.place,
        message: "the database has lost entries of the run \(run) that it had synced")
    }
    return rows.filter { $0.number > stored.number }
  }

  /// The end of what the server has.
  private func stored(_ use: PostgreSQLSession.Use) throws -> JournalRow.End {
    let rows = try use.connection.execute(
      "SELECT number, checksum FROM graphflow.entries WHERE run = $1 ORDER BY number DESC LIMIT 1",
      [.text(run)]
    ).rows
    guard let number = rows.first?.integer(0), let checksum = rows.first?.integer(1) else {
      return JournalRow.End()
    }
    return JournalRow.End(number: number, checksum: RunningChecksum(stored: checksum))
  }

  /// Appends one row if this session has the run.
  private func insert(
    _ row: JournalRow, durably: Bool, _ use: PostgreSQLSession.Use
  ) throws {
    do {
      let changed = try use.connection.execute(
        """
        WITH own AS (SELECT FROM graphflow.runs WHERE id = $1 AND session = $2 FOR SHARE),
          setting AS (SELECT set_config('synchronous_commit', $7, true))
        INSERT INTO graphflow.entries (run, number, json, body, checksum)
        SELECT $1, $3::bigint, $4, $5::bytea, $6::bigint FROM own, setting
        """,
        [
          .text(run), use.session.map { .integer($0) } ?? .null, .integer(row.number),
          .text(row.json), row.body.map { .bytes($0) } ?? .null, .integer(row.checksum),
          .text(durably ? "on" : "off"),
        ]
      ).changed
      guard changed == 1 else { throw JournalError(lostAt: session.address) }
    } catch PostgreSQLError.refused("23505", _) {
      // Another process has appended a row with this number.
      throw JournalError(lostAt: session.address)
    }
  }

  package func fold<Value>(
    into initial: Value, _ update: (inout Value, RunEvent) -> Void
  ) async throws(JournalError) -> Value {
    var value = initial
    try reading.forEachEvent { update(&value, $0) }
    return value
  }

  /// A later append throws.
  package func close() async throws(JournalError) {
    let place = session.address.place
    state.withLock {
      $0.fault = JournalError(.cannotWrite, path: place, message: "the journal is closed")
    }
  }
}

extension JournalRow {
  /// How far a journal reaches.
  struct End {
    var number: Int64 = 0
    var checksum = RunningChecksum()
  }

  fileprivate var size: Int { json.count + (body?.count ?? 0) }
}

/// The rows in a database.
struct PostgreSQLRows: JournalRows {
  private static let columns = "SELECT number, json, body, checksum FROM graphflow.entries"
  /// The number of rows that are in memory at a time.
  private static let page: Int64 = 100
  private let run: String
  private let session: PostgreSQLSession

  init(_ id: RunID, in session: PostgreSQLSession) {
    (run, self.session) = (id.description, session)
  }

  var place: String { session.address.place }

  func forEach(
    after number: Int64, _ visit: (JournalRow) throws(JournalError) -> Bool
  ) throws(JournalError) {
    var last = number
    while true {
      let page = try rows(
        "AND number > $2 ORDER BY number LIMIT $3", .integer(last), .integer(PostgreSQLRows.page))
      for row in page {
        guard row.number == last + 1 else {
          throw JournalError(.damaged, path: place, message: "entry \(last + 1) is lost")
        }
        last = row.number
        guard try visit(row) else { return }
      }
      if page.count < PostgreSQLRows.page { return }
    }
  }

  func first() throws(JournalError) -> JournalRow? { try rows("ORDER BY number LIMIT 1").first }

  func last(containing text: String?) throws(JournalError) -> JournalRow? {
    let order = "ORDER BY number DESC LIMIT 1"
    guard let text else { return try rows(order).first }
    return try rows("AND position($2 IN json) > 0 \(order)", .text(text)).first
  }

  func count(containing text: String, limit: Int64) throws(JournalError) -> Int64 {
    let sql = """
      SELECT count(*) FROM (SELECT FROM graphflow.entries
      WHERE run = $1 AND position($2 IN json) > 0 LIMIT $3) AS found
      """
    return try session.use { use in
      try use.connection.execute(
        sql, [.text(run), .text(text), .integer(limit)], within: .seconds(60)
      ).rows.first?.integer(0) ?? 0
    }
  }

  func checksum(of number: Int64) throws(JournalError) -> Int64? {
    try rows("AND number = $2", .integer(number)).first?.checksum
  }

  private func rows(
    _ condition: String, _ values: PostgreSQLConnection.Value...
  ) throws(JournalError) -> [JournalRow] {
    let found = try session.use { use in
      try use.connection.execute(
        "\(PostgreSQLRows.columns) WHERE run = $1 \(condition)", [.text(run)] + values,
        within: .seconds(60)
      ).rows
    }
    return try found.map { row throws(JournalError) in
      guard let number = row.integer(0), let json = row[1], let checksum = row.integer(3) else {
        throw JournalError(.damaged, path: place, message: "an entry cannot be read")
      }
      return JournalRow(number: number, json: json, body: row[2], checksum: checksum)
    }
  }
}
