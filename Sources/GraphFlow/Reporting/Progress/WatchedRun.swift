internal import JSONPath

/// What a run has done so far, for people who watch it: a fold over its events.
///
/// Memory grows with the calls in flight and the kinds of failures, not with the run.
package struct WatchedRun: Sendable {
  /// How many requests a run has.
  package struct Total: Hashable, Sendable {
    package var known: Int
    /// Whether all are known; false if the items of a group come from an answer.
    package var isComplete: Bool

    init(known: Int, isComplete: Bool) { (self.known, self.isComplete) = (known, isComplete) }

    /// Counts a workflow's requests, each once for each item of its group; only those of the shard, if
    /// there is one.
    package init(of workflow: Workflow, _ items: [Plan.Items], shard: Shard? = nil) {
      let parts = shard.map { ($0, JobParts(of: workflow).phases) }
      known = workflow.requests.indices.count { request in
        workflow.requests[request].group == nil
          && parts.map { $0.performs($1[request]) } ?? !workflow.conduct.given.contains(request)
      }
      isComplete = true
      guard shard?.performs(.items) != false else { return }
      for (group, items) in zip(workflow.groups, items)
      where !group.members.contains(where: workflow.conduct.given.contains) {
        if items == .unknown {
          isComplete = false
        } else {
          known += items.count * group.members.count
        }
      }
    }
  }

  private(set) var start: RunStart?
  private(set) var end: RunEnd?
  /// Nil for a run of another process whose number of requests was not known when it started.
  private(set) var total: Total?
  /// The figures of the requests that have ended.
  private(set) var done = Report.Summary()
  /// The number of attempts after the first one.
  private(set) var retried = 0
  private(set) var inFlight: [Int: CallStart] = [:]
  private(set) var callLimit: Int?
  /// How full the fullest of Graph's limits was when it was last reported, in percent.
  private(set) var usage: Int?
  private(set) var failures = FailureGroups()
  private var lastPause: QuotaPause?
  private var speed = Speed()

  package init(total: Total? = nil) { self.total = total }

  /// Applies one more event; returns whether it is the first failure of its kind.
  package mutating func apply(_ event: RunEvent) -> Bool {
    switch event {
    case .runStarted(let start):
      self.start = start
      if let known = start.total { total = Total(known: known, isComplete: true) }
    case .runResumed:
      // What did not succeed is sent again.
      let succeeded = done.succeeded
      (done, failures) = (Report.Summary(), FailureGroups())
      (done.requests, done.succeeded) = (succeeded, succeeded)
      (inFlight, lastPause, end) = ([:], nil, nil)
    case .callStarted(let call):
      inFlight[call.number] = call
      guard call.kind.carriesOperations else { return false }
      retried += call.operations.count { $0.number > 1 }
      lastPause = nil
    case .callEnded(let call):
      inFlight[call.number] = nil
      usage = (call.usage?.largestUse).map { Int(min(max($0, 0), 1000)) } ?? usage
    case .paused(let pause): lastPause = pause
    case .concurrencyChanged(let change): callLimit = change.calls
    case .requestEnded(let end): return count(end)
    case .runEnded(let end): self.end = end
    case .endLost, .permissionsRead, .tokenRead, .baselineRead, .itemsListed, .reportRun,
      .attemptEnded:
      break
    }
    return false
  }

  private mutating func count(_ end: RequestEnd) -> Bool {
    guard let facts = start?.requests, facts.indices.contains(end.request) else { return false }
    // Most requests succeed, and need no more than a count.
    guard end.status != .succeeded else {
      (done.requests, done.succeeded) = (done.requests + 1, done.succeeded + 1)
      return false
    }
    var request = Report.Request(index: end.request, allFacts: facts, item: end.item)
    request.end = end
    done.count(request)
    return failures.add(request)
  }

  /// The pause that the run is in.
  func pause(at now: Timestamp) -> QuotaPause? { lastPause.flatMap { $0.until > now ? $0 : nil } }

  /// Notes how far the run is, at most once a second: the speed is computed from these notes.
  package mutating func note(at now: Timestamp) {
    // A run that waits is not slow.
    if pause(at: now) != nil { speed = Speed() } else { speed.add(done.requests, at: now) }
  }

  /// The operations that end in a second; nil at the beginning.
  var operationsPerSecond: Double? { speed.rate }

  /// The time until the end, in milliseconds; nil if that is unknown.
  var millisecondsLeft: Int64? {
    guard let total, total.isComplete, let rate = speed.rate, rate > 0 else { return nil }
    return Int64(min(Double(max(total.known - done.requests, 0)) / rate * 1000, 1e12))
  }

  /// The percentage of requests that have ended; nil while their number is unknown.
  var percentage: Int? {
    guard let total, total.isComplete, total.known > 0 else { return nil }
    return min(done.requests, total.known) * 100 / total.known
  }

  /// The speed over the last seconds.
  private struct Speed: Sendable {
    private static let span = 15
    private var notes: [(at: Timestamp, done: Int)] = []

    mutating func add(_ done: Int, at now: Timestamp) {
      guard now >= notes.last?.at.advanced(by: .seconds(1)) ?? now else { return }
      notes.append((now, done))
      if notes.count > Speed.span { notes.removeFirst() }
    }

    var rate: Double? {
      guard let first = notes.first, let last = notes.last, first.at < last.at else { return nil }
      return Double(last.done - first.done) * 1000
        / Double(last.at.milliseconds - first.at.milliseconds)
    }
  }
}
