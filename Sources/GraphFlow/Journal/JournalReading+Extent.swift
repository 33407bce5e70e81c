internal import GRDB

extension JournalReading {
  /// How far the journal reaches, and what the entry with a number was sealed with.
  ///
  /// - Throws: `damaged` if it cannot be read.
  func extent(at entry: Int64) throws(JournalError) -> JournalEvidence.Journal {
    try read { database in
      guard !isEmpty else { return .entries(last: 0, sealAtMark: nil) }
      let last = try Int64.fetchOne(database, sql: "SELECT max(seq) FROM events") ?? 0
      let seal = try Int64.fetchOne(
        database,
        sql: "SELECT seal FROM events WHERE seq = ?",
        arguments: [entry]
      )
      return .entries(last: last, sealAtMark: seal)
    }
  }
}
