internal import GRDB

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads a run's journal without changing it, whether the run is under way or not.
public struct JournalReading: Sendable {
  private let queue: DatabaseQueue
  private let path: String
  let isEmpty: Bool

  /// Opens the file at a path.
  ///
  /// - Throws: `notFound`, `damaged`, `otherVersion`, `locked` or `cannotCreate`.
  init(path: String) throws(JournalError) {
    guard try FileIdentity(path) != nil else {
      throw JournalError(.notFound, path: path, message: "there is no journal")
    }
    self.path = path
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(5)
      configuration.prepareDatabase { database in
        try database.execute(
          sql: """
            PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON
            """
        )
      }
      queue = try DatabaseQueue(path: path, configuration: configuration)
      isEmpty = try !JournalSchema.check(queue, path: path)
    } catch {
      throw JournalError(error, path: path)
    }
  }

  /// All events, in order, as they were written.
  ///
  /// - Throws: `damaged` if a row is not what was written.
  public func events() throws(JournalError) -> [RunEvent] {
    guard !isEmpty else { return [] }
    let path = path
    return try read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: "SELECT seq, json, body, seal FROM events ORDER BY seq"
      )
      var events: [RunEvent] = []
      var number = 0
      var seal = EventSeal()
      while let row = try rows.next() {
        number += 1
        events += try RunEvent.events(in: row, number: number, seal: &seal, path: path)
      }
      return events
    }
  }

  /// The events that say how the run began and, if nothing came after it, how it ended.
  ///
  /// Takes the same time for a run of a million requests as for one of ten, or nearly. The seals are not
  /// checked: that would need every event.
  ///
  /// - Throws: `damaged` if one of them cannot be read.
  public func ends() throws(JournalError) -> (first: RunEvent?, last: RunEvent?) {
    guard !isEmpty else { return (nil, nil) }
    return (
      try entry("seq = (SELECT min(seq) FROM events)").first,
      try entry("seq = (SELECT max(seq) FROM events)").last
    )
  }

  /// How the run began, with the last of its files if the file has changed; nil if it never began.
  ///
  /// - Throws: `damaged` if the event cannot be read.
  public func start() throws(JournalError) -> RunStart? {
    guard !isEmpty else { return nil }
    let events = try entry(JournalReading.isStart)
    for event in events.reversed() {
      if case .runStarted(let start) = event { return start }
    }
    return nil
  }

  /// Whether the run went on with another file than the one that it began with.
  public func hasChanged() throws(JournalError) -> Bool {
    guard !isEmpty else { return false }
    return try read { database in
      let starts = try Int.fetchOne(
        database,
        sql: "SELECT count(*) FROM events WHERE \(JournalReading.isStart)"
      )
      return (starts ?? 0) > 1
    }
  }

  /// Whether a row holds the beginning of a run or of a changed file.
  private static let isStart = "instr(json, '\"event\":\"run_started\"') > 0"

  /// The events of the last row of which something is true; none if there is no such row.
  private func entry(_ condition: String) throws(JournalError) -> [RunEvent] {
    let path = path
    return try read { database -> [RunEvent] in
      let row = try Row.fetchOne(
        database,
        sql: "SELECT json, body FROM events WHERE \(condition) ORDER BY seq DESC LIMIT 1"
      )
      guard let row, let text = String.fromDatabaseValue(row[0]) else { return [] }
      let body = Data.fromDatabaseValue(row[1]).map { [UInt8]($0) }
      do throws(EventFault) {
        return try EventBlock.events(in: Array(text.utf8), body: body)
      } catch {
        throw JournalError(
          .damaged,
          path: path,
          message: "an entry cannot be read: \(error.message)"
        )
      }
    }
  }

  /// Whether any request ended in doubt at some time, or the end of a journal was lost; false is
  /// certain, true is not the last word.
  public func holdsDoubt() throws(JournalError) -> Bool {
    guard !isEmpty else { return false }
    return try read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT 1 FROM events
          WHERE instr(json, '"status":"in_doubt"') > 0 OR instr(json, '"event":"end_lost"') > 0 LIMIT 1
          """
      ) != nil
    }
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
    do { return try queue.read(body) } catch { throw JournalError(error, path: path) }
  }
}
