import GraphAPI
import JSONPath

/// The polling of a request: of `until`, or of the run that makes a report.
struct Polling: Hashable, Sendable {
  /// When it began in this process; nil before its first answer.
  var since: Duration?
  /// The id of the report's run; nil if there is none.
  var run: String?
  /// Whether the run is complete, so that its rows are read.
  var isComplete = false
  /// How many runs this process has lost: each needed an attempt of its own.
  var lostRuns = 0
}

/// How far a read with several steps has come.
struct ReadSteps: Sendable {
  /// The pages that were read so far.
  var pages: PageCollection?
  /// The polling of `until`, or of the run of a report.
  var polling: Polling?
  /// The parts of a read that was refused as a whole.
  var split: SplitRead?
}

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
    /// What could not be read, if the rest was.
    @Indirect var missing: JSON?

    init(_ end: RequestEnd) {
      status = end.status
      reason = end.failure?.reason
      skipReason = end.skipReason
      countsAsSuccess = end.countsAsSuccess
      missing = end.failure?.missing
    }
  }

  /// Changed by ``Instances/move(_:to:)`` only.
  fileprivate(set) var phase = Phase.waiting
  /// The request with its placeholders filled, once it is ready.
  var bound: BoundRequest?
  /// The attempts that were made.
  var attempts = AttemptHistory()
  /// The round of the last call with it; 0 if this process did not send it.
  var round: Int32 = 0
  /// Whether it was ever sent, in this process or before an interruption.
  var wasSent = false
  /// The steps of a read that has several; nil before the first one.
  @Indirect private var steps: ReadSteps?
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

  var pages: PageCollection? {
    get { $steps?.value.pages }
    set { setStep(\.pages, newValue) }
  }

  var polling: Polling? {
    get { $steps?.value.polling }
    set { setStep(\.polling, newValue) }
  }

  var split: SplitRead? {
    get { $steps?.value.split }
    set { setStep(\.split, newValue) }
  }

  private mutating func setStep<Step>(_ step: WritableKeyPath<ReadSteps, Step?>, _ value: Step?) {
    guard value != nil || $steps != nil else { return }
    var changed = steps ?? ReadSteps()
    changed[keyPath: step] = value
    steps = changed
  }

  /// Restores what a journal holds of it besides its outcome.
  mutating func restore(_ entry: RecordedItems.Entry) {
    attempts = AttemptHistory(madeBefore: entry.attempts)
    hasTakenEffect = entry.hasTakenEffect
    unprovedSince = entry.unprovedSince
    // A baseline from before an attempt that had no effect is too old for the next attempt: since
    // then anyone may have posted the same.
    evidence = entry.unprovedSince == nil ? nil : entry.evidence
    if let evidence = entry.evidence, evidence.baseline == nil { noteMissingBaseline(nil) }
    wasSent = entry.wasSent
    polling = entry.reportRun.map { Polling(run: $0) }
  }

  /// Notes that its confirmation check could not be read before it was sent, and why, if known.
  mutating func noteMissingBaseline(_ problem: String?) {
    note =
      "the confirmation check could not be read before the write was sent"
      + (problem.map { ": \($0)" } ?? "")
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

  /// The failure that makes the next attempt a retry; nil if this process sends it for the first
  /// time.
  ///
  /// The first attempt with a renewed token is not a retry.
  var retriedFailure: Failure? {
    attempts.first == nil || attempts.isNextFree ? nil : lastFailure
  }
}

/// The state of every instance whose item is open or that has no item.
struct Instances: Sendable {
  private var states: InstanceTable<InstanceState>
  /// Those that wait for a time, or for their turn in the bisection of a failed call.
  private(set) var delayed: Set<Int> = []
  /// The writes in doubt that are searched for.
  private(set) var doubtful: Set<Int> = []
  /// What split reads have learned.
  var splits = SplitMemory()

  init(requestCount: Int) {
    states = InstanceTable(requestCount: requestCount, initial: InstanceState())
  }

  subscript(instance: Int) -> InstanceState {
    @inline(__always) _read { yield states[instance] }
    @inline(__always) _modify { yield &states[instance] }
  }

  mutating func move(_ instance: Int, to phase: InstanceState.Phase) {
    switch states[instance].phase {
    case .delayed, .isolated: delayed.remove(instance)
    case .doubtful: doubtful.remove(instance)
    case .waiting, .ready, .underWay, .recovering, .ended: break
    }
    switch phase {
    case .delayed, .isolated: delayed.insert(instance)
    case .doubtful: doubtful.insert(instance)
    case .waiting, .ready, .underWay, .recovering, .ended: break
    }
    states[instance].phase = phase
  }

  /// Removes an instance whose item is closed.
  mutating func remove(_ instance: Int) { states.removeValue(of: instance) }

  /// When a delayed instance may be sent again; nil if it waits for something else.
  func delay(of instance: Int) -> Duration? {
    guard case .delayed(let until) = states[instance].phase else { return nil }
    return until
  }

  /// When the first delayed instance may be sent again.
  var earliestDelay: Duration? { delayed.compactMap(delay).min() }

  /// Those that wait for their turn in the bisection of a failed call.
  var isolated: Set<Int> { delayed.filter { states[$0].phase == .isolated } }

  /// The time to wake up for retries that are ready at a given time, or within 250 ms after it.
  ///
  /// They share a call, which is worth more than the short delay.
  func wakeUpTogether(for wakeUp: Duration) -> Duration {
    let limit = wakeUp + .milliseconds(250)
    return delayed.reduce(wakeUp) { latest, instance in
      guard let until = delay(of: instance), until <= limit, states[instance].lastFailure != nil
      else { return latest }
      return max(latest, until)
    }
  }
}

/// The final outcome of an instance, before it becomes an event.
struct Ending: Sendable {
  var status: RequestStatus
  /// The status of the answer; nil if there was none.
  var code: Int?
  var body: ResponseBody?
  var failure: Failure?
  var skipReason: SkipReason?
  var skipDetail: String?
  var expectations: [ExpectationResult] = []
  var resolvedPath: String?
  var countsAsSuccess = false
  /// The ids of the nodes that a write has made.
  var madeIDs: [String] = []

  init(
    status: RequestStatus, response: OperationResponse? = nil, failure: Failure? = nil,
    expectations: [ExpectationResult] = [], resolvedPath: String? = nil, madeIDs: [String] = []
  ) {
    self.status = status
    code = response?.code
    body = response?.body
    self.failure = failure
    self.expectations = expectations
    self.resolvedPath = resolvedPath
    self.madeIDs = madeIDs
  }

  init(skipped reason: SkipReason, detail: String? = nil, countsAsSuccess: Bool = false) {
    status = .skipped
    skipReason = reason
    skipDetail = detail
    self.countsAsSuccess = countsAsSuccess
  }

  /// The event; `code` is the status if the ending has no answer of its own.
  func requestEnd(
    of request: Workflow.Request, at index: Int, _ item: ItemID?, code: Int?, note: String?
  ) -> RequestEnd {
    let hasBody = body?.isAbsent == false && !request.omitsResponse
    var failure = failure
    if request.omitsResponse { failure?.answer = nil }
    return RequestEnd(
      request: index, item: item, status: status, code: self.code ?? code,
      body: hasBody ? body?.text : nil, bodyDepth: body?.depth,
      mayBodyContainSecret: body?.mayContainSecret, failure: failure,
      skipReason: skipReason, skipDetail: skipDetail, expectations: expectations,
      resolvedPath: resolvedPath,
      countsAsSuccess: countsAsSuccess || (status == .failed && request.onError == .ignore),
      madeIDs: madeIDs, note: note)
  }
}
