/// Reads a run's journal without changing it, whether the run is active or not.
package struct JournalReading: Sendable {
  private let file: SQLite
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

  /// All events, in order, as they were written.
  ///
  /// - Throws: `damaged` if a row is not what was written.
  package func events() throws(JournalError) -> [RunEvent] {
    var events: [RunEvent] = []
    try forEachEvent { events.append($0) }
    return events
  }

  /// The events after an entry, and the number of the last entry: for what watches an active run.
  ///
  /// The checksums are not checked, because that would need every entry.
  ///
  /// - Throws: `damaged` if an entry cannot be read.
  package func events(
    after entry: Int64
  ) throws(JournalError) -> (events: [RunEvent], last: Int64) {
    try read(ifEmpty: ([], entry)) { connection in
      var (found, last): ([RunEvent], Int64) = ([], entry)
      try connection.statement("SELECT json, body, seq FROM events WHERE seq > ? ORDER BY seq")
        .rows(
          [.integer(entry)]
        ) { row in
          guard let json = row.bytes(0), let number = row.integer(2) else {
            throw damage("an entry is lost")
          }
          found += try events(in: json, row.bytes(1), of: "entry \(number)")
          last = number
          return true
        }
      return (found, last)
    }
  }

  /// Visits all events, in order; only those of one row are in memory at a time.
  ///
  /// - Throws: `damaged` if a row is not what was written.
  package func forEachEvent(_ visit: (RunEvent) -> Void) throws(JournalError) {
    try read(ifEmpty: ()) { connection in
      var number: Int64 = 0
      var checksum = RunningChecksum()
      try connection.statement("SELECT json, body, seq, seal FROM events ORDER BY seq").rows {
        row in
        number += 1
        guard row.integer(2) == number, let json = row.bytes(0), let stored = row.integer(3) else {
          throw damage("entry \(number) is lost")
        }
        let body = row.bytes(1)
        checksum.add(json, body)
        guard checksum.stored == stored else {
          throw damage("entry \(number) is not what was written")
        }
        for event in try events(in: json, body, of: "entry \(number)") { visit(event) }
        return true
      }
    }
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
    JournalError(.damaged, path: file.path, message: message)
  }

  /// The first event and the last one: the start of the run and, if it has ended, its end.
  ///
  /// This takes nearly the same time for a million requests as for ten. The checksums are not checked,
  /// because that would need every event.
  ///
  /// - Throws: `damaged` if one of them cannot be read.
  package func firstAndLastEvents() throws(JournalError) -> (first: RunEvent?, last: RunEvent?) {
    (
      try entry("seq = (SELECT min(seq) FROM events)").first,
      try entry("seq = (SELECT max(seq) FROM events)").last
    )
  }

  /// The last start event, which names the current file of the run; nil if the run never started.
  ///
  /// - Throws: `damaged` if the event cannot be read.
  package func start() throws(JournalError) -> RunStart? {
    for event in try entry(JournalReading.isStart).reversed() {
      if case .runStarted(let start) = event { return start }
    }
    return nil
  }

  /// Whether the run was continued with a changed file.
  package func hasChangedFile() throws(JournalError) -> Bool {
    try count(JournalReading.isStart) > 1
  }

  /// Whether the run was continued, so that requests may have several ends.
  package func wasResumed() throws(JournalError) -> Bool {
    try count("instr(json, '\"event\":\"run_resumed\"') > 0") > 0
  }

  private func count(_ condition: String) throws(JournalError) -> Int64 {
    try read(ifEmpty: 0) { connection in
      try connection.integer("SELECT count(*) FROM events WHERE \(condition)") ?? 0
    }
  }

  /// The condition for rows with a start event, of a run or of a changed file.
  private static let isStart = "instr(json, '\"event\":\"run_started\"') > 0"

  /// The events of the last row that meets a condition; none if there is no such row.
  private func entry(_ condition: String) throws(JournalError) -> [RunEvent] {
    try read(ifEmpty: []) { connection in
      let row = try connection.first(
        "SELECT json, body FROM events WHERE \(condition) ORDER BY seq DESC LIMIT 1"
      ) { ($0.bytes(0), $0.bytes(1)) }
      guard case (let json?, let body)? = row else { return [] }
      return try events(in: json, body, of: "an entry")
    }
  }

  /// Whether any request was ever in doubt, or the end of a journal is missing.
  ///
  /// False is certain; true can be outdated by later events.
  package func mayContainDoubt() throws(JournalError) -> Bool {
    try read(ifEmpty: false) { connection in
      try connection.integer(
        """
        SELECT 1 FROM events
        WHERE instr(json, '"status":"in_doubt"') > 0 OR instr(json, '"event":"end_lost"') > 0 LIMIT 1
        """) != nil
    }
  }

  /// The number of the last entry, and the running checksum of the entry with a number.
  ///
  /// - Throws: `damaged` if it cannot be read.
  func extent(at entry: Int64) throws(JournalError) -> JournalEvidence.Journal {
    try read(ifEmpty: .entries(last: 0, checksumAtMark: nil)) { connection in
      let last = try connection.integer("SELECT max(seq) FROM events") ?? 0
      let checksum = try connection.integer(
        "SELECT seal FROM events WHERE seq = ?", .integer(entry))
      return .entries(last: last, checksumAtMark: checksum)
    }
  }

  private func read<Value: Sendable>(
    ifEmpty none: Value, _ body: (SQLite.Connection) throws -> Value
  ) throws(JournalError) -> Value {
    isEmpty ? none : try file.transaction(.read, body)
  }
}
