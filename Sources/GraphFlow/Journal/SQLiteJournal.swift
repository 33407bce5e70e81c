internal import GraphAPI
internal import Synchronization

/// A run's events in a SQLite file.
///
/// The file is in WAL mode. A durable append is synced before it returns (`synchronous=FULL`). The
/// others are not synced; the next durable append also makes them durable, because the whole file is
/// synced.
///
/// This is a class with a lock rather than an actor, because two thread switches for each append would
/// cost as much as the append.
package final class SQLiteJournal: RunJournal {
  private let file: SQLite
  private let reading: JournalReading
  private let identity: FileIdentity?
  private let mark: IntentFile?
  private let isWAL: Bool
  private let state = Mutex(State())

  /// The mutable state.
  fileprivate struct State {
    var isSyncing = true
    var reservedSpace: ReservedSpace?
    var fault: JournalError?
    /// The last row; nil if it was not read yet, or may have changed.
    var last: LastRow?
    /// Whether this process has synced or created the mark: a mark that was restored from an older copy
    /// must not reappear after a power failure.
    var hasSyncedMark = false
    /// The requests that write, from the last start event that was written or read; nil before it.
    var writes: Set<Int>?
  }

  /// The number and the checksum that the next row continues.
  fileprivate struct LastRow: Sendable {
    var number: Int64 = 0
    var checksum = RunningChecksum()
  }

  /// A journal that exists only in this process.
  package static func inMemory() throws(JournalError) -> SQLiteJournal {
    try SQLiteJournal(path: ":memory:", identity: nil, mark: nil)
  }

  /// Opens the file at `path`, which may still be empty; `mark` records how far it reaches.
  ///
  /// - Throws: `notFound`, `damaged`, `otherVersion`, `locked` or `cannotWrite`.
  convenience init(path: String, mark: IntentFile?) throws(JournalError) {
    guard let identity = try FileIdentity(path) else {
      throw JournalError(.notFound, path: path, message: "there is no journal")
    }
    try self.init(path: path, identity: identity, mark: mark)
  }

  private init(path: String, identity: FileIdentity?, mark: IntentFile?) throws(JournalError) {
    // A row with the bodies of a call needs several pages; SQLite's standard size is half of this.
    // Rows are only appended, so pages that were written are not needed again: 512 KiB are cached.
    file = try SQLite(
      path: path, waiting: 5000, "PRAGMA page_size = 8192; PRAGMA cache_size = -512")
    try JournalSchema.prepare(file)
    reading = JournalReading(SQLiteRows(file))
    isWAL = try file.use { connection in
      let mode = try connection.text("PRAGMA journal_mode = WAL")
      try SQLiteJournal.setSyncing(true, in: connection, path: path)
      return mode == "wal"
    }
    self.identity = identity
    self.mark = mark
  }

  /// Appends all events or none, in one transaction; on a full disk, those before the first intent.
  ///
  /// A durable append also updates the mark, after the journal was synced, so that the mark is never
  /// ahead of the journal.
  ///
  /// - Throws: `cannotWrite` if the disk is full or fails. After a failure every further append throws,
  ///   because the cached state of the file is unknown. After a full disk the next append may succeed:
  ///   1 MiB of disk space is reserved for outcomes, but not for intents.
  package func append(_ events: [RunEvent], durably: Bool) async throws(JournalError) {
    try state.withLock { state throws(JournalError) in
      if let fault = state.fault { throw fault }
      guard !events.isEmpty else { return }
      try identity?.check()
      if state.reservedSpace == nil, identity != nil {
        state.reservedSpace = try ReservedSpace(beside: file.path)
      }
      do throws(JournalError) {
        try write(events, durably: durably, &state)
      } catch {
        let outcomes = events.prefix { !$0.isIntent }
        guard error.isDiskFull, !outcomes.isEmpty else { throw error }
        // Again, after the reserved space was released.
        state.reservedSpace?.release()
        try write(Array(outcomes), durably: durably, &state)
        if outcomes.count < events.count { throw error }
      }
      if durably { try updateMark(after: events, &state) }
    }
  }

  /// Records in the mark how far the journal reaches; synced before a write is sent.
  ///
  /// The start of a run is also moved into the main file, where it does not depend on the WAL.
  private func updateMark(after events: [RunEvent], _ state: inout State) throws(JournalError) {
    for event in events { state.recordWrites(of: event) }
    guard let mark, let last = state.last else { return }
    do throws(JournalError) {
      if last.number == 1 { try checkpoint() }
      try mark.update(
        entry: last.number, checksum: last.checksum.stored,
        isSynced: (!state.hasSyncedMark && last.number > 1)
          || events.contains { state.isIntentOfWrite($0) })
      state.hasSyncedMark = true
    } catch {
      state.fault = error
      throw error
    }
  }

  /// Moves the WAL into the main file and syncs it, except for parts that a reader needs.
  private func checkpoint() throws(JournalError) {
    try file.use { try $0.execute("PRAGMA wal_checkpoint(PASSIVE)") }
  }

  /// Folds all events, in order; only those of one row are in memory at a time.
  ///
  /// - Throws: `damaged` if a row is not what was written.
  package func fold<Value>(
    into initial: Value, _ update: (inout Value, RunEvent) -> Void
  ) async throws(JournalError) -> Value {
    var value = initial
    var start: RunEvent?
    try reading.forEachEvent { event in
      update(&value, event)
      if case .runStarted = event { start = event }
    }
    if let start { state.withLock { $0.recordWrites(of: start) } }
    return value
  }

  /// Whether the last append was synced before it returned.
  var syncsCommits: Bool {
    get throws(JournalError) { try file.use { try $0.integer("PRAGMA synchronous") == 2 } }
  }

  /// Closes the file and releases the reserved space; a later append throws.
  package func close() async throws(JournalError) {
    state.withLock { $0.reservedSpace?.release() }
    try file.close()
  }

  private func write(_ events: [RunEvent], durably: Bool, _ state: inout State) throws(JournalError)
  {
    let needsSync = durably || !isWAL
    let (known, isSyncing) = (state.last, state.isSyncing)
    state.last = nil
    do throws(JournalError) {
      state.last = try file.use { connection in
        if needsSync != isSyncing {
          try SQLiteJournal.setSyncing(needsSync, in: connection, path: file.path)
        }
        // One statement is a transaction. If another process has appended to the file, the row's
        // number already exists and the statement fails.
        return try SQLiteJournal.insert(events, after: known, into: connection)
      }
      state.isSyncing = needsSync
    } catch {
      if error.kind == .cannotWrite, !error.isDiskFull { state.fault = error }
      throw error
    }
  }

  /// Writes a row; returns it as the last one.
  private static func insert(
    _ events: [RunEvent], after known: LastRow?, into connection: SQLite.Connection
  ) throws -> LastRow {
    var last = try known ?? lastRow(of: connection)
    let block = EventBlock(events)
    last.number += 1
    last.checksum.add(block.json, block.body)
    try connection.statement("INSERT INTO events (seq, json, body, seal) VALUES (?, ?, ?, ?)")
      .execute(
        .integer(last.number), .text(block.json), .blob(block.body), .integer(last.checksum.stored))
    return last
  }

  private static func lastRow(of connection: SQLite.Connection) throws -> LastRow {
    let row = try connection.first("SELECT seq, seal FROM events ORDER BY seq DESC LIMIT 1") {
      ($0.integer(0), $0.integer(1))
    }
    guard case (let number?, let checksum?)? = row else { return LastRow() }
    return LastRow(number: number, checksum: RunningChecksum(stored: checksum))
  }

  /// Sets whether commits are synced, and verifies it, because SQLite ignores pragmas that it does not
  /// accept, and intents have to be durable.
  private static func setSyncing(
    _ isFull: Bool, in connection: SQLite.Connection, path: String
  ) throws {
    try connection.execute("PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")")
    guard try connection.integer("PRAGMA synchronous") == (isFull ? 2 : 1) else {
      throw JournalError(.cannotWrite, path: path, message: "SQLite refuses to sync commits")
    }
  }
}

extension SQLiteJournal.State {
  /// Records which requests write, if the event is the start of a run.
  fileprivate mutating func recordWrites(of event: RunEvent) {
    guard case .runStarted(let start) = event else { return }
    writes = Set(start.requests.indices.filter { start.requests[$0].method != .get })
  }

  /// Whether an event announces that a write will be sent; true if that is unknown.
  fileprivate func isIntentOfWrite(_ event: RunEvent) -> Bool {
    guard case .callStarted(let call) = event, call.kind.carriesOperations else { return false }
    guard let writes else { return true }
    return call.operations.contains { writes.contains($0.request) }
  }
}

extension RunEvent {
  /// Whether it announces a call.
  fileprivate var isIntent: Bool { if case .callStarted = self { true } else { false } }
}
