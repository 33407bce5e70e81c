import GraphAPI

/// The pace of a run: what blocks its next call, and the clock that runs share.
struct Pace: Sendable {
  /// Why the next call may not be sent.
  struct Hold: Sendable {
    var reason: Allowance
    var lanes: Set<Lane> = []
    /// Whether the call cleans up, which the budget does not count.
    var isCleanUp = false
  }

  /// What a run does if it may not send its next call.
  enum Step: Sendable {
    case probe(AccessToken?, isCleanUp: Bool)
    /// Waits; `news` is the pause if it was not reported yet.
    case wait(until: Timestamp, news: QuotaPause?)
    /// Finishes: the pause is too long for this session.
    case finish
  }

  var pacer: Pacer
  var sharedTime = SharedTime()
  var hold: Hold?
  var asleep = SleepingLanes()
  private var announced: QuotaPause?
  /// The pause that ended this session because it is too long.
  private(set) var outOfQuota: QuotaPause?
  /// The time from which this session begins no call.
  private var deadline: Timestamp?
  /// The longest time that a request may wait.
  private let patience: Duration

  init(_ pacer: Pacer, patience: Duration) {
    self.pacer = pacer
    self.patience = patience
  }

  /// Begins a session.
  mutating func begin(at now: Timestamp, lasting duration: Duration?) {
    deadline = duration.map { now.advanced(by: $0) }
  }

  func isPastDeadline(at time: Timestamp) -> Bool { deadline.map { $0 <= time } ?? false }

  /// Records that the deadline has ended this session; the rest may be sent at once in another.
  mutating func recordDeadline(at now: Timestamp) {
    outOfQuota = outOfQuota ?? QuotaPause(until: now, cause: .deadline)
  }

  /// How many operations of some lanes the next call may carry; nil sets ``hold`` to the reason.
  mutating func allowedOperations(
    for lanes: Set<Lane>, isSmall: Bool, isIdle: Bool, isCleanUp: Bool, at now: Timestamp
  ) -> Int? {
    let allowance = pacer.allowance(for: lanes, isSmall: isSmall, isCleanUp: isCleanUp, at: now)
    return operations(Hold(reason: allowance, lanes: lanes, isCleanUp: isCleanUp), isIdle)
  }

  /// What the next call may carry in all, and of each lane; nil sets ``hold`` to the reason.
  mutating func room(
    for lanes: Set<Lane>, isSmall: Bool, isIdle: Bool, isCleanUp: Bool, at now: Timestamp
  ) -> CallRoom? {
    let room = pacer.room(for: lanes, isSmall: isSmall, isCleanUp: isCleanUp, at: now)
    let own = room.own.mapValues { pacer.final($0, isCleanUp: isCleanUp).ifIdle(isIdle) }
    let shared = pacer.final(room.shared, isCleanUp: isCleanUp)
    guard case .operations(let count) = shared.ifIdle(isIdle) else {
      // Nothing can be sent before the first lane may send, either.
      let first = own.values.min { rank($0, at: now) < rank($1, at: now) }
      hold = Hold(
        reason: shared.stricter(first ?? .operations(.max)), lanes: lanes, isCleanUp: isCleanUp)
      return nil
    }
    let shortage = isCleanUp || !pacer.hasBudget ? nil : pacer.exhausted(at: now)
    return CallRoom(operations: count, own: own, of: room, shortage: shortage)
  }

  private mutating func operations(_ hold: Hold, _ isIdle: Bool) -> Int? {
    if case .operations(let count) = hold.reason.ifIdle(isIdle) { return count }
    self.hold = hold
    return nil
  }

  /// Puts an instance aside until its lane may send.
  mutating func putToSleep(_ instance: Int, _ lane: Lane, _ reason: Allowance, isCleanUp: Bool) {
    asleep.add(instance, Hold(reason: reason, lanes: [lane], isCleanUp: isCleanUp))
  }

  /// Removes and returns the instances whose lanes may send.
  mutating func wake(isSmall: Bool, isIdle: Bool, at now: Timestamp) -> [Int] {
    let pacer = self.pacer
    return asleep.wake { hold in
      // Nothing more of it is sent in this session.
      if case .exhausted = hold.reason { return 0 }
      // Without what all lanes share, a lane could wait for a probe that the budget does not allow.
      hold.reason = pacer.allowance(
        for: hold.lanes, isSmall: isSmall, isCleanUp: hold.isCleanUp, at: now
      ).ifIdle(isIdle)
      if case .operations(let count) = hold.reason { return count }
      return 0
    }
  }

  /// Sets ``hold`` to that of the lane which may send first, if one sleeps.
  mutating func holdForSleepers(at now: Timestamp) {
    hold = asleep.holds.min { left, right in
      rank(left.reason, at: now) < rank(right.reason, at: now)
    }
  }

  /// When the lane may send that ``hold`` is about; nil if this session does not wait for it.
  func wakeUp(at now: Timestamp) -> Timestamp? {
    switch hold?.reason {
    case .pause(let pause, let since):
      isBearable(pause, since: since, at: now) ? pause.until : nil
    case .afterTurn(let until): until
    case nil, .operations, .afterAnswer, .probe, .exhausted: nil
    }
  }

  /// How soon a lane with this allowance may send; what ends the session comes last.
  private func rank(_ reason: Allowance, at now: Timestamp) -> (Int, Int64) {
    switch reason {
    case .operations, .afterAnswer, .probe: (0, 0)
    case .afterTurn(let until): (1, until.milliseconds)
    case .pause(let pause, let since):
      (isBearable(pause, since: since, at: now) ? 1 : 2, pause.until.milliseconds)
    case .exhausted(let pause): (3, pause.until.milliseconds)
    }
  }

  mutating func holdForBudget(at now: Timestamp) {
    hold = Hold(reason: pacer.exhausted(at: now))
  }

  /// The next step under a hold, when nothing is under way; nil without a hold.
  mutating func stepAfterHold(at now: Timestamp) -> Step? {
    switch hold?.reason {
    case nil, .operations, .afterAnswer: return nil
    case .afterTurn(let until):
      return .wait(until: max(until, now.advanced(by: .milliseconds(1))), news: nil)
    case .probe:
      func token(isCleanUp: Bool) -> AccessToken? {
        hold?.lanes.first { lane in
          pacer.allowance(for: [lane], isSmall: true, isCleanUp: isCleanUp, at: now) == .probe
        }?.token
      }
      // The budget pays for it as long as it can.
      if let token = token(isCleanUp: false) { return .probe(token, isCleanUp: false) }
      let isCleanUp = hold?.isCleanUp == true
      return .probe(isCleanUp ? token(isCleanUp: true) : nil, isCleanUp: isCleanUp)
    case .exhausted(var pause):
      pause.until = max(pause.until, now)
      outOfQuota = pause
      return .finish
    case .pause(let pause, let since):
      guard isBearable(pause, since: since, at: now) else {
        outOfQuota = pause
        return .finish
      }
      let wait = pause.until.milliseconds - now.milliseconds
      return .wait(
        until: now.advanced(by: .milliseconds(max(wait, 1))), news: unreported(pause))
    }
  }

  /// The pause that keeps anything from being sent, if it was not reported yet and this session
  /// waits for its end.
  ///
  /// People see a pause when it begins, not when the last call under way was answered.
  mutating func news(of allowance: Allowance?, at now: Timestamp) -> QuotaPause? {
    guard case .pause(let pause, let since)? = allowance,
      isBearable(pause, since: since, at: now)
    else { return nil }
    return unreported(pause)
  }

  private func isBearable(_ pause: QuotaPause, since: Timestamp, at now: Timestamp) -> Bool {
    if isPastDeadline(at: pause.until) { return false }
    let wait = pause.until.milliseconds - now.milliseconds
    let trouble = pause.until.milliseconds - since.milliseconds
    let limit = patience.milliseconds
    return wait <= limit && (trouble <= limit || pause.cause == .usage)
  }

  private mutating func unreported(_ pause: QuotaPause) -> QuotaPause? {
    defer { announced = pause }
    return announced == pause ? nil : pause
  }

  /// What was found out since the last exchange, with times by Graph's clock.
  func changes(at now: Timestamp) -> QuotaSnapshot {
    pacer.changes(at: now).shifted(by: sharedTime.lead)
  }

  /// Merges the result of an exchange; nil if the exchange failed.
  mutating func mergeQuota(_ snapshot: QuotaSnapshot?, at now: Timestamp, jitter: () -> Double) {
    guard let snapshot else { return pacer.scheduleExchange(after: now) }
    pacer.merge(sharedTime.converted(snapshot, at: now), at: now, jitter: jitter)
  }

  /// Records how far Graph's clock is ahead of the run's, if known.
  mutating func recordLead(_ lead: Duration?) {
    if let distance = sharedTime.record(lead) { pacer.shiftTimes(by: distance) }
  }
}
