/// One of Graph's limits: what is known of it, and what this run has under way.
///
/// Concurrent calls are answered in any order, so a percent that is read may be older than the one
/// before it. If the user set a maximum percent, the gauge is strict: it applies percents only when
/// nothing is under way. The highest of them then includes everything that was sent.
struct QuotaGauge: Sendable {
  /// How many operations of a large run are sent before the first answer: half of the smallest limit
  /// that Graph sets, which are the 200 calls an hour of an app with one user.
  ///
  /// Source: Graph API, "Rate Limits", Platform Rate Limits.
  static let firstWindow = 100
  /// A full batch: with less room than this, the next answer is awaited first.
  static let batch = 50

  /// What is known, by this process and others.
  private(set) var record = QuotaRecord()
  /// The operations that were counted since the last exchange; nil if there is nothing to share.
  private(set) var unshared: OperationHistory?
  /// Whether this process has found out anything at all.
  private var hasFindings = false
  private(set) var cost = CostEstimator()
  /// How many operations were sent and not answered.
  private(set) var inFlight = 0
  /// How many operations may be under way while usage is low.
  private(set) var window: Int
  /// How many operations Graph has counted since the last percent.
  private(set) var unread = 0
  /// How many percents in a row left no room.
  private(set) var fullReadings = 0
  private let isStrict: Bool
  /// The highest percent that is not applied yet.
  private var pendingUsage: Double?
  private var lastRefusal: Timestamp?
  /// How much longer this process pauses than the one that Graph asked to.
  private(set) var slack = Duration.zero

  /// Whether Graph counted operations that are no longer under way.
  enum Settlement: Sendable {
    /// It answered them.
    case answered
    /// They may have reached it.
    case perhaps
    /// They did not reach it.
    case never
  }

  init(isStrict: Bool = false, window: Int = Self.firstWindow) {
    (self.isStrict, self.window) = (isStrict, window)
  }

  /// Whether the limit may soon hold a process back.
  func isNotable(at now: Timestamp) -> Bool {
    record.refusals > 0 || record.silentUntil.map { $0 > now } == true || record.capacity != nil
      || levels(at: now).contains { $0.used >= 25 }
  }

  mutating func recordSent(_ count: Int) { inFlight += count }

  /// Records that operations are no longer under way, and the highest percent in their answer.
  mutating func settle(
    _ count: Int, _ settlement: Settlement, usage: Double? = nil, at now: Timestamp
  ) {
    inFlight -= count
    if settlement != .never {
      unread += count
      record.history.add(count, at: now)
      markChanged(at: now)
      unshared?.add(count, at: now)
    }
    if settlement == .answered { cost.recordAnswers(count, at: now) }
    pendingUsage = [pendingUsage, usage].compactMap(\.self).max()
    guard let percent = pendingUsage, !isStrict || inFlight <= 0 else { return }
    pendingUsage = nil
    apply(percent, at: now)
  }

  private mutating func apply(_ usage: Double, at now: Timestamp) {
    record.cost = cost.cost(at: usage, after: record, at: now)
    fullReadings = usage >= 88 ? fullReadings + 1 : 0
    (record.usage, record.readAt, unread) = (usage, now, 0)
    markChanged(at: now)
  }

  mutating func recordSuccess(sentAt: Timestamp, at now: Timestamp) {
    if record.refusals > 0, sentAt >= record.silentUntil ?? sentAt {
      forgetCapacity(at: now)
      (record.refusals, record.silentSince, slack) = (0, nil, .zero)
      markChanged(at: now)
    }
    forgetFullUsage(sentAt: sentAt, at: now)
    let level = levels(at: now).map(\.used).max() ?? 0
    if level < 50 { window = min(window * 8, 1 << 20) }
    // What was refused may be accepted later, so the assumed capacity grows slowly.
    if let capacity = record.capacity, Double(record.history.count(at: now)) > capacity * 0.7 {
      record.capacity = capacity * 1.01
    }
  }

  /// Discards a percent that left no room if Graph accepts an operation after its pause without a
  /// new percent.
  ///
  /// The limit is free again. Nothing will update the percent, and until it is an hour old every
  /// call would have a single operation.
  private mutating func forgetFullUsage(sentAt: Timestamp, at now: Timestamp) {
    guard !isStrict, record.usage ?? 0 >= Bounds().ceiling, let end = record.silentUntil,
      let readAt = record.readAt, readAt <= end, sentAt >= end
    else { return }
    (record.usage, record.readAt, unread) = (nil, now, 0)
    markChanged(at: now)
  }

  /// Records that Graph refused some of the settled operations because of a rate limit.
  ///
  /// The hint is the pause that Graph asks for. The jitter, from 0 to 1, spreads processes that were
  /// refused together.
  mutating func recordRefusal(
    of count: Int, hint: Duration?, sentAt: Timestamp, at now: Timestamp, jitter: Double
  ) {
    markChanged(at: now)
    // Refusals of calls that were under way together count as one.
    let isNew = lastRefusal.map { sentAt >= $0 } ?? true
    guard isNew || hint != nil else { return }
    if isNew {
      // A hint makes a guess of the capacity unnecessary.
      if record.refusals == 0, hint == nil { recordCapacity(refused: count, at: now) }
      record.refusals = min(record.refusals + 1, 1000)
      record.silentSince = record.silentSince ?? now
      (lastRefusal, window) = (now, Self.batch)
    }
    extendPause(by: hint, at: now, jitter)
  }

  /// Records a pause that Graph asks for without refusing anything.
  mutating func recordPause(_ pause: Duration, at now: Timestamp, jitter: Double) {
    markChanged(at: now)
    record.silentSince = record.silentSince ?? now
    extendPause(by: pause, at: now, jitter)
  }

  private mutating func extendPause(by hint: Duration?, at now: Timestamp, _ jitter: Double) {
    let until = now.advanced(by: pauseLength(hint, jitter))
    record.silentUntil = max(record.silentUntil ?? until, until)
  }

  /// At least the pause that Graph asks for, of which more than a day counts as a day, or one that
  /// doubles with each refusal in a row.
  private func pauseLength(_ hint: Duration?, _ jitter: Double) -> Duration {
    if let hint {
      let milliseconds = min(max(hint.milliseconds, 0), 86_400_000)
      let spread = Double(min(milliseconds / 10 + 500, 60_000))
      return .milliseconds(milliseconds + Int64(spread * jitter))
    }
    let step = min(Int64(30_000) << Int64(min(max(record.refusals, 1) - 1, 16)), 900_000)
    return .milliseconds(step / 2 + Int64(Double(step) / 2 * jitter))
  }

  /// Replaces the record by the one that all processes share, which includes this one's changes.
  ///
  /// The shards of a job send operations of the same kind, and each takes the others' usage for its
  /// own. So the lowest bound of an operation's cost is right for all of them.
  mutating func merge(_ shared: QuotaRecord, isOfShards: Bool = false, jitter: Double) {
    if let until = shared.silentUntil, until > record.silentUntil ?? Timestamp(milliseconds: 0) {
      let spread = Int64(jitter * 10_000) * Int64(min(shared.refusals, 6) + 1)
      slack = SharedTime.uncertainty + .milliseconds(spread)
    }
    let cost = isOfShards ? [record.cost, shared.cost].compactMap(\.self).min() : shared.cost
    if isOfShards { self.cost.forgetSteepCost() }
    record = shared
    record.cost = cost
    unshared = nil
  }

  /// Shifts the times that came from other processes, because they were read by a wrong clock.
  ///
  /// What this process found out is right by its own clock. It was shared with wrong times, so it is
  /// shared again.
  mutating func shiftTimes(by distance: Duration) {
    if hasFindings {
      unshared = unshared ?? OperationHistory()
    } else {
      record = record.shifted(by: distance)
    }
  }

  private mutating func markChanged(at now: Timestamp) {
    record.changedAt = now
    hasFindings = true
    if unshared == nil { unshared = OperationHistory() }
  }

  /// Records the operations accepted within the hour as the limit.
  ///
  /// The usage headers did not show the limit that was hit, so they are not reliable.
  private mutating func recordCapacity(refused: Int, at now: Timestamp) {
    guard record.usage(at: now) ?? 0 < 75 else { return }
    let granted = record.history.count(at: now) - refused
    guard granted >= 20 else { return }
    record.capacity = min(record.capacity ?? .infinity, Double(granted))
    record.capacityFoundAt = now
  }

  /// Discards the capacity if Graph accepts more before any operation left the window.
  ///
  /// The refusal then was not because of an hourly limit, and the actual limit is unknown.
  private mutating func forgetCapacity(at now: Timestamp) {
    guard record.capacity != nil, let foundAt = record.capacityFoundAt,
      record.history.left(after: foundAt, by: now) == 0
    else { return }
    (record.capacity, record.capacityFoundAt) = (nil, now)
  }
}
