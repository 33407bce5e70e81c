import GraphAPI

/// The pace of a run: what keeps its next call from being made, and the time that runs share.
struct Pace: Sendable {
  /// Why the last call that was wanted could not be made.
  struct Hold: Sendable {
    let reason: Allowance
    /// The tokens of that call.
    let tokens: Set<AccessToken>
  }

  /// What a run does that may not make its next call.
  enum Step: Sendable {
    /// Asks with one of the tokens whether Graph is there again.
    case probe(AccessToken?)
    /// Waits until a moment, for a pause that was not announced yet.
    case wait(until: Timestamp, news: QuotaPause?)
    /// Ends: the pause is too long for this session.
    case finish
  }

  /// Decides how fast Graph is asked.
  var pacer: Pacer
  /// What makes times that runs share of those of this run.
  var sharedTime = SharedTime()
  var hold: Hold?
  private var announced: QuotaPause?
  /// The pause that is too long for this session, which is over by it.
  private(set) var outOfQuota: QuotaPause?

  init(_ pacer: Pacer) {
    self.pacer = pacer
  }

  /// How many operations the next call may carry for these tokens; nil if it may not be made yet,
  /// for a reason that is kept.
  ///
  /// - Parameters:
  ///   - tokens: the tokens of its operations.
  ///   - isSmall: whether there is little left to send.
  ///   - isIdle: whether nothing is under way.
  ///   - now: the time.
  /// - Returns: at least 1, or nil.
  mutating func allowedOperations(
    for tokens: Set<AccessToken>,
    isSmall: Bool,
    isIdle: Bool,
    at now: Timestamp
  ) -> Int? {
    let allowance = pacer.allowance(for: tokens, isSmall: isSmall, at: now)
    switch allowance {
    case .operations(let count): return count
    case .afterAnswer where isIdle: return 1
    case .afterAnswer, .probe, .pause, .exhausted:
      hold = Hold(reason: allowance, tokens: tokens)
      return nil
    }
  }

  /// Notes that the budget has no room for what is next.
  mutating func holdForBudget(at now: Timestamp) {
    hold = Hold(reason: pacer.exhausted(at: now), tokens: [])
  }

  /// What a hold asks for, once nothing is under way.
  ///
  /// - Parameters:
  ///   - patience: how long the most patient request waits.
  ///   - now: the time.
  /// - Returns: nil without a hold.
  mutating func stepAfterHold(patience: Duration, at now: Timestamp) -> Step? {
    switch hold?.reason {
    case nil, .operations, .afterAnswer: return nil
    case .probe:
      return .probe(
        hold?.tokens.first { pacer.allowance(for: [$0], isSmall: true, at: now) == .probe }
      )
    case .exhausted(let pause):
      outOfQuota = pause
      return .finish
    case .pause(let pause, let since):
      let wait = pause.until.milliseconds - now.milliseconds
      let trouble = pause.until.milliseconds - since.milliseconds
      let limit = patience.milliseconds
      guard wait <= limit, trouble <= limit || pause.cause == .usage else {
        outOfQuota = pause
        return .finish
      }
      let news = announced == pause ? nil : pause
      announced = pause
      return .wait(until: now.advanced(by: .milliseconds(max(wait, 1))), news: news)
    }
  }

  /// What others do not know yet, by Graph's clock.
  var changes: QuotaSnapshot { pacer.changes.moved(by: sharedTime.lead) }

  /// Takes in what is known by now, the changes included; nil if it could not be had.
  mutating func receive(_ book: QuotaSnapshot?, at now: Timestamp, chance: () -> Double) {
    guard let book else { return pacer.postponeExchange(at: now) }
    pacer.merge(sharedTime.reading(book, at: now), at: now, chance: chance)
  }

  /// Takes in how far Graph's clock is ahead of the run's, once it is known.
  mutating func receive(lead: Duration?) {
    if let distance = sharedTime.record(lead) { pacer.move(by: distance) }
  }
}
