/// What processes share about one of Graph's limits.
package struct QuotaRecord: Hashable, Sendable {
  /// The last percent that Graph reported.
  package var usage: Double?
  package var readAt: Timestamp?
  /// An upper bound of the percent that one operation costs.
  package var cost: Double?
  /// The known operations that Graph counted.
  package var history = OperationHistory()
  /// The operations per hour at which Graph refused more although its headers showed room.
  package var capacity: Double?
  /// When the capacity was found, or found to be wrong.
  package var capacityFoundAt: Timestamp?
  /// The end of the pause that Graph asks for.
  package var silentUntil: Timestamp?
  /// When the first of the current refusals came.
  package var silentSince: Timestamp?
  /// How many refusals in a row there were.
  package var refusals = 0
  package var changedAt: Timestamp?

  private static let day = Duration.seconds(86_400)

  /// Merges what another process found out; its history holds only what that process added.
  package mutating func merge(_ change: QuotaRecord, at now: Timestamp) {
    history.add(change.history, at: now)
    if let time = change.readAt, time >= readAt ?? time {
      (usage, readAt, cost) = (change.usage, time, change.cost)
    }
    if let time = change.capacityFoundAt, time >= capacityFoundAt ?? time {
      (capacity, capacityFoundAt) = (change.capacity, time)
    }
    // A later end than a day from now comes from a clock that was wrong.
    let limit = now.advanced(by: Self.day)
    let known = silentUntil.flatMap { $0 <= limit ? $0 : nil }
    silentUntil = [known, change.silentUntil.map { min($0, limit) }].compactMap(\.self).max()
    if let time = change.changedAt, time >= changedAt ?? time {
      (refusals, silentSince, changedAt) = (change.refusals, change.silentSince, time)
    }
  }

  /// The last percent, of which nothing is left an hour after it was read.
  func usage(at now: Timestamp) -> Double? { usage.map { hasExpired(at: now) ? 0 : $0 } }

  /// Whether the last percent is so old that nothing of it is left.
  ///
  /// What an operation costs is still known.
  func hasExpired(at now: Timestamp) -> Bool {
    readAt.map { $0.advanced(by: OperationHistory.window) <= now } ?? false
  }

  /// The record without what is too old, or is dated in the future by a wrong clock.
  package func current(at now: Timestamp) -> QuotaRecord {
    var record = self
    let (earliest, latest) = (now.advanced(by: .zero - Self.day), now.advanced(by: Self.day))
    if let until = silentUntil, until > latest { record.silentUntil = nil }
    if let until = record.silentUntil, until <= now, refusals == 0, readAt ?? now > until {
      record.silentUntil = nil
    }
    let hourAgo = now.advanced(by: .zero - OperationHistory.window)
    record.history.removeCounts(after: now)
    if let time = readAt, time < earliest || time > latest {
      (record.usage, record.readAt) = (nil, nil)
    }
    if let time = capacityFoundAt, time < earliest || time > latest {
      (record.capacity, record.capacityFoundAt) = (nil, nil)
    }
    if let time = changedAt, time < hourAgo || time > latest {
      (record.refusals, record.silentSince) = (0, nil)
    }
    return record
  }

  /// Whether the record changed within a day.
  package func isWorthKeeping(at now: Timestamp) -> Bool {
    changedAt.map { $0.advanced(by: Self.day) > now && $0 < now.advanced(by: Self.day) } ?? false
  }
}
