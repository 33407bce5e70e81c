/// Converts between this run's times and the times that runs share.
///
/// Shared times are by Graph's clock, the only one that all processes can read. Before an answer has
/// a `Date`, this machine's clock is used instead. If it is behind the shared times or the run's own
/// journal, it is certainly wrong. Shared records are then ignored until a `Date` shows how old they
/// are.
struct SharedTime: Sendable {
  /// How far the estimates of two processes may differ: `Date` has whole seconds, and answers take
  /// time.
  static let uncertainty = Duration.seconds(4)
  /// The error up to which a clock counts as right.
  private static let margin = Duration.seconds(60)

  /// How far Graph's clock is ahead of the run's.
  private(set) var lead = Duration.zero
  private var isKnown = false
  /// Whether this machine's clock is behind the run's own journal.
  private var lagsJournal = false

  /// Compares this machine's clock with the latest time in the run's journal.
  mutating func compare(_ now: Timestamp, withJournalUpTo latest: Timestamp) {
    lagsJournal = now.advanced(by: Self.margin) < latest
  }

  /// Records how far Graph's clock is ahead, if known.
  ///
  /// - Returns: the distance by which earlier times from other processes have to be shifted; nil if
  ///   nothing changed.
  mutating func record(_ lead: Duration?) -> Duration? {
    guard let lead else { return nil }
    let difference = Duration.milliseconds(abs((lead - self.lead).milliseconds))
    guard !isKnown || difference > Self.margin else { return nil }
    defer { (self.lead, isKnown) = (lead, true) }
    return isKnown ? .zero : self.lead - lead
  }

  /// Converts a shared snapshot from times by Graph's clock to those of this run.
  func converted(_ snapshot: QuotaSnapshot, at now: Timestamp) -> QuotaSnapshot {
    var snapshot = snapshot.shifted(by: .zero - lead)
    let limit = now.advanced(by: Self.margin)
    let lags =
      lagsJournal || snapshot.records.values.contains { $0.changedAt.map { $0 > limit } ?? false }
    if lags, !isKnown { snapshot.records = [:] }
    return snapshot
  }
}

extension QuotaSnapshot {
  func shifted(by distance: Duration) -> QuotaSnapshot {
    guard distance != .zero else { return self }
    var snapshot = self
    snapshot.records = records.mapValues { $0.shifted(by: distance) }
    return snapshot
  }
}

extension QuotaRecord {
  func shifted(by distance: Duration) -> QuotaRecord {
    var record = self
    record.readAt = readAt?.advanced(by: distance)
    record.capacityFoundAt = capacityFoundAt?.advanced(by: distance)
    record.silentUntil = silentUntil?.advanced(by: distance)
    record.silentSince = silentSince?.advanced(by: distance)
    record.changedAt = changedAt?.advanced(by: distance)
    record.history = history.shifted(by: distance)
    return record
  }
}

extension OperationHistory {
  /// The history with all minutes shifted, to the nearest minute.
  fileprivate func shifted(by distance: Duration) -> OperationHistory {
    let minutes = Int64((Double(distance.milliseconds) / 60_000).rounded())
    guard minutes != 0 else { return self }
    return OperationHistory(
      counts: Dictionary(uniqueKeysWithValues: counts.map { ($0.key + minutes, $0.value) }))
  }
}
