/// One of Graph's limits as a run sees it: what is known of it, and what the run itself is doing.
struct QuotaGauge: Sendable {
  /// How many operations are sent before the first answer, unless there are few altogether.
  static let firstWindow = 50
  /// The most that one operation is taken to cost as long as little was sent, in percent.
  ///
  /// Others may have used what is used. A write takes 3 of the 60 points of Graph's smallest limit.
  private static let dearest = 5.0

  /// What is known, by this process and others.
  private(set) var record = QuotaRecord()
  /// What was counted that other processes do not know of yet.
  private(set) var unshared = OperationHistory()
  /// Whether other processes could use what is known here.
  private(set) var hasNews = false
  /// Operations that were sent and not answered.
  private(set) var inFlight = 0
  /// How many operations may be under way while little of the limit is used.
  private(set) var window = QuotaGauge.firstWindow
  /// Operations that Graph has counted since it named a percent.
  private(set) var unread = 0
  /// How often in a row Graph named a percent that leaves no room.
  private(set) var holds = 0
  /// What an operation has taken of late, where that was much at once.
  private(set) var jump = 0.0
  private var counted = 0
  private var anchor: Anchor?
  /// Whether the cost was measured over a rise, and is not only a bound.
  private var isMeasured = false
  private var lastRefusal: Timestamp?
  /// How much longer this process is silent than the one that was told to be.
  private(set) var slack = Duration.zero

  /// Where a rise of usage is measured from.
  private struct Anchor: Sendable {
    var usage: Double
    var counted: Int
    var at: Timestamp
  }

  /// Notes that operations are sent.
  mutating func send(_ count: Int) { inFlight += count }

  /// Notes that operations are not under way any more, and whether Graph has counted them.
  mutating func settle(_ count: Int, areCounted: Bool, at now: Timestamp) {
    inFlight -= count
    guard areCounted else { return }
    counted += count
    unread += count
    record.history.add(count, at: now)
    unshared.add(count, at: now)
    note(now)
  }

  /// Notes a percent that Graph named in an answer whose operations are settled already.
  mutating func read(_ usage: Double, at now: Timestamp) {
    estimateCost(usage, at: now)
    let step = usage - (record.usage ?? usage)
    jump = step >= 5 && unread > 0 ? step / Double(unread) : 0
    holds = usage >= 88 ? holds + 1 : 0
    (record.usage, record.readAt, unread) = (usage, now, 0)
    note(now)
  }

  /// Notes an answer without a refusal to a call that was sent at a moment.
  mutating func accept(sentAt: Timestamp, at now: Timestamp) {
    if record.refusals > 0, sentAt >= record.silentUntil ?? sentAt {
      (record.refusals, record.silentSince, slack) = (0, nil, .zero)
      note(now)
    }
    let level = levels(at: now).map(\.used).max() ?? 0
    if level < 50 { window = min(window * 2, 1 << 20) }
    // What was refused at once may be granted later; so the limit is felt for again, slowly.
    if let capacity = record.capacity, Double(record.history.count(at: now)) > capacity * 0.7 {
      record.capacity = capacity * 1.01
    }
  }

  /// Notes that Graph has refused operations for their number.
  ///
  /// - Parameters:
  ///   - count: how many of those that are settled were refused.
  ///   - hint: how long Graph wants to be left alone, if it says so.
  ///   - sentAt: when the call was sent.
  ///   - now: when the answer was read.
  ///   - chance: from 0 to 1; spreads those who were refused together.
  mutating func refuse(
    _ count: Int,
    hint: Duration?,
    sentAt: Timestamp,
    at now: Timestamp,
    chance: Double
  ) {
    note(now)
    // Calls that were under way together are refused together.
    let isNew = lastRefusal.map { sentAt >= $0 } ?? true
    guard isNew || hint != nil else { return }
    if isNew {
      if record.refusals == 0 { learnCapacity(refused: count, at: now) }
      record.refusals = min(record.refusals + 1, 1000)
      record.silentSince = record.silentSince ?? now
      (lastRefusal, window) = (now, Self.firstWindow)
    }
    let until = now.advanced(by: Silence(hint: hint, refusals: record.refusals, chance).length)
    record.silentUntil = max(record.silentUntil ?? until, until)
  }

  /// Notes a pause that Graph announces without refusing anything.
  mutating func announce(_ pause: Duration, at now: Timestamp, chance: Double) {
    note(now)
    let until = now.advanced(by: Silence(hint: pause, refusals: 0, chance).length)
    record.silentSince = record.silentSince ?? now
    record.silentUntil = max(record.silentUntil ?? until, until)
  }

  /// Takes in what all processes know by now; what was unshared is a part of it.
  mutating func absorb(_ shared: QuotaRecord, chance: Double) {
    if let until = shared.silentUntil, until > record.silentUntil ?? Timestamp(milliseconds: 0) {
      slack = .milliseconds(Int64(chance * 10_000) * Int64(min(shared.refusals, 6) + 1))
    }
    record = shared
    markShared()
  }

  /// Notes that other processes know what is known here.
  mutating func markShared() {
    unshared = OperationHistory()
    hasNews = false
  }

  private mutating func note(_ now: Timestamp) {
    record.changedAt = now
    hasNews = true
  }

  /// What an operation takes, at most: usage has risen by less than what was read and one percent,
  /// for percents are rounded, and all that was counted cannot have taken more than all that is used.
  private mutating func estimateCost(_ usage: Double, at now: Timestamp) {
    let start = anchor
    anchor = anchor ?? Anchor(usage: usage, counted: counted, at: now)
    if let start {
      let (rise, count) = (usage - start.usage, counted - start.counted)
      if rise < 0 || record.history.left(after: start.at, by: now) > 0 {
        anchor = Anchor(usage: usage, counted: counted, at: now)
      } else if count > 0 {
        let estimate = (rise + 1) / Double(count)
        if rise >= 10 {
          record.cost = record.cost.map { max(estimate, ($0 + estimate) / 2) } ?? estimate
          isMeasured = true
          anchor = Anchor(usage: usage, counted: counted, at: now)
        } else if !isMeasured {
          record.cost = min(record.cost ?? estimate, estimate)
        }
      }
    }
    let own = record.history.count(at: now)
    guard own > 0 else { return }
    let bound = min((usage + 1) / Double(own), Self.dearest)
    record.cost = min(record.cost ?? bound, bound)
  }

  /// Headers that said nothing of a limit that was hit are not to be relied on: from now on what was
  /// granted within the hour is the limit.
  private mutating func learnCapacity(refused: Int, at now: Timestamp) {
    guard record.usage ?? 0 < 75 else { return }
    let granted = record.history.count(at: now) - refused
    guard granted >= 20 else { return }
    record.capacity = min(record.capacity ?? .infinity, Double(granted))
    record.capacityFoundAt = now
  }
}
