import GraphAPI

/// The pace of a run: what blocks its next call, and the clock that runs share.
struct Pace: Sendable {
  /// Why the next call may not be sent.
  struct Hold: Sendable {
    let reason: Allowance
    var tokens: Set<AccessToken> = []
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

  /// How many operations the next call may carry; nil sets ``hold`` to the reason.
  mutating func allowedOperations(
    for tokens: Set<AccessToken>, isSmall: Bool, isIdle: Bool, isCleanUp: Bool, at now: Timestamp
  ) -> Int? {
    let allowance = pacer.allowance(
      for: tokens, isSmall: isSmall, isCleanUp: isCleanUp, at: now)
    switch allowance {
    case .operations(let count): return count
    case .afterAnswer where isIdle: return 1
    case .afterAnswer, .afterTurn, .probe, .pause, .exhausted:
      hold = Hold(reason: allowance, tokens: tokens, isCleanUp: isCleanUp)
      return nil
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
        hold?.tokens.first { token in
          pacer.allowance(for: [token], isSmall: true, isCleanUp: isCleanUp, at: now) == .probe
        }
      }
      // The budget pays for it as long as it can.
      if let token = token(isCleanUp: false) { return .probe(token, isCleanUp: false) }
      let isCleanUp = hold?.isCleanUp == true
      return .probe(isCleanUp ? token(isCleanUp: true) : nil, isCleanUp: isCleanUp)
    case .exhausted(let pause):
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
