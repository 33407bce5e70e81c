extension Report {
  /// The figures of a run.
  public struct Summary: Hashable, Sendable {
    /// How many requests there are.
    public internal(set) var requests = 0
    /// How many succeeded.
    public internal(set) var succeeded = 0
    /// How many failed.
    public internal(set) var failed = 0
    /// How many were skipped.
    public internal(set) var skipped = 0
    /// How many are in doubt.
    public internal(set) var inDoubt = 0
    /// How many were cancelled.
    public internal(set) var cancelled = 0
    /// How many tries were made.
    public internal(set) var attempts = 0
    /// How many HTTP calls carried them.
    public internal(set) var calls = 0
    /// The fewest calls that any packing of what was sent could have used; nil before the end.
    public internal(set) var callsLowerBound: Int?
    /// Time spent waiting for retries and throttles, in milliseconds; nil before the end.
    public internal(set) var waitedMilliseconds: Int64?

    /// How many have no outcome yet.
    public var unfinished: Int { requests - succeeded - failed - skipped - inDoubt - cancelled }
  }

  /// The figures of the run.
  public var summary: Summary {
    var summary = Summary()
    summary.requests = requests.count
    for request in requests {
      summary.attempts += request.attempts.count
      switch request.status {
      case .succeeded: summary.succeeded += 1
      case .failed: summary.failed += 1
      case .skipped: summary.skipped += 1
      case .inDoubt: summary.inDoubt += 1
      case .cancelled: summary.cancelled += 1
      case nil: break
      }
    }
    summary.calls = calls.count { $0.start.kind.carriesOperations }
    summary.callsLowerBound = end?.callsLowerBound
    summary.waitedMilliseconds = end?.waitedMilliseconds
    return summary
  }

  /// How the run ended; `unfinished` while it has not.
  public var status: RunStatus { end?.status ?? .unfinished }

  /// The command's exit code.
  ///
  /// Of a run without an end: 3 if a write is in doubt, else 75, for it can go on.
  public var exitCode: Int {
    if let end { return end.exitCode }
    return requests.contains { $0.status == .inDoubt } ? 3 : 75
  }

  /// From the start to the end by the wall clock, in milliseconds; nil before the end.
  public var durationMilliseconds: Int64? {
    guard let start, let end else { return nil }
    let (difference, isTooLong) = end.finishedAt.milliseconds.subtractingReportingOverflow(
      start.startedAt.milliseconds
    )
    // A clock that was set back must not make a run end before it started.
    return isTooLong ? nil : max(0, difference)
  }
}
