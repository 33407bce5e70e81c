/// How the times that runs share become times of this run, and back: they are by Graph's clock, the
/// only one that all of them can read.
///
/// Until an answer has told the time this machine's clock is taken for Graph's. If it is behind what
/// others have noted, or behind the run's own journal, it is certainly wrong: what others say of
/// limits does not count then until an answer tells how old it is.
struct SharedTime: Sendable {
  /// Answers of one process may be off by this much from those of another: whole seconds, and the
  /// way.
  static let uncertainty = Duration.seconds(4)
  /// How far a clock may be off without being called wrong.
  private static let margin = Duration.seconds(60)

  /// How far Graph's clock is ahead of the run's.
  private(set) var lead = Duration.zero
  private var isKnown = false
  /// Whether this machine's clock is behind the run's own journal.
  private var lagsJournal = false

  /// Compares this machine's clock with the latest moment that the run's journal names.
  mutating func compare(_ now: Timestamp, withJournalUpTo latest: Timestamp) {
    lagsJournal = now.advanced(by: Self.margin) < latest
  }

  /// Takes in how far Graph's clock is ahead, once it is known.
  ///
  /// - Returns: by how much the times have to be moved that came from others before; nil if nothing
  ///   has changed.
  mutating func record(_ lead: Duration?) -> Duration? {
    guard let lead else { return nil }
    let difference = Duration.milliseconds(abs((lead - self.lead).milliseconds))
    guard !isKnown || difference > Self.margin else { return nil }
    defer { (self.lead, isKnown) = (lead, true) }
    return isKnown ? .zero : self.lead - lead
  }

  /// Takes what others have noted.
  ///
  /// - Parameters:
  ///   - book: what they have noted, by Graph's clock.
  ///   - now: the time of the run.
  /// - Returns: the same in times of this run.
  func reading(_ book: QuotaSnapshot, at now: Timestamp) -> QuotaSnapshot {
    var book = book.moved(by: .zero - lead)
    let limit = now.advanced(by: Self.margin)
    let lags =
      lagsJournal || book.records.values.contains { $0.changedAt.map { $0 > limit } ?? false }
    if lags, !isKnown { book.records = [:] }
    return book
  }
}

extension QuotaSnapshot {
  /// The book with all times moved.
  func moved(by distance: Duration) -> QuotaSnapshot {
    guard distance != .zero else { return self }
    var book = self
    book.records = records.mapValues { $0.moved(by: distance) }
    return book
  }
}

extension QuotaRecord {
  /// The record with all times moved.
  func moved(by distance: Duration) -> QuotaRecord {
    var record = self
    record.readAt = readAt?.advanced(by: distance)
    record.capacityFoundAt = capacityFoundAt?.advanced(by: distance)
    record.silentUntil = silentUntil?.advanced(by: distance)
    record.silentSince = silentSince?.advanced(by: distance)
    record.changedAt = changedAt?.advanced(by: distance)
    record.history = history.moved(by: distance)
    return record
  }
}

extension OperationHistory {
  /// The history with all minutes moved, to the nearest.
  fileprivate func moved(by distance: Duration) -> OperationHistory {
    let minutes = Int64((Double(distance.milliseconds) / 60_000).rounded())
    guard minutes != 0 else { return self }
    return OperationHistory(
      counts: Dictionary(uniqueKeysWithValues: counts.map { ($0.key + minutes, $0.value) })
    )
  }
}
