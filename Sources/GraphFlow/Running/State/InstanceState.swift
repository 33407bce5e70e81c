import GraphAPI
import JSONPath

/// The state of one instance of a request.
struct InstanceState: Sendable {
  /// What it is waiting for, or its outcome.
  enum Phase: Hashable, Sendable {
    /// Waits for its dependencies, or for permissions.
    case waiting
    /// Waits for a place in a batch.
    case ready
    /// Waits for a time, counted from the run's start, before which it must not be sent again.
    case delayed(until: Duration)
    /// Waits for its turn in the bisection of a call that failed as a whole.
    case isolated
    /// Waits for the answer to a call.
    case underWay(call: Int)
    /// Waits for another token.
    case recovering
    /// Waits for a confirmation check: it is a write that may have taken effect.
    indirect case doubtful(Doubt)
    /// Has finished.
    case ended(Outcome)
  }

  /// The part of its outcome that the run's verdict depends on.
  struct Outcome: Hashable, Sendable {
    var status: RequestStatus
    var reason: FailureReason?
    var skipReason: SkipReason?
    /// Whether the run succeeds nevertheless.
    var countsAsSuccess: Bool

    init(_ end: RequestEnd) {
      status = end.status
      reason = end.failure?.reason
      skipReason = end.skipReason
      countsAsSuccess = end.countsAsSuccess
    }
  }

  var phase = Phase.waiting
  /// The request with its placeholders filled, once it is ready.
  @Indirect var bound: BoundRequest?
  /// The attempts that were made.
  var attempts = AttemptHistory()
  /// Whether it was ever sent, in this process or before an interruption.
  var wasSent = false
  /// The pages that a GET with `paginate` has read so far.
  @Indirect var pages: PageCollection?
  /// When the polling of `until` began.
  var pollingSince: Duration?
  /// A note for the report besides its outcome.
  var note: String?
  /// Why the last attempt failed.
  @Indirect var lastFailure: Failure?
  /// When the first attempt was made that may have taken effect.
  var unprovedSince: Timestamp?
  /// The evidence from before the first attempt that may have taken effect, or before the last
  /// attempt; nil for a write without confirmation check.
  @Indirect var evidence: WriteEvidence?
  /// Whether an attempt took effect: then it must never be repeated, whatever the verdict.
  var hasTakenEffect = false

  /// Records the start of an attempt.
  ///
  /// - Returns: Whether the instance was never sent before.
  mutating func recordAttemptStart(inCall call: Int, at now: Duration) -> Bool {
    defer { wasSent = true }
    attempts.recordAttempt(at: now)
    phase = .underWay(call: call)
    return !wasSent
  }

  /// Its outcome, once it has finished.
  var outcome: Outcome? {
    guard case .ended(let outcome) = phase else { return nil }
    return outcome
  }

  var isFinished: Bool { outcome != nil }

  /// The doubt that confirmation checks have to resolve, if it is in doubt.
  var doubt: Doubt? {
    guard case .doubtful(let doubt) = phase else { return nil }
    return doubt
  }

  var hasSucceeded: Bool { outcome?.status == .succeeded }
}
