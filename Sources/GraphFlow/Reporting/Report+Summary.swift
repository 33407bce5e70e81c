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
    package internal(set) var callsLowerBound: Int?
    /// Time spent waiting for retries and throttles, in milliseconds; nil before the end.
    package internal(set) var waitedMilliseconds: Int64?

    /// How many have no outcome yet.
    public var unfinished: Int { requests - succeeded - failed - skipped - inDoubt - cancelled }

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

  /// What is left of instances that are not kept.
  struct Released: Sendable {
    /// How many problems are kept for the terminal's summary.
    static let problemLimit = 100

    /// How many there were, by outcome.
    private(set) var summary = Summary()
    /// The first of those that a person has to look at, without their bodies.
    private(set) var problems: [Request] = []
    /// How many more of them there are.
    private(set) var furtherProblems = 0
    /// Those that were not sent, of which the first of a kind are among the problems.
    private(set) var unsent = UnsentRequests()

    /// Counts an instance that is no longer kept.
    mutating func count(_ request: Request) {
      summary.count(request)
      guard request.isProblem, unsent.admits(request.end) else { return }
      guard problems.count < Released.problemLimit else {
        furtherProblems += 1
        return
      }
      var problem = request
      problem.end?.body = nil
      problems.append(problem)
    }
  }

  /// The figures of the run.
  public var summary: Summary {
    var summary = released?.summary ?? Summary()
    for instance in instances { summary.count(instance) }
    summary.calls = carryingCalls
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
    return summary.inDoubt > 0 ? 3 : 75
  }

  /// The time in which the run was at work, by the wall clock, in milliseconds: without the time from
  /// the end of one session to the start of the next; nil before the end.
  package var durationMilliseconds: Int64? {
    start == nil || end == nil ? nil : activity.milliseconds
  }
}
