import GraphAPI
import JSONPath

/// The state machine of a run: decides what to do next, and performs nothing itself.
///
/// ``Runner`` asks ``next(at:)``, performs the action and passes the result back. In between it
/// takes the events and journals them. Time is passed in as a duration since the run's start, on a
/// monotonic clock, and randomness as a seed. The same answers at the same times therefore give the
/// same run, and a test of a whole day of waiting takes microseconds.
///
/// A run proceeds in rounds. A round packs the ready requests into batches, sends all of them with
/// limited concurrency, and ends with the last answer. The run is therefore deterministic whatever
/// the order of the answers, and equal to its plan.
///
/// - Invariant: A request that succeeded is not sent again. A write is sent again only if it may be
///   repeated, or if it is proved that its last attempt had no effect.
package struct RunState: Sendable {
  /// What the runner has to do.
  package enum Action: Sendable {
    /// Obtain the token of a profile and call ``handleToken(_:forProfile:)``.
    case obtainToken(profile: String)
    /// Read more items of a group's file and call ``handleItems(_:forGroup:)``.
    case readItems(group: Int, path: String, atMost: Int)
    /// Journal the events, then make a call and pass its result to
    /// ``handleCallResult(_:forCall:at:)``.
    case send(Call)
    /// Wait for the result of one of the calls under way.
    case awaitResult
    /// No call is under way: wait until this time.
    case wait(until: Duration)
    /// The run has ended.
    case finish(RunEnd)
  }

  let workflow: Workflow
  let inputs: InputValues
  let options: RunOptions
  let context: RunContext
  let identity: (id: RunID, startedAt: Timestamp)
  /// The constraints between requests, and the numbering of instances.
  let graph: InstanceGraph

  var packer: Packer
  /// The state of every instance whose item is open or that has no item.
  var instances: InstanceTable<InstanceState>
  var groups: [GroupRun]
  /// What the journal of an interrupted run holds about instances.
  var recorded = RecordedItems()
  var bodies: Bodies
  /// Instances that no longer wait for a dependency and have to be evaluated.
  var unblocked: [Int] = []
  /// Instances that wait for a time, or for their turn in the bisection of a failed call.
  var delayed: Set<Int> = []
  /// The operations of calls that failed as a whole.
  var failedBatches = FailedBatches()
  /// The confirmation checks for writes in doubt, and their evidence.
  var confirmations: Confirmations
  /// The batches of this round that are still to be sent.
  var queue: ArraySlice<PackedBatch> = []
  var underWay: [Int: CallUnderWay] = [:]
  /// The tokens of profiles, and those that Graph refused.
  var tokens = ProfileTokens()
  /// The permissions of tokens that were read.
  var permissions = Permissions()
  /// Masks every secret that the run has received or found.
  var mask: SecretMask
  /// The values that the workflow file uses as tokens.
  let marks: TokenMarks
  var generator: SplitMix64
  /// The random generator of this round; every retry of the round draws from a copy of it.
  ///
  /// All of them wait for the same share of their delays, whatever the order of the answers, and
  /// are sent again together.
  var roundGenerator: SplitMix64
  /// The pace of the calls within Graph's limits.
  var pace: Pace
  var events: [RunEvent] = []
  var tally: RunTally
  /// Whether a request with `on_error: stop` has failed, or a required permission is missing.
  var isStopped = false
  /// The exit code of the signal that stopped the run.
  var cancellation: Int?
  /// Whether a call that was under way when the signal came was abandoned.
  var hasGivenUpCalls = false
  /// Whether this is a resumed run, whose start is in the journal already.
  var hasReplayed = false
  private var hasBegun = false

  /// Prepares a run of a workflow.
  ///
  /// - Parameters:
  ///   - workflow: The workflow to run.
  ///   - inputs: The values of its inputs.
  ///   - options: The options of the person who starts it.
  ///   - context: The environment: host, version, profiles, files.
  ///   - id: The run's identity.
  ///   - startedAt: The wall clock at the run's start.
  ///   - seed: The seed of the jitter.
  package init(
    workflow: Workflow, inputs: InputValues, options: RunOptions, context: RunContext, id: RunID,
    startedAt: Timestamp, seed: UInt64
  ) {
    self.workflow = workflow
    self.inputs = inputs
    self.options = options
    self.context = context
    identity = (id, startedAt)
    graph = InstanceGraph(DependencyGraph(of: workflow), of: workflow)
    packer = Packer(graph: graph, limits: options.limits)
    instances = InstanceTable(requestCount: workflow.requests.count, initial: InstanceState())
    groups = workflow.groups.map { _ in GroupRun() }
    bodies = Bodies(of: workflow, graph)
    tally = RunTally(requestCount: workflow.requests.count)
    generator = SplitMix64(seed: seed)
    roundGenerator = generator
    pace = Pace(Pacer(budget: options.budget, url: context.graphURL, appSecret: context.appSecret))
    confirmations = Confirmations(of: workflow)
    mask = context.secrets
    marks = TokenMarks(in: workflow)
    recordInitialSecrets()
  }

  /// Decides what to do next.
  ///
  /// The first of these steps that applies decides:
  ///
  /// 1. After a signal nothing new is started. The run waits for the answers to calls under way.
  /// 2. A token that Graph has refused is renewed before it is used again. The instances that
  ///    waited for it are then sent again or completed.
  /// 3. When the last round has finished, the next one is prepared. Permissions are read first.
  ///    Then the ready instances are evaluated, and may need further permissions. Checks for writes
  ///    in doubt come before any batch, because every answered write has its id by then. Items are
  ///    read before batches are packed, because the packing depends on whether more items follow.
  /// 4. The token of the next call is obtained.
  /// 5. Calls are sent with limited concurrency: checks for writes in doubt, then the checks before
  ///    the round's writes, then, once all of these are answered, the round's batches.
  /// 6. If nothing may be sent, the run waits for an answer, for Graph's limits, or for a time. If
  ///    there is nothing to wait for, the run has finished.
  ///
  /// - Parameter now: The time since the run's start.
  /// - Returns: The one thing to do before the next call of this function.
  package mutating func next(at now: Duration) -> Action {
    startIfNeeded()
    tally.endWait(at: now)
    while true {
      if isCancelled { return underWay.isEmpty ? finishCancelled(at: now) : .awaitResult }
      if let profile = tokens.profileToRenew { return .obtainToken(profile: profile) }
      settleRecoveries(at: now)
      if queue.isEmpty && confirmations.pendingChecks.isEmpty && underWay.isEmpty {
        if let action = prerequisite(at: now) { return action }
        prepareRound(at: now)
        if let action = prerequisite(at: now) { return action }
        confirmations.pendingChecks = readyChecks(at: now)[...]
        if confirmations.pendingChecks.isEmpty {
          if let action = itemsToRead { return action }
          packRound()
          scheduleBaselines(at: now)
        }
      }
      if let profile = missingToken { return .obtainToken(profile: profile) }
      pace.hold = nil
      let hadWork = !confirmations.pendingChecks.isEmpty || !queue.isEmpty
      if let call = nextCheck(at: now) ?? nextBaselineCall(at: now) { return .send(call) }
      if !readsBaselines, let call = nextCall(at: now) { return .send(call) }
      if !underWay.isEmpty { return .awaitResult }
      if let action = endHold(at: now) { return action }
      if let time = confirmations.baselines.nextTime, time > now {
        return wait(until: time, from: now)
      }
      // Calls without any operation left to send make way for ready instances.
      if !queue.isEmpty || !unblocked.isEmpty || hadWork && confirmations.pendingChecks.isEmpty {
        continue
      }
      guard let wakeUp = earliestWakeUp else { return finishRun(at: now) }
      if wakeUp > now { return wait(until: wakeUpTogether(for: wakeUp), from: now) }
    }
  }

  /// Stops the run: it starts nothing new, but waits for the calls under way.
  ///
  /// - Parameter exitCode: 130 or 143, depending on the signal.
  package mutating func cancel(exitCode: Int) { cancellation = exitCode }

  /// Whether nothing was sent yet.
  var hasMadeNoCall: Bool { tally.calls == 0 }

  /// Whether a signal has stopped the run.
  var isCancelled: Bool { cancellation != nil }

  /// Removes and returns the pending events, oldest first, with all secrets known by now masked.
  package mutating func takeEvents() -> [RunEvent] {
    var taken = events
    for index in taken.indices {
      if let clean = mask.redacted(taken[index]) { taken[index] = clean }
    }
    events = []
    // A call ends with about as many events as the last one.
    events.reserveCapacity(taken.count)
    return taken
  }

  /// Whether the pending events hold the intent or the outcome of a write.
  package var mustBeDurable: Bool {
    events.contains { event in
      switch event {
      case .runStarted, .runResumed, .endLost, .runEnded: true
      case .callStarted(let call):
        call.kind.carriesOperations && call.operations.contains { isWrite($0.request) }
      case .attemptEnded(let attempt): isWrite(attempt.attempt.request)
      case .requestEnded(let end): isWrite(end.request)
      case .permissionsRead, .tokenRead, .callEnded, .baselineRead, .itemsListed, .paused: false
      }
    }
  }

  /// The wall clock at a time of the run.
  func wallClock(at now: Duration) -> Timestamp { identity.startedAt.advanced(by: now) }

  /// The bindings for an instance's placeholders, with references to some instances left to Graph.
  func bindings(for instance: Int?, leftToGraph: Set<Int> = []) -> Bindings {
    Bindings(
      inputs: inputs, run: identity, bodies: bodies, item: instance.flatMap(item(of:)),
      leftToGraph: leftToGraph, secrets: mask)
  }

  /// The request of an instance.
  func request(of instance: Int) -> Workflow.Request {
    workflow.requests[graph.request(of: instance)]
  }

  /// The item of an instance; nil outside groups, and if the item is not open.
  func item(of instance: Int) -> Item? {
    guard let group = graph.group(of: instance) else { return nil }
    return groups[group].open[graph.item(of: instance)]?.item
  }

  /// Whether an instance exists; an instance of a group exists only while its item is open.
  func isOpen(_ instance: Int) -> Bool {
    guard let group = graph.group(of: instance) else { return true }
    return groups[group].open[graph.item(of: instance)] != nil
  }

  /// The item of an instance as events identify it.
  func itemID(of instance: Int) -> ItemID? {
    guard let group = graph.group(of: instance) else { return nil }
    let position = graph.item(of: instance)
    return groups[group].open[position].map { ItemID(index: position, key: $0.item.key) }
  }

  /// The profile whose token an instance uses; `nil` if it comes from a reference.
  func profile(of instance: Int) -> String? { profile(of: request(of: instance)) }

  /// The profile whose token a request uses; `nil` if it comes from a reference.
  func profile(of request: Workflow.Request) -> String? {
    guard case .profile(let profile) = request.token else { return nil }
    return profile == workflow.token ? context.profile ?? profile : profile
  }

  /// The profiles whose tokens instances use, without consecutive repetitions.
  func profiles(of instances: some Sequence<Int>) -> [String] {
    var profiles: [String] = []
    for instance in instances {
      guard let profile = profile(of: instance), profile != profiles.last else { continue }
      profiles.append(profile)
    }
    return profiles
  }

  private func isWrite(_ request: Int) -> Bool { workflow.requests[request].isWrite }

  private mutating func startIfNeeded() {
    guard !hasBegun else { return }
    hasBegun = true
    scheduleLookups()
    if !hasReplayed { events.append(.runStarted(runStart())) }
    unblocked += workflow.requests.indices.filter {
      workflow.requests[$0].group == nil && packer.isFree($0) && !instances[$0].isFinished
    }
  }

  /// The profile whose token the next calls need and that was not obtained yet.
  private var missingToken: String? {
    let own = profiles(of: queue.first?.requests ?? Array(confirmations.pendingChecks))
    let checked = confirmations.baselines.readings.filter { $0.check.bound.token == nil }.map(
      \.check.profile)
    return (checked + own).first { !tokens.isRead($0) }
  }

  private var earliestWakeUp: Duration? {
    let delays = delayed.compactMap { instance -> Duration? in
      guard case .delayed(let until) = instances[instance].phase else { return nil }
      return until
    }
    let others = [failedBatches.nextTime, earliestCheck, earliestLookup].compactMap(\.self)
    return (delays + others).min()
  }

  mutating func wait(until wakeUp: Duration, from now: Duration) -> Action {
    tally.beginWait(at: now)
    return .wait(until: wakeUp)
  }
}

extension RunState {
  /// The facts of the run at its start.
  ///
  /// When a run is resumed with a changed file, these are the facts of a run of the changed file.
  package func runStart() -> RunStart {
    let start = RunStart(
      id: identity.id, workflow: workflow.name, file: workflow.source.path,
      fileDigest: workflow.source.digest, startedAt: identity.startedAt,
      graphVersion: (workflow.version ?? context.version).description,
      graphURL: context.graphURL.description, profile: context.profile ?? workflow.token,
      isSandboxRun: context.isSandboxRun, inputs: inputs.forReport,
      requests: workflow.requests.enumerated().map { index, request in
        RequestFacts(
          name: request.displayName, method: request.method, path: request.path.text,
          line: request.location.line,
          dependsOn: graph.requests.predecessors(of: index).map {
            workflow.requests[$0.request].displayName
          }, isIdempotent: request.isIdempotent, isRepeated: request.group != nil)
      }, itemFiles: context.itemFiles, folder: context.workingFolder, options: options,
      key: context.runKey)
    return mask.redacted(start) ?? start
  }
}
