/// What is known of one of Graph's limits, whoever found it out: what processes share.
package struct QuotaRecord: Hashable, Sendable {
  /// The last percent that Graph named.
  package var usage: Double?
  /// When Graph named it.
  package var readAt: Timestamp?
  /// Percent that one operation takes, no less than it really does.
  package var cost: Double?
  /// What was counted, as far as it is known here.
  package var history = OperationHistory()
  /// Operations an hour at which Graph refused more although its headers had not said so.
  package var capacity: Double?
  /// When that was found out.
  package var capacityFoundAt: Timestamp?
  /// Until when Graph wants to be left alone.
  package var silentUntil: Timestamp?
  /// When the first of the refusals came that nothing has ended since.
  package var silentSince: Timestamp?
  /// How many refusals in a row there were.
  package var refusals = 0
  /// When any of this last changed.
  package var changedAt: Timestamp?

  /// A record of nothing.
  package init() {}

  /// The longest pause that is kept for other processes.
  private static let longestPause = Duration.seconds(86_400)

  /// Takes in what another process has found out, whose history is what it has added.
  package mutating func take(_ change: QuotaRecord, at now: Timestamp) {
    history.add(change.history, at: now)
    if let moment = change.readAt, moment >= readAt ?? moment {
      (usage, readAt, cost) = (change.usage, moment, change.cost)
    }
    if let moment = change.capacityFoundAt, moment >= capacityFoundAt ?? moment {
      (capacity, capacityFoundAt) = (change.capacity, moment)
    }
    // What lies further ahead was written down by a clock that was wrong.
    let limit = now.advanced(by: Self.longestPause)
    let known = silentUntil.flatMap { $0 <= limit ? $0 : nil }
    silentUntil = [known, change.silentUntil.map { min($0, limit) }].compactMap(\.self).max()
    if let moment = change.changedAt, moment >= changedAt ?? moment {
      (refusals, silentSince, changedAt) = (change.refusals, change.silentSince, moment)
    }
  }

  /// Without what nobody can rely on any more, or what was never true: a clock may have stepped.
  package func current(at now: Timestamp) -> QuotaRecord {
    var record = self
    let day = Duration.seconds(86_400)
    let (earliest, latest) = (now.advanced(by: .zero - day), now.advanced(by: day))
    if let until = silentUntil, until > latest { record.silentUntil = nil }
    if let until = record.silentUntil, until <= now, refusals == 0 { record.silentUntil = nil }
    let hourAgo = now.advanced(by: .zero - OperationHistory.window)
    record.history.forget(after: now)
    if let moment = readAt, moment < hourAgo || moment > latest {
      (record.usage, record.readAt) = (nil, nil)
    }
    if let moment = capacityFoundAt, moment < earliest || moment > latest {
      (record.capacity, record.capacityFoundAt) = (nil, nil)
    }
    if let moment = changedAt, moment < hourAgo || moment > latest {
      (record.refusals, record.silentSince) = (0, nil)
    }
    return record
  }

  /// Whether it is worth keeping.
  package func isWorthKeeping(at now: Timestamp) -> Bool {
    let day = Duration.seconds(86_400)
    return changedAt.map { $0.advanced(by: day) > now && $0 < now.advanced(by: day) } ?? false
  }
}
