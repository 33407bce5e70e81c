internal import GRDB
internal import GraphAPI
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A run's events in a SQLite file.
///
/// The file is in WAL mode. A durable append is synced before it returns (`synchronous=FULL`); the
/// others are written without a sync, and the next durable one carries them to the disk with it,
/// for they are parts of one file that is synced as a whole.
///
/// A class with a lock rather than an actor: every call appends, and two changes of threads
/// each time would cost as much as the append.
package final class SQLiteJournal: Journal {
  private let queue: DatabaseQueue
  private let reading: JournalReading
  private let path: String
  private let file: FileIdentity?
  private let mark: IntentFile?
  private let isWAL: Bool
  private let state = Mutex(State())

  /// What changes.
  fileprivate struct State {
    var isSyncing = true
    var reservedSpace: ReservedSpace?
    var fault: JournalError?
    /// The last row; nil as long as the file was not asked, or may hold another.
    var last: LastRow?
    /// Whether this process has synced the mark, or made it: one that was put back from an older copy
    /// must not come back with a power cut.
    var hasSyncedMark = false
    /// The requests that write, by the last start that was written or read; nil before it.
    var writes: Set<Int>?
  }

  /// What the next row goes on from.
  fileprivate struct LastRow: Sendable {
    var number: Int64 = 0
    var checksum = RunningChecksum()
  }

  /// A journal that ends with the process.
  package static func inMemory() throws(JournalError) -> SQLiteJournal {
    try SQLiteJournal(path: ":memory:", file: nil, mark: nil)
  }

  /// Opens the file at `path`, which may still be empty, and notes in `mark` how far it reaches.
  ///
  /// - Throws: `notFound`, `damaged`, `otherVersion`, `locked` or `cannotWrite`.
  convenience init(path: String, mark: IntentFile?) throws(JournalError) {
    guard let file = try FileIdentity(path) else {
      throw JournalError(.notFound, path: path, message: "there is no journal")
    }
    try self.init(path: path, file: file, mark: mark)
  }

  private init(path: String, file: FileIdentity?, mark: IntentFile?) throws(JournalError) {
    do {
      queue = try DatabaseQueue(path: path, configuration: .distrustful(waiting: 5))
      try JournalSchema.prepare(queue, path: path)
      reading = JournalReading(queue, path: path)
      isWAL = try queue.writeWithoutTransaction { database in
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        try SQLiteJournal.setSyncing(true, in: database, path: path)
        return mode == "wal"
      }
    } catch {
      throw JournalError(error, path: path)
    }
    self.path = path
    self.file = file
    self.mark = mark
  }

  /// Appends events, all or none, in one transaction; on a full disk, what stands before the first
  /// intent.
  ///
  /// What is durable is noted in the mark before this returns: after the journal was synced, so that
  /// the mark is never ahead of it.
  ///
  /// - Throws: `cannotWrite` for a full or failing disk. After a failing disk every further append
  ///   throws: what the system holds of the file is no longer known. After a full one the next
  ///   append may succeed; outcomes have a reserve of 1 MiB, intents have not.
  package func append(_ events: [RunEvent], durably: Bool) async throws(JournalError) {
    try state.withLock { state throws(JournalError) in
      if let fault = state.fault { throw fault }
      guard !events.isEmpty else { return }
      try file?.check()
      if state.reservedSpace == nil, file != nil {
        state.reservedSpace = try ReservedSpace(beside: path)
      }
      do throws(JournalError) {
        try write(events, durably: durably, &state)
      } catch {
        let outcomes = events.prefix { !$0.isIntent }
        guard error.isDiskFull, !outcomes.isEmpty else { throw error }
        // Once more, after the reserve was given back to the disk.
        state.reservedSpace?.release()
        try write(Array(outcomes), durably: durably, &state)
        if outcomes.count < events.count { throw error }
      }
      if durably { try note(events, &state) }
    }
  }

  /// Says beside the run how far the journal has reached; synced before a write is sent.
  ///
  /// The start of a run is put into the main file as well, where it does not depend on the log.
  private func note(_ events: [RunEvent], _ state: inout State) throws(JournalError) {
    for event in events { state.note(event) }
    guard let mark, let last = state.last else { return }
    do throws(JournalError) {
      if last.number == 1 { try checkpoint() }
      try mark.note(
        entry: last.number,
        checksum: last.checksum.stored,
        isSynced: (!state.hasSyncedMark && last.number > 1)
          || events.contains { state.isIntentOfWrite($0) }
      )
      state.hasSyncedMark = true
    } catch {
      state.fault = error
      throw error
    }
  }

  /// Puts the log back into the main file, and syncs that; as far as no reader needs the log.
  private func checkpoint() throws(JournalError) {
    do {
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
    } catch {
      throw JournalError(error, path: path)
    }
  }

  /// All events, in order.
  ///
  /// - Throws: `damaged` if a row is not what was written.
  package func events() async throws(JournalError) -> [RunEvent] {
    try await fold(into: []) { $0.append($1) }
  }

  /// Folds all events, in order; only those of one row are in memory at a time.
  ///
  /// - Throws: `damaged` if a row is not what was written.
  package func fold<Value>(
    into initial: Value,
    _ receive: (inout Value, RunEvent) -> Void
  ) async throws(JournalError) -> Value {
    var value = initial
    try reading.forEachEvent { event in
      receive(&value, event)
      if case .runStarted = event { state.withLock { $0.note(event) } }
    }
    return value
  }

  /// Whether the last append was synced before it returned.
  var syncsCommits: Bool {
    get throws {
      try queue.read { try Int64.fetchOne($0, sql: "PRAGMA synchronous") == 2 }
    }
  }

  /// Closes the file and gives back the reserve; a later append throws.
  package func close() async throws(JournalError) {
    state.withLock { $0.reservedSpace?.release() }
    do { try queue.close() } catch { throw JournalError(error, path: path) }
  }

  private func write(
    _ events: [RunEvent],
    durably: Bool,
    _ state: inout State
  ) throws(JournalError) {
    let needsSync = durably || !isWAL
    let (known, isSyncing) = (state.last, state.isSyncing)
    state.last = nil
    do {
      state.last = try queue.writeWithoutTransaction { database in
        if needsSync != isSyncing {
          try SQLiteJournal.setSyncing(needsSync, in: database, path: path)
        }
        // One statement is a transaction by itself. Should another process have gone on with the
        // file, the row's number is taken and the statement fails.
        return try SQLiteJournal.insert(events, behind: known, into: database)
      }
      state.isSyncing = needsSync
    } catch {
      let fault = JournalError(error, path: path)
      if fault.kind == .cannotWrite, !fault.isDiskFull { state.fault = fault }
      throw fault
    }
  }

  /// Writes a row; returns it as the last one.
  private static func insert(
    _ events: [RunEvent],
    behind known: LastRow?,
    into database: Database
  ) throws -> LastRow {
    var last = try known ?? lastRow(of: database)
    let statement = try database.cachedStatement(
      sql: "INSERT INTO events (seq, json, body, seal) VALUES (?, ?, ?, ?)"
    )
    let block = EventBlock(events)
    last.number += 1
    last.checksum.add(block.json, block.body)
    statement.setUncheckedArguments([
      last.number, String(decoding: block.json, as: UTF8.self), block.body.map { Data($0) },
      last.checksum.stored,
    ])
    try statement.execute()
    return last
  }

  private static func lastRow(of database: Database) throws -> LastRow {
    let row = try Row.fetchOne(
      database,
      sql: "SELECT seq, seal FROM events ORDER BY seq DESC LIMIT 1"
    )
    guard let row, let number = Int64.fromDatabaseValue(row[0]),
      let checksum = Int64.fromDatabaseValue(row[1])
    else { return LastRow() }
    return LastRow(number: number, checksum: RunningChecksum(stored: checksum))
  }

  /// Sets how commits reach the disk, and reads it back, because a silent refusal would break the
  /// promise that an intent is durable.
  private static func setSyncing(_ isFull: Bool, in database: Database, path: String) throws {
    try database.execute(sql: "PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")")
    guard try Int64.fetchOne(database, sql: "PRAGMA synchronous") == (isFull ? 2 : 1) else {
      throw JournalError(.cannotWrite, path: path, message: "SQLite refuses to sync commits")
    }
  }
}

extension SQLiteJournal.State {
  /// Learns which requests write.
  fileprivate mutating func note(_ event: RunEvent) {
    guard case .runStarted(let start) = event else { return }
    writes = Set(start.requests.indices.filter { start.requests[$0].method != .get })
  }

  /// Whether an event says that a write will be sent; also if nobody knows.
  fileprivate func isIntentOfWrite(_ event: RunEvent) -> Bool {
    guard case .callStarted(let call) = event, call.kind == .batch || call.kind == .single else {
      return false
    }
    guard let writes else { return true }
    return call.operations.contains { writes.contains($0.request) }
  }
}

extension RunEvent {
  /// Whether it says that something will be sent.
  fileprivate var isIntent: Bool {
    if case .callStarted = self { true } else { false }
  }
}
