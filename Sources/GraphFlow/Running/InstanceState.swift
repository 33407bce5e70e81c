import GraphAPI
import JSONPath

/// Where one instance of a request stands.
struct InstanceState: Sendable {
  /// What it is waiting for, or how it ended.
  enum Phase: Hashable, Sendable {
    /// For what it depends on.
    case waiting
    /// For a place in a batch.
    case ready
    /// For a time before which it must not be sent again, counted from the run's start.
    case delayed(until: Duration)
    /// For its turn among what shared a call that failed as a whole.
    case isolated
    /// For the answer to a call.
    case underWay(call: Int)
    /// For another token.
    case recovering
    /// For what looks find out: it is a write that may have happened.
    indirect case doubtful(Doubt)
    /// For nothing: it is over.
    case ended(Outcome)
  }

  /// How it ended, as far as the run's own verdict goes.
  struct Outcome: Hashable, Sendable {
    var status: RequestStatus
    var reason: FailureReason?
    var skipReason: SkipReason?
    /// Whether the run succeeds all the same.
    var countsAsSuccess: Bool

    init(_ end: RequestEnd) {
      status = end.status
      reason = end.failure?.reason
      skipReason = end.skipReason
      countsAsSuccess = end.countsAsSuccess
    }
  }

  var phase = Phase.waiting
  /// What is sent, its placeholders filled, once it is ready.
  @Indirect var bound: BoundRequest?
  /// The attempts that were made.
  var attempts = AttemptHistory()
  /// Whether it was ever sent, in this run or before it was interrupted.
  var wasSent = false
  /// What was read of a GET that follows pages.
  @Indirect var pages: PageCollection?
  /// When it was first asked until something holds.
  var pollingSince: Duration?
  /// What is told of it besides its outcome.
  var note: String?
  /// Why the last of them failed.
  @Indirect var lastFailure: Failure?
  /// When the first attempt was made of which nobody knows whether it took effect.
  var unprovedSince: Timestamp?
  /// What is known from before the first attempt that may have happened, or the last attempt, if
  /// the write can be looked for.
  @Indirect var evidence: WriteEvidence?
  /// Whether some attempt took effect, so that it must never be repeated, whatever the verdict.
  var hasTakenEffect = false

  /// Notes that it is sent once more; whether it never was before.
  mutating func recordAttemptStart(inCall call: Int, at now: Duration) -> Bool {
    defer { wasSent = true }
    attempts.recordAttempt(at: now)
    phase = .underWay(call: call)
    return !wasSent
  }

  /// How it ended, if it is over.
  var outcome: Outcome? {
    guard case .ended(let outcome) = phase else { return nil }
    return outcome
  }

  var isFinished: Bool { outcome != nil }

  /// The doubt that looks are to end, if it is in one.
  var doubt: Doubt? {
    guard case .doubtful(let doubt) = phase else { return nil }
    return doubt
  }

  var hasSucceeded: Bool { outcome?.status == .succeeded }
}
