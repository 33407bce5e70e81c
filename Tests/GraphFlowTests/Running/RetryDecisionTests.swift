import GraphAPI
import Testing

@testable import GraphFlow

/// When a failure is retried: the documentation of the key `retry`, row by row.
struct RetryDecisionTests {
  /// One failure and the decision about it.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var category = ErrorCategory.transient
    var reason = FailureReason.server
    /// The attempts of this run before the failed one.
    var before = 0
    /// The attempts before the run was resumed.
    var beforeResume = 0
    /// The time since the first attempt.
    var elapsed = Duration.zero
    /// Whether the failed attempt was a read in a call that was too large.
    var isForSize = false
    /// The delay that the server asks for.
    var serverDelay: Duration?
    var policy = RetryDecisionTests.policy()
    let decision: RetryDecision
  }

  /// Four attempts within 15 minutes, with delays of 1, 2 and 4 seconds.
  private static func policy(_ change: (inout RetryPolicy) -> Void = { _ in }) -> RetryPolicy {
    var policy = RetryPolicy.standard
    policy.jitter = .none
    change(&policy)
    return policy
  }

  private static func retry(after seconds: Int, isCounted: Bool = true) -> RetryDecision {
    .retry(after: .seconds(seconds), isCounted: isCounted)
  }

  static let rows = [
    Row(
      testDescription: "what passes by itself is retried after a second", decision: retry(after: 1)),
    Row(testDescription: "the second time after two", before: 1, decision: retry(after: 2)),
    Row(testDescription: "the third time after four", before: 2, decision: retry(after: 4)),
    Row(testDescription: "four attempts are all", before: 3, decision: .giveUp),
    Row(testDescription: "what does not pass is not retried", category: .other, decision: .giveUp),
    Row(
      testDescription: "nor what another token or permission would help", category: .recoverable,
      reason: .token, decision: .giveUp),
    Row(
      testDescription: "unless `on` names its reason", category: .other, reason: .notFound,
      policy: policy { $0.on = [.reason(.notFound)] }, decision: retry(after: 1)),
    Row(
      testDescription: "or its code", category: .other,
      policy: policy { $0.on = [.code(4711, subcode: nil)] }, decision: retry(after: 1)),
    Row(
      testDescription: "with any other subcode it is another error", category: .other,
      policy: policy { $0.on = [.code(4711, subcode: 1)] }, decision: .giveUp),
    Row(
      testDescription: "only what `on` names", policy: policy { $0.on = [.reason(.timeout)] },
      decision: .giveUp),
    Row(
      testDescription: "the server's delay is the least", serverDelay: .seconds(90),
      decision: retry(after: 90)),
    Row(
      testDescription: "a shorter one changes nothing", before: 2, serverDelay: .seconds(1),
      decision: retry(after: 4)),
    Row(
      testDescription: "the longest delay is `max_delay`", before: 2,
      policy: policy { $0.maxDelay = .seconds(3) }, decision: retry(after: 3)),
    Row(
      testDescription: "nothing is sent after `max_elapsed`", elapsed: .seconds(15 * 60),
      decision: .giveUp),
    Row(
      testDescription: "exactly then it still is", elapsed: .seconds(15 * 60 - 1),
      decision: retry(after: 1)),
    Row(
      testDescription: "a server that wants more time than that ends it",
      serverDelay: .seconds(16 * 60), decision: .giveUp),
    Row(
      testDescription: "waiting for a throttle uses up no attempt", reason: .throttled, before: 3,
      decision: retry(after: 8, isCounted: false)),
    Row(
      testDescription: "but time", reason: .throttled, elapsed: .seconds(15 * 60), decision: .giveUp
    ),
    Row(
      testDescription: "nor does a read in a call that was too large", reason: .timeout, before: 3,
      isForSize: true, decision: retry(after: 8, isCounted: false)),
    Row(
      testDescription: "unless one attempt is all that it may make", reason: .timeout,
      isForSize: true, policy: policy { $0.maxAttempts = 1 }, decision: .giveUp),
    Row(
      testDescription: "a resumed run makes attempts of its own, and waits on", beforeResume: 3,
      decision: retry(after: 8)),
  ]

  @Test(arguments: rows) func `a failure leads to the documented decision`(_ row: Row) {
    let error = GraphError(message: "", code: 4711)
    let failure = Failure(error: error, category: row.category, reason: row.reason, hint: "")
    var attempts = AttemptHistory(madeBefore: row.beforeResume)
    for _ in 0...row.before { attempts.recordAttempt(at: .seconds(5)) }
    var generator = SplitMix64(seed: 1)

    let decision = row.policy.decision(
      after: failure, of: attempts, isForSize: row.isForSize, atLeast: row.serverDelay,
      at: .seconds(5) + row.elapsed, using: &generator)

    #expect(decision == row.decision)
  }

  @Test func `jitter spreads the delay between nothing and all of it, above the server's`() {
    let failure = Failure(
      error: GraphError(message: ""), category: .transient, reason: .server, hint: "")
    var attempts = AttemptHistory()
    for _ in 0..<3 { attempts.recordAttempt(at: .zero) }
    var generator = SplitMix64(seed: 7)
    var delays: [Duration] = []
    for _ in 0..<1000 {
      let decision = RetryPolicy.standard.decision(
        after: failure, of: attempts, atLeast: .seconds(1), at: .zero, using: &generator)
      if case .retry(let delay, _) = decision { delays.append(delay) }
    }
    #expect(delays.count == 1000)
    #expect(delays.min() == .seconds(1))
    #expect(delays.max().map { $0 > .milliseconds(3900) && $0 <= .seconds(4) } == true)
    #expect(Set(delays).count > 500)
  }
}

/// The history after an attempt that does not count.
struct AttemptHistoryTests {
  @Test(arguments: [
    (AttemptHistory.Refund.notMade, 1, 1, false), (.refusedForAnother, 1, 1, true),
    (.anotherToken, 2, 1, true), (.waiting, 2, 1, false),
  ])
  func `a refund restores the counters of its reason`(
    _ reason: AttemptHistory.Refund, _ made: Int, _ counted: Int, _ isNextFree: Bool
  ) {
    var attempts = AttemptHistory()
    attempts.recordAttempt(at: .seconds(3))
    attempts.recordAttempt(at: .seconds(4))

    attempts.refund(reason)

    #expect(attempts.made == made && attempts.counted == counted)
    #expect(attempts.isNextFree == isNextFree && attempts.first == .seconds(3))
    attempts.recordAttempt(at: .seconds(9))
    #expect(!attempts.isNextFree)
  }
}
