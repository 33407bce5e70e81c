/// Reads a run's journal without changing it, whether the run is active or not.
package struct JournalReading: Sendable {
  private let rows: any JournalRows

  init(_ rows: some JournalRows) { self.rows = rows }

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
    var (found, last): ([RunEvent], Int64) = ([], entry)
    try rows.forEach(after: entry) { row throws(JournalError) in
      found += try events(in: row)
      last = row.number
      return true
    }
    return (found, last)
  }

  /// Visits all events, in order; only those of one row are in memory at a time.
  ///
  /// - Throws: `damaged` if a row is not what was written.
  package func forEachEvent(_ visit: (RunEvent) -> Void) throws(JournalError) {
    var checksum = RunningChecksum()
    try rows.forEach(after: 0) { row throws(JournalError) in
      checksum.add(row.json, row.body)
      guard checksum.stored == row.checksum else {
        throw damage("entry \(row.number) is not what was written")
      }
      for event in try events(in: row) { visit(event) }
      return true
    }
  }

  /// The first event and the last one: the start of the run and, if it has ended, its end.
  ///
  /// This takes nearly the same time for a million requests as for ten. The checksums are not checked,
  /// because that would need every event.
  ///
  /// - Throws: `damaged` if one of them cannot be read.
  package func firstAndLastEvents() throws(JournalError) -> (first: RunEvent?, last: RunEvent?) {
    (
      try events(in: try rows.first()).first, try events(in: try rows.last(containing: nil)).last
    )
  }

  /// The last start event, which names the current file of the run; nil if the run never started.
  ///
  /// - Throws: `damaged` if the event cannot be read.
  package func start() throws(JournalError) -> RunStart? {
    for event in try events(in: rows.last(containing: JournalReading.start)).reversed() {
      if case .runStarted(let start) = event { return start }
    }
    return nil
  }

  /// Whether the run was continued with a changed file.
  package func hasChangedFile() throws(JournalError) -> Bool {
    try rows.count(containing: JournalReading.start, limit: 2) > 1
  }

  /// Whether the run was continued, so that requests may have several ends.
  package func wasResumed() throws(JournalError) -> Bool {
    try contains(#""event":"run_resumed""#)
  }

  /// Whether any request was ever in doubt, or the end of a journal is missing.
  ///
  /// False is certain; true can be outdated by later events.
  package func mayContainDoubt() throws(JournalError) -> Bool {
    if try contains(#""status":"in_doubt""#) { return true }
    return try contains(#""event":"end_lost""#)
  }

  /// The number of the last entry, and the running checksum of the entry with a number.
  ///
  /// - Throws: `damaged` if it cannot be read.
  func extent(at entry: Int64) throws(JournalError) -> JournalEvidence.Journal {
    .entries(
      last: try rows.last(containing: nil)?.number ?? 0,
      checksumAtMark: try rows.checksum(of: entry))
  }

  /// The text of a start event, of a run or of a changed file.
  private static let start = #""event":"run_started""#

  private func contains(_ text: String) throws(JournalError) -> Bool {
    try rows.count(containing: text, limit: 1) > 0
  }

  /// The events of a row; none without a row.
  private func events(in row: JournalRow?) throws(JournalError) -> [RunEvent] {
    guard let row else { return [] }
    do throws(EventDecodingError) {
      return try EventBlock.events(in: row.json, body: row.body)
    } catch {
      throw damage("entry \(row.number) cannot be read: \(error.message)")
    }
  }

  private func damage(_ message: String) -> JournalError {
    JournalError(.damaged, path: rows.place, message: message)
  }
}
