internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads a run's journal without changing it, whether the run is active or not.
package struct JournalReading: Sendable {
  private let queue: DatabaseQueue
  private let path: String
  private let isEmpty: Bool

  /// Opens the file at a path.
  ///
  /// - Throws: `notFound`, `damaged`, `otherVersion`, `locked` or `cannotCreate`.
  init(path: String) throws(JournalError) {
    guard try FileIdentity(path) != nil else {
      throw JournalError(.notFound, path: path, message: "there is no journal")
    }
    self.path = path
    do {
      queue = try DatabaseQueue(
        path: path, configuration: .untrusted(waiting: 5, "PRAGMA query_only = ON"))
      isEmpty = try !JournalSchema.check(queue, path: path)
    } catch {
      throw JournalError(error, path: path)
    }
  }

  /// Reads a file that is already open and has its table.
  init(_ queue: DatabaseQueue, path: String) {
    (self.queue, self.path, isEmpty) = (queue, path, false)
  }

  /// All events, in order, as they were written.
  ///
  /// - Throws: `damaged` if a row is not what was written.
  package func events() throws(JournalError) -> [RunEvent] {
    var events: [RunEvent] = []
    try forEachEvent { events.append($0) }
    return events
  }

  /// Visits all events, in order; only those of one row are in memory at a time.
  ///
  /// - Throws: `damaged` if a row is not what was written.
  func forEachEvent(_ visit: (RunEvent) -> Void) throws(JournalError) {
    guard !isEmpty else { return }
    try read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT json, body, seq, seal FROM events ORDER BY seq")
      var number = 0
      var checksum = RunningChecksum()
      while let row = try rows.next() {
        number += 1
        guard Int.fromDatabaseValue(row[2]) == number, let (json, body) = content(of: row),
          let stored = Int64.fromDatabaseValue(row[3])
        else { throw damage("entry \(number) is lost") }
        checksum.add(json, body)
        guard checksum.stored == stored else {
          throw damage("entry \(number) is not what was written")
        }
        for event in try events(in: json, body, of: "entry \(number)") { visit(event) }
      }
    }
  }

  /// The text and the bodies of a row; nil if it has no text.
  private func content(of row: Row) -> (json: [UInt8], body: [UInt8]?)? {
    guard let text = String.fromDatabaseValue(row[0]) else { return nil }
    return (Array(text.utf8), Data.fromDatabaseValue(row[1]).map { [UInt8]($0) })
  }

  private func events(
    in json: [UInt8], _ body: [UInt8]?, of entry: String
  ) throws(JournalError) -> [RunEvent] {
    do throws(EventDecodingError) {
      return try EventBlock.events(in: json, body: body)
    } catch {
      throw damage("\(entry) cannot be read: \(error.message)")
    }
  }

  private func damage(_ message: String) -> JournalError {
    JournalError(.damaged, path: path, message: message)
  }

  /// The first event and the last one: the start of the run and, if it has ended, its end.
  ///
  /// This takes nearly the same time for a million requests as for ten. The checksums are not checked,
  /// because that would need every event.
  ///
  /// - Throws: `damaged` if one of them cannot be read.
  package func firstAndLastEvents() throws(JournalError) -> (first: RunEvent?, last: RunEvent?) {
    guard !isEmpty else { return (nil, nil) }
    return (
      try entry("seq = (SELECT min(seq) FROM events)").first,
      try entry("seq = (SELECT max(seq) FROM events)").last
    )
  }

  /// The last start event, which names the current file of the run; nil if the run never started.
  ///
  /// - Throws: `damaged` if the event cannot be read.
  package func start() throws(JournalError) -> RunStart? {
    guard !isEmpty else { return nil }
    let events = try entry(JournalReading.isStart)
    for event in events.reversed() { if case .runStarted(let start) = event { return start } }
    return nil
  }

  /// Whether the run was continued with a changed file.
  package func hasChangedFile() throws(JournalError) -> Bool {
    guard !isEmpty else { return false }
    return try read { database in
      let starts = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM events WHERE \(JournalReading.isStart)")
      return (starts ?? 0) > 1
    }
  }

  /// The condition for rows with a start event, of a run or of a changed file.
  private static let isStart = "instr(json, '\"event\":\"run_started\"') > 0"

  /// The events of the last row that meets a condition; none if there is no such row.
  private func entry(_ condition: String) throws(JournalError) -> [RunEvent] {
    try read { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT json, body FROM events WHERE \(condition) ORDER BY seq DESC LIMIT 1")
      guard let (json, body) = row.flatMap(content(of:)) else { return [] }
      return try events(in: json, body, of: "an entry")
    }
  }

  /// Whether any request was ever in doubt, or the end of a journal is missing.
  ///
  /// False is certain; true can be outdated by later events.
  package func mayContainDoubt() throws(JournalError) -> Bool {
    guard !isEmpty else { return false }
    return try read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT 1 FROM events
          WHERE instr(json, '"status":"in_doubt"') > 0 OR instr(json, '"event":"end_lost"') > 0 LIMIT 1
          """) != nil
    }
  }

  /// The number of the last entry, and the running checksum of the entry with a number.
  ///
  /// - Throws: `damaged` if it cannot be read.
  func extent(at entry: Int64) throws(JournalError) -> JournalEvidence.Journal {
    guard !isEmpty else { return .entries(last: 0, checksumAtMark: nil) }
    return try read { database in
      let last = try Int64.fetchOne(database, sql: "SELECT max(seq) FROM events") ?? 0
      let checksum = try Int64.fetchOne(
        database, sql: "SELECT seal FROM events WHERE seq = ?", arguments: [entry])
      return .entries(last: last, checksumAtMark: checksum)
    }
  }

  private func read<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
    do { return try queue.read(body) } catch { throw JournalError(error, path: path) }
  }
}
