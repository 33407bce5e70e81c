/// One of Graph's limits as a run sees it: what is known of it, and what the run itself is doing.
///
/// Answers of calls that are under way together come in any order, so a percent that is read may be
/// older than the one before it. Where a person has drawn a line that is not to be crossed, percents
/// are therefore taken in when nothing is under way any more: then the highest of them includes all
/// that was sent.
struct QuotaGauge: Sendable {
  /// How many operations are sent before the first answer, unless there are few altogether.
  static let firstWindow = 50
  /// The most that one operation is taken to cost as long as little was sent, in percent.
  ///
  /// Others may have used what is used. A write takes 3 of the 60 points of Graph's smallest limit
  /// (docs/internals/graph-api.md, Rate limits).
  private static let dearest = 5.0

  /// What is known, by this process and others.
  private(set) var record = QuotaRecord()
  /// What was counted that other processes do not know of yet.
  private(set) var unshared = OperationHistory()
  /// Whether other processes could use what is known here.
  private(set) var hasNews = false
  /// Whether this process has found out any of it.
  private var isOwn = false
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
  /// Operations whose part in usage was read, which tell what the next as many will take.
  private(set) var proven = 0
  /// Whether percents are taken in only when nothing is under way.
  private let isStrict: Bool
  /// The highest percent that is still to be taken in.
  private var heard: Double?
  /// What Graph has answered, and so counted for certain.
  private var answered = OperationHistory()
  private(set) var answers = 0
  private var readAnswers = 0
  private var anchor: Anchor?
  /// Whether the cost was measured over a rise, and is not only a bound.
  private var isMeasured = false
  private var lastRefusal: Timestamp?
  /// How much longer this process is silent than the one that was told to be.
  private(set) var slack = Duration.zero

  /// Where a rise of usage is measured from.
  private struct Anchor: Sendable {
    var usage: Double
    var answers: Int
    var at: Timestamp
  }

  /// Whether Graph has counted operations that are not under way any more.
  enum Settlement: Sendable {
    /// It has answered.
    case answered
    /// They may have reached it.
    case perhaps
    /// They did not reach it.
    case never
  }

  /// A gauge of a limit of which nothing is known.
  ///
  /// - Parameter isStrict: whether a person has drawn a line that is not to be crossed.
  init(isStrict: Bool = false) { self.isStrict = isStrict }

  /// Notes that operations are sent.
  mutating func send(_ count: Int) { inFlight += count }

  /// Notes that operations are not under way any more.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - settlement: whether Graph has counted them.
  ///   - usage: the highest percent that the answer names.
  ///   - now: when it was read.
  mutating func settle(
    _ count: Int,
    _ settlement: Settlement,
    usage: Double? = nil,
    at now: Timestamp
  ) {
    inFlight -= count
    if settlement != .never {
      unread += count
      record.history.add(count, at: now)
      unshared.add(count, at: now)
      note(now)
    }
    if settlement == .answered {
      answers += count
      answered.add(count, at: now)
    }
    heard = [heard, usage].compactMap(\.self).max()
    guard let percent = heard, !isStrict || inFlight <= 0 else { return }
    heard = nil
    read(percent, at: now)
  }

  private mutating func read(_ usage: Double, at now: Timestamp) {
    estimateCost(usage, at: now)
    let step = usage - (record.usage ?? usage)
    let fresh = answers - readAnswers
    jump = step >= 5 && fresh > 0 ? step / Double(fresh) : 0
    holds = usage >= 88 ? holds + 1 : 0
    if record.usage != nil { proven += fresh }
    (record.usage, record.readAt, unread, readAnswers) = (usage, now, 0, answers)
    note(now)
  }

  /// Notes an answer without a refusal to a call that was sent at a moment.
  mutating func accept(sentAt: Timestamp, at now: Timestamp) {
    if record.refusals > 0, sentAt >= record.silentUntil ?? sentAt {
      forgetCapacity(at: now)
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
      // Whoever says when to come back leaves nothing to guess.
      if record.refusals == 0, hint == nil { recordCapacity(refused: count, at: now) }
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
  mutating func merge(_ shared: QuotaRecord, chance: Double) {
    if let until = shared.silentUntil, until > record.silentUntil ?? Timestamp(milliseconds: 0) {
      let spread = Int64(chance * 10_000) * Int64(min(shared.refusals, 6) + 1)
      slack = SharedTime.uncertainty + .milliseconds(spread)
    }
    record = shared
    markShared()
  }

  /// Notes that the times that came from others were read by a clock that was off.
  ///
  /// What this process has found out itself is right by its own clock. Others were told of it by
  /// the wrong one, so they are told again.
  mutating func move(by distance: Duration) {
    if isOwn {
      hasNews = true
    } else {
      record = record.moved(by: distance)
    }
  }

  /// Notes that other processes know what is known here.
  mutating func markShared() {
    unshared = OperationHistory()
    hasNews = false
  }

  private mutating func note(_ now: Timestamp) {
    record.changedAt = now
    (hasNews, isOwn) = (true, true)
  }

  /// What an operation takes, at most: usage has risen by less than what was read and one percent,
  /// for percents are rounded, and all that was counted cannot have taken more than all that is used.
  private mutating func estimateCost(_ usage: Double, at now: Timestamp) {
    let start = anchor
    anchor = anchor ?? Anchor(usage: usage, answers: answers, at: now)
    if let start {
      let (rise, count) = (usage - start.usage, answers - start.answers)
      if rise < 0 || record.history.left(after: start.at, by: now) > 0 {
        anchor = Anchor(usage: usage, answers: answers, at: now)
      } else if count > 0 {
        let estimate = (rise + 1) / Double(count)
        if rise >= 10 {
          record.cost = record.cost.map { max(estimate, ($0 + estimate) / 2) } ?? estimate
          isMeasured = true
          anchor = Anchor(usage: usage, answers: answers, at: now)
        } else if !isMeasured {
          record.cost = min(record.cost ?? estimate, estimate)
        }
      }
    }
    let own = answered.count(at: now)
    guard own > 0 else { return }
    let bound = min((usage + 1) / Double(own), Self.dearest)
    record.cost = min(record.cost ?? bound, bound)
  }

  /// Headers that said nothing of a limit that was hit are not to be relied on: from now on what was
  /// granted within the hour is the limit.
  private mutating func recordCapacity(refused: Int, at now: Timestamp) {
    guard record.usage ?? 0 < 75 else { return }
    let granted = record.history.count(at: now) - refused
    guard granted >= 20 else { return }
    record.capacity = min(record.capacity ?? .infinity, Double(granted))
    record.capacityFoundAt = now
  }

  /// Graph grants more although nothing that it granted has left the hour: so it refused for another
  /// limit than one of an hour, of which nothing is known.
  private mutating func forgetCapacity(at now: Timestamp) {
    guard record.capacity != nil, let foundAt = record.capacityFoundAt,
      record.history.left(after: foundAt, by: now) == 0
    else { return }
    (record.capacity, record.capacityFoundAt) = (nil, now)
  }
}
