import GraphAPI
import JSONPath

/// Decides what a run does next; does nothing itself.
///
/// A value. The shell around it, ``Runner``, asks ``next(at:)``, performs the action and hands in
/// what came of it; in between it takes the events out and journals them. Time comes in as a
/// duration since the run's start, on a clock that never steps; chance comes in as a seed. So the
/// same answers at the same times give the same run, and a whole day of waiting is tested in
/// microseconds.
///
/// It works in rounds: batches are packed from what is due, all of them are sent (as many at a time
/// as is allowed), and when the last answer is here the next round is packed. That makes a run
/// deterministic whatever the order of the answers, and equal to its plan.
///
/// - Invariant: nothing that succeeded is sent again, and no write is sent again unless it may be
///   repeated or it is proved that its last attempt did nothing.
package struct RunState: Sendable {
  /// What the shell has to do.
  package enum Action: Sendable {
    /// Obtain the token of a profile and call ``handleToken(_:forProfile:)``.
    case obtainToken(profile: String)
    /// Read more items of a group's file and call ``receive(_:forGroup:)``.
    case readItems(group: Int, path: String, atMost: Int)
    /// Journal what is to be journaled, then make a call and hand in its result.
    case send(Call)
    /// Wait for the result of one of the calls under way.
    case awaitResult
    /// Nothing is under way: wait until this time.
    case wait(until: Duration)
    /// The run is over.
    case finish(RunEnd)
  }

  let workflow: Workflow
  let inputs: InputValues
  let options: RunOptions
  let context: RunContext
  let identity: (id: RunID, startedAt: Timestamp)
  /// The constraints, and who is who among instances.
  let graph: InstanceGraph

  var packer: Packer
  /// Where every instance that is not over with its item stands.
  var instances: InstanceTable<InstanceState>
  var groups: [GroupRun]
  /// What an interrupted run knows of instances of items.
  var recorded = RecordedItems()
  var bodies: Bodies
  /// Instances that wait for nothing any more and have to be looked at.
  var freed: [Int] = []
  /// Requests that wait for a time, or for their turn among the suspects.
  var delayed: Set<Int> = []
  /// What shared calls that failed as a whole.
  var failedBatches = FailedBatches()
  /// What is known of lost writes, and which are looked for.
  var confirmations: Confirmations
  /// The batches of this round that were not sent yet.
  var queue: ArraySlice<PackedBatch> = []
  var underWay: [Int: CallUnderWay] = [:]
  /// The tokens of profiles, and those that Graph would not take.
  var tokens = ProfileTokens()
  /// What is known of the tokens' permissions.
  var permissions = Permissions()
  /// Every secret that the run knows, from where it was made or found.
  var mask: SecretMask
  /// What the file marks as tokens.
  let marks: TokenMarks
  var generator: SplitMix64
  /// The chance of this round: what fails in it waits for the same share of its delay, whatever the
  /// order of the answers, and comes back together.
  var chance: SplitMix64
  /// How fast Graph is asked.
  var pace: Pace
  var events: [RunEvent] = []
  var tally: RunTally
  /// Whether a request with `on_error: stop` has failed, or a required permission is missing.
  var isStopped = false
  /// The exit code of the signal that stopped the run.
  var cancellation: Int?
  /// Whether a call that was under way when the signal came was given up.
  var hasGivenUpCalls = false
  /// Whether this is a run that goes on, whose start is in the journal already.
  var hasReplayed = false
  private var hasBegun = false

  /// Prepares a run of a workflow.
  ///
  /// - Parameters:
  ///   - workflow: what is run.
  ///   - inputs: its inputs' values.
  ///   - options: what the person who starts it chose.
  ///   - context: the world: host, version, profiles, files.
  ///   - id: the run's identity.
  ///   - startedAt: the wall clock at the run's start.
  ///   - seed: the source of jitter.
  package init(
    workflow: Workflow,
    inputs: InputValues,
    options: RunOptions,
    context: RunContext,
    id: RunID,
    startedAt: Timestamp,
    seed: UInt64
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
    chance = generator
    pace = Pace(
      Pacer(budget: options.budget, url: context.graphURL, appSecret: context.appSecret)
    )
    confirmations = Confirmations(of: workflow)
    mask = context.secrets
    marks = TokenMarks(in: workflow)
    recordInitialSecrets()
  }

  /// Says what to do next.
  ///
  /// The first of these that there is, in this order:
  ///
  /// 1. After a signal nothing new is started; answers to calls under way are still awaited.
  /// 2. A token that Graph has refused is renewed before anything else is sent with it, and what
  ///    waited for it goes on or ends.
  /// 3. When the last round is over, the next one: permissions that must be known first, then what
  ///    has become ready, which may need further permissions. Looks for lost writes come before any
  ///    batch, while every write that was answered has its id. Then items are read, because whether
  ///    more of them come decides about the packing; then batches are packed.
  /// 4. The token of what is sent next is obtained.
  /// 5. Calls, as many at a time as is allowed: looks, then the confirmation checks of the round's
  ///    writes, then, once all of these are answered, its batches.
  /// 6. Nothing may be sent: an answer is awaited, or what Graph's limits ask for is done, or a time
  ///    is waited for. Without any of these the run is over.
  ///
  /// - Parameter now: the time since the run's start.
  /// - Returns: the one thing to do before this is asked again.
  package mutating func next(at now: Duration) -> Action {
    begin()
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
      // Calls that came to nothing leave the turn to what is ready and not packed yet.
      if !queue.isEmpty || !freed.isEmpty || hadWork && confirmations.pendingChecks.isEmpty {
        continue
      }
      guard let wakeUp = earliestWakeUp else { return finish(at: now) }
      if wakeUp > now { return wait(until: wakeUpTogether(for: wakeUp), from: now) }
    }
  }

  /// Stops starting anything new; calls under way are still awaited.
  ///
  /// - Parameter exitCode: 130 or 143, after the signal.
  package mutating func cancel(exitCode: Int) {
    cancellation = exitCode
  }

  /// Whether nothing was sent yet.
  var hasMadeNoCall: Bool { tally.calls == 0 }

  /// Whether the run was told to stop.
  var isCancelled: Bool { cancellation != nil }

  /// Takes the events that were not taken yet, oldest first, without the secrets that are known by now.
  package mutating func takeEvents() -> [RunEvent] {
    var taken = events
    for index in taken.indices {
      if let clean = mask.redacted(taken[index]) { taken[index] = clean }
    }
    events = []
    // As much room again: a call ends with about as many as the last.
    events.reserveCapacity(taken.count)
    return taken
  }

  /// Whether the events not taken yet hold the intent or the outcome of a write.
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
  func wallClock(at now: Duration) -> Timestamp {
    identity.startedAt.advanced(by: now)
  }

  /// What an instance's placeholders take their values from, with some instances left to Graph.
  func bindings(for instance: Int?, leftToGraph: Set<Int> = []) -> Bindings {
    Bindings(
      inputs: inputs,
      run: identity,
      bodies: bodies,
      item: instance.flatMap(item(of:)),
      leftToGraph: leftToGraph,
      secrets: mask
    )
  }

  /// The request that an instance is of.
  func request(of instance: Int) -> Workflow.Request {
    workflow.requests[graph.request(of: instance)]
  }

  /// The item that an instance is for, if it is of a group and its item is open.
  func item(of instance: Int) -> Item? {
    guard let group = graph.group(of: instance) else { return nil }
    return groups[group].open[graph.item(of: instance)]?.item
  }

  /// Whether an instance is there: one of a group only while its item is open.
  func isOpen(_ instance: Int) -> Bool {
    guard let group = graph.group(of: instance) else { return true }
    return groups[group].open[graph.item(of: instance)] != nil
  }

  /// What events call an instance.
  func itemID(of instance: Int) -> ItemID? {
    guard let group = graph.group(of: instance) else { return nil }
    let position = graph.item(of: instance)
    return groups[group].open[position].map { ItemID(index: position, key: $0.item.key) }
  }

  /// The profile whose token an instance uses; `nil` if it comes from a reference.
  func profile(of instance: Int) -> String? {
    profile(of: request(of: instance))
  }

  /// The profile whose token a request uses; `nil` if it comes from a reference.
  func profile(of request: Workflow.Request) -> String? {
    guard case .profile(let profile) = request.token else { return nil }
    return profile == workflow.token ? context.profile ?? profile : profile
  }

  /// The profiles whose tokens instances use; one for each row of those that use the same.
  func profiles(of instances: some Sequence<Int>) -> [String] {
    var profiles: [String] = []
    for instance in instances {
      guard let profile = profile(of: instance), profile != profiles.last else { continue }
      profiles.append(profile)
    }
    return profiles
  }

  private func isWrite(_ request: Int) -> Bool {
    workflow.requests[request].isWrite
  }

  private mutating func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    scheduleLookups()
    if !hasReplayed { events.append(.runStarted(runStart())) }
    freed += workflow.requests.indices.filter {
      workflow.requests[$0].group == nil && packer.isFree($0) && !instances[$0].isFinished
    }
  }

  /// The profile whose token the next batch needs and that was not asked for yet.
  private var missingToken: String? {
    let own = profiles(of: queue.first?.requests ?? Array(confirmations.pendingChecks))
    let checked = confirmations.baselines.readings.filter { $0.check.bound.token == nil }.map(
      \.check.profile
    )
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
  /// What is known when the run starts.
  ///
  /// Of a run that goes on with a changed file: what it would have been with this one.
  package func runStart() -> RunStart {
    let start = RunStart(
      id: identity.id,
      workflow: workflow.name,
      file: workflow.source.path,
      fileDigest: workflow.source.digest,
      startedAt: identity.startedAt,
      graphVersion: (workflow.version ?? context.version).description,
      graphURL: context.graphURL.description,
      profile: context.profile ?? workflow.token,
      isRehearsal: context.isRehearsal,
      inputs: inputs.forReport,
      requests: workflow.requests.enumerated().map { index, request in
        RequestFacts(
          name: request.displayName,
          method: request.method,
          path: request.path.text,
          line: request.location.line,
          dependsOn: graph.requests.predecessors(of: index).map {
            workflow.requests[$0.request].displayName
          },
          isIdempotent: request.isIdempotent,
          isRepeated: request.group != nil
        )
      },
      itemFiles: context.itemFiles,
      folder: context.workingFolder,
      options: options,
      key: context.runKey
    )
    return mask.redacted(start) ?? start
  }
}
