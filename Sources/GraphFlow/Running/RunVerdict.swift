import GraphAPI

/// What the outcomes so far mean for the run as a whole.
struct RunVerdict: Hashable, Sendable {
  private var isDoubtful = false
  private var isDenied = false
  /// Whether a request failed because Graph refused more calls.
  private(set) var isThrottled = false
  private var hasFailed = false

  /// Notes a doubt of an earlier session that this one has not come to.
  mutating func recordDoubt() { isDoubtful = true }

  /// Counts an outcome that is final.
  mutating func count(_ outcome: InstanceState.Outcome) {
    guard !outcome.countsAsSuccess else { return }
    switch outcome.status {
    case .succeeded, .cancelled: break
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

  /// The status and the exit code; when several apply: stopped by a signal, doubt, permission or
  /// token, throttled, never reached, failed.
  ///
  /// - Parameters:
  ///   - cancellation: the exit code of the signal that kept something from being sent or awaited.
  ///   - wasReached: whether Graph answered any of the calls; true if there were none.
  ///   - outOfQuota: the pause that was too long to wait for, if that ended the run.
  /// - Returns: how the run ended.
  func ending(
    cancellation: Int?,
    wasReached: Bool,
    outOfQuota: QuotaPause? = nil
  ) -> (status: RunStatus, exitCode: Int) {
    if let cancellation { return (.cancelled, cancellation) }
    if isDoubtful { return (.inDoubt, 3) }
    if isDenied { return (.failed, 77) }
    if isThrottled { return (.unfinished, 75) }
    if let outOfQuota {
      return (.unfinished, outOfQuota.cause == .outage && !wasReached ? 69 : 75)
    }
    if hasFailed { return (.failed, wasReached ? 1 : 69) }
    return (.succeeded, 0)
  }
}
