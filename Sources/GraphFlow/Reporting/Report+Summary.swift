extension Report {
  /// The figures of a run.
  public struct Summary: Hashable, Sendable {
    /// The number of requests.
    public internal(set) var requests = 0
    /// The number of requests that succeeded.
    public internal(set) var succeeded = 0
    /// The number of requests that failed.
    public internal(set) var failed = 0
    /// The number of requests that were skipped.
    public internal(set) var skipped = 0
    /// The number of requests in doubt.
    public internal(set) var inDoubt = 0
    /// The number of requests that were cancelled.
    public internal(set) var cancelled = 0
    /// The number of attempts.
    public internal(set) var attempts = 0
    /// The number of HTTP calls of each kind; a kind without calls may be absent.
    package internal(set) var httpCalls: [CallKind: Int] = [:]
    /// The number of HTTP calls that carried requests.
    public var calls: Int {
      httpCalls.reduce(0) { $0 + ($1.key.carriesOperations ? $1.value : 0) }
    }
    /// The lower bound for the calls of any packing of these attempts; nil before the end.
    package internal(set) var callsLowerBound: Int?
    /// The time spent waiting for retries and throttling, in milliseconds; nil before the end.
    package internal(set) var waitedMilliseconds: Int64?
    /// The number of requests without an outcome.
    public var unfinished: Int { requests - succeeded - failed - skipped - inDoubt - cancelled }

    mutating func add(_ other: Report.Summary) {
      requests += other.requests
      succeeded += other.succeeded
      failed += other.failed
      skipped += other.skipped
      inDoubt += other.inDoubt
      cancelled += other.cancelled
      attempts += other.attempts
      httpCalls.merge(other.httpCalls, uniquingKeysWith: +)
      waitedMilliseconds = (waitedMilliseconds ?? 0) + max(0, other.waitedMilliseconds ?? 0)
    }

    /// The statuses with their numbers, the most urgent first.
    var statuses: [(name: String, count: Int)] {
      [
        ("in doubt", inDoubt), ("failed", failed), ("cancelled", cancelled), ("skipped", skipped),
        ("unfinished", unfinished), ("succeeded", succeeded),
      ]
    }

    mutating func count(_ request: Request) {
      requests += 1
      attempts += request.attempts.count
      switch request.status {
      case .succeeded: succeeded += 1
      case .failed: failed += 1
      case .skipped: skipped += 1
      case .inDoubt: inDoubt += 1
      case .cancelled: cancelled += 1
      case nil: break
      }
    }
  }

  /// The figures and failures of instances that are no longer kept.
  struct Released: Sendable {
    private(set) var summary = Summary()
    private(set) var groups = FailureGroups()

    mutating func count(_ request: Request) {
      summary.count(request)
      groups.add(request)
    }
  }

  /// The figures of the run.
  public var summary: Summary {
    var summary = released?.summary ?? Summary()
    for instance in instances.all { summary.count(instance) }
    summary.httpCalls = recordedCalls.counts
    summary.callsLowerBound = end?.callsLowerBound
    summary.waitedMilliseconds = end?.waitedMilliseconds
    return summary
  }

  /// The requests with problems, grouped, including those of instances that are no longer kept.
  package var failureGroups: [FailureGroups.Group] {
    var failures = released?.groups ?? FailureGroups()
    for request in requests { failures.add(request) }
    return failures.groups
  }

  /// How the run ended; `unfinished` while it has not.
  public var status: RunStatus { end?.status ?? .unfinished }

  /// The command's exit code.
  ///
  /// For a run without an end it is 3 if a write is in doubt, otherwise 75, because it can be resumed.
  public var exitCode: Int {
    if let end { return end.exitCode }
    return summary.inDoubt > 0 ? 3 : 75
  }

  /// The total time of the run's sessions, by the wall clock, in milliseconds; nil before the end.
  package var durationMilliseconds: Int64? {
    start == nil || end == nil ? nil : activeTime.milliseconds
  }
}
