import GraphAPI

/// The verdict on a run, from the outcomes so far, and whether it still starts anything new.
struct RunVerdict: Hashable, Sendable {
  private var isDoubtful = false
  private var isDenied = false
  /// Whether a request failed because Graph refused more calls.
  private(set) var isThrottled = false
  private var hasFailed = false
  /// Whether a write was not sent because the run has sent as many as it may.
  private var hasReachedWriteLimit = false
  /// Whether a request with `on_error: stop` has failed, or a required permission is missing.
  private(set) var isStopped = false
  /// The exit code of the signal that stopped the run.
  private var cancellation: Int?
  private(set) var isPastDeadline = false
  /// Whether the time after a signal has ended, so that nothing at all is sent any more.
  private(set) var isGraceOver = false
  /// Whether any request was sent, so that there may be something to clean up.
  private(set) var hasSent = false
  /// Whether only the clean-up is left, because the run ends early.
  private(set) var hasBegunCleanUp = false
  /// Whether anything besides the clean-up was kept from being sent by the early end.
  private(set) var isCutShort = false

  /// Whether a signal has stopped the run.
  var isCancelled: Bool { cancellation != nil }
  /// Whether a signal or the deadline ends the run: only what cleans up is started.
  var endsEarly: Bool { isCancelled || isPastDeadline }
  /// Whether a request may be sent only if it cleans up.
  var startsOnlyCleanUp: Bool { isStopped || endsEarly }

  mutating func stop() { isStopped = true }

  mutating func cancel(exitCode: Int) { cancellation = exitCode }

  mutating func passDeadline() { isPastDeadline = true }

  mutating func endGrace() { isGraceOver = true }

  mutating func recordSent() { hasSent = true }

  mutating func beginCleanUp(cuttingShort isCutShort: Bool) {
    hasBegunCleanUp = true
    self.isCutShort = isCutShort
  }

  /// Records a doubt of an earlier session about an item that this session has not opened.
  mutating func recordDoubt() { isDoubtful = true }

  /// Counts a final outcome.
  mutating func count(_ outcome: InstanceState.Outcome) {
    guard !outcome.countsAsSuccess else { return }
    switch outcome.status {
    case .succeeded: break
    case .cancelled: if outcome.reason == .writeLimit { hasReachedWriteLimit = true }
    case .inDoubt: isDoubtful = true
    case .failed, .skipped:
      hasFailed = true
      if outcome.skipReason == .permission { isDenied = true }
      switch outcome.reason {
      case .token, .permission: isDenied = true
      case .throttled: isThrottled = true
      default: break
      }
    }
  }

  /// The status and the exit code of the run.
  ///
  /// When several apply, the first of these decides: stopped by a signal that kept a call from being
  /// sent or awaited (`isCutShort`), in doubt, permission or token, throttled, never reached, failed.
  func ending(
    isCutShort: Bool, wasReached: Bool, outOfQuota: QuotaPause? = nil
  ) -> (status: RunStatus, exitCode: Int) {
    if isCutShort, let cancellation { return (.cancelled, cancellation) }
    if isDoubtful { return (.inDoubt, 3) }
    if isDenied { return (.failed, 77) }
    if isThrottled || hasReachedWriteLimit { return (.unfinished, 75) }
    if let outOfQuota { return (.unfinished, outOfQuota.cause == .outage && !wasReached ? 69 : 75) }
    if hasFailed { return (.failed, wasReached ? 1 : 69) }
    return (.succeeded, 0)
  }
}
