import GraphAPI
import JSONPath

/// How far a run is: the state of every instance, the items that are open, and the outcomes.
///
/// The phase of an instance changes only here, so that what waits for the instance is unblocked. The
/// extensions in other files use only the functions of this one.
struct RunProgress: Sendable {
  let facts: RunFacts
  /// The time of the current step, since the run's start.
  var now = Duration.zero
  var log: EventLog
  var verdict = RunVerdict()
  var items: GroupItems
  private(set) var instances: Instances
  private(set) var bodies: Bodies
  private(set) var claims = ClaimedNodes()
  var rows: CollectedRows
  private(set) var packer: Packer
  /// The writes that are only shown.
  var preview = WritePreview()
  /// Instances that no longer wait for a dependency and have to be evaluated.
  private var unblocked: [Int] = []

  init(_ facts: RunFacts) {
    self.facts = facts
    log = EventLog(for: facts)
    instances = Instances(requestCount: facts.workflow.requests.count)
    items = GroupItems(of: facts)
    rows = CollectedRows(
      of: facts.workflow, where: facts.shows, performs: { !facts.isElsewhere[$0] })
    bodies = Bodies(
      of: facts.workflow, facts.graph, where: facts.mayEvaluate, shows: facts.shows)
    packer = Packer(graph: facts.graph, limits: facts.options.limits)
  }

  /// The wall clock at the current step.
  var time: Timestamp { facts.wallClock(at: now) }

  // MARK: - Instances

  /// The state of an instance; its phase is changed by ``move(_:to:)`` and ``complete(_:_:code:)``.
  subscript(instance: Int) -> InstanceState {
    @inline(__always) _read { yield instances[instance] }
    @inline(__always) _modify { yield &instances[instance] }
  }

  /// What split reads have learned for the next ones.
  var splits: SplitMemory {
    get { instances.splits }
    set { instances.splits = newValue }
  }

  /// Whether an instance must not be sent: the run or its group has been stopped by failures.
  ///
  /// What cleans up is sent nevertheless, unless nothing was sent before.
  func isHeldBack(_ instance: Int) -> Bool {
    verdict.isStopped && !(verdict.hasSent && facts.request(of: instance).isCleanUp)
      || facts.graph.group(of: instance).map { items[$0].hasReachedFailureLimit } == true
  }

  /// Whether everything that an instance waits for is settled.
  func isFree(_ instance: Int) -> Bool { packer.isFree(instance) }

  /// The bindings for an instance's placeholders, with references to some instances left to Graph.
  func bindings(for instance: Int?, leftToGraph: Set<Int> = []) -> Bindings {
    Bindings(
      inputs: facts.inputs, run: facts.identity, bodies: bodies,
      item: instance.flatMap(items.item(of:)), leftToGraph: leftToGraph, secrets: log.mask)
  }

  /// The current attempt of an instance as events identify it.
  func attemptID(of instance: Int) -> AttemptID {
    AttemptID(
      request: facts.graph.request(of: instance), number: instances[instance].attempts.made,
      item: items.itemID(of: instance))
  }

  mutating func move(_ instance: Int, to phase: InstanceState.Phase) {
    instances.move(instance, to: phase)
    switch phase {
    case .ready, .underWay, .ended: break
    case .waiting, .delayed, .isolated, .recovering, .doubtful: packer.withdraw(instance)
    }
  }

  mutating func postpone(_ instance: Int, until time: Duration) {
    move(instance, to: .delayed(until: time))
  }

  /// Makes an instance wait for a place in a batch.
  mutating func makeReady(_ instance: Int, as bound: BoundRequest) {
    instances[instance].bound = bound
    move(instance, to: .ready)
    offer(instance)
  }

  /// Offers an instance to the packer.
  mutating func offer(_ instance: Int) { packer.offer(instance) }

  /// Makes an instance that was packed wait for a place in a later batch.
  mutating func putBack(_ instance: Int) {
    if instances[instance].bound != nil {
      offer(instance)
    } else {
      move(instance, to: .waiting)
    }
  }

  /// Records the start of an attempt.
  ///
  /// - Returns: Whether the instance was never sent before.
  mutating func startAttempt(of instance: Int, inCall call: Int, round: Int) -> Bool {
    defer { instances[instance].wasSent = true }
    verdict.recordSent()
    instances[instance].attempts.recordAttempt(at: now)
    instances[instance].round = Int32(truncatingIfNeeded: round)
    move(instance, to: .underWay(call: call))
    if facts.request(of: instance).confirmation != nil {
      claims.recordIntent(of: owner(of: instance), since: time)
    }
    return !instances[instance].wasSent
  }

  mutating func keepBody(_ body: ResponseBody, of instance: Int) { bodies.keep(body, of: instance) }

  mutating func forgetBody(of instance: Int) { bodies.forget(instance) }

  /// Handles a write whose last attempt may have taken effect.
  ///
  /// With a `confirm`, checks search for it; without one it ends in doubt, and a person has to
  /// decide.
  mutating func putInDoubt(
    _ instance: Int, _ failure: Failure, code: Int?, atLeast delay: Duration?
  ) {
    guard facts.request(of: instance).confirmation != nil else {
      complete(instance, Ending(status: .inDoubt, failure: failure), code: code)
      return
    }
    let doubt = Doubt(
      failure: failure, code: code, since: now, resendNotBefore: now + (delay ?? .zero),
      step: .scheduled(at: now))
    move(instance, to: .doubtful(doubt))
  }

  // MARK: - Outcomes

  /// Completes an instance: records the event, and unblocks its dependents.
  mutating func complete(_ instance: Int, _ ending: Ending, code: Int? = nil) {
    let outcome = record(
      ending, of: facts.graph.request(of: instance), item: items.itemID(of: instance), code: code,
      note: instances[instance].note)
    let isBad = ending.status == .failed || ending.status == .inDoubt
    if isBad && facts.request(of: instance).onError == .stop { verdict.stop() }
    move(instance, to: .ended(outcome))
    instances[instance].bound = nil
    instances[instance].split = nil
    if facts.canConfirm {
      claims.removeIntent(of: owner(of: instance))
      claims.claim(ending.madeIDs, at: time)
    }
    if let index = facts.graph.group(of: instance) {
      items[index].recordAnswer(ending.body?.count ?? 0)
    }
    let hasFailed = ending.status == .failed && !outcome.countsAsSuccess
    settle(instance, outcome, hasFailed: hasFailed || ending.status == .inDoubt)
  }

  /// Records an outcome and counts it.
  mutating func record(
    _ ending: Ending, of index: Int, item: ItemID?, code: Int? = nil, note: String? = nil
  ) -> InstanceState.Outcome {
    let end = ending.requestEnd(
      of: facts.workflow.requests[index], at: index, item, code: code, note: note)
    log.append(.requestEnded(end))
    let outcome = InstanceState.Outcome(end)
    verdict.count(outcome)
    return outcome
  }

  /// Unblocks what waits for an instance that has finished; the last one of an item closes it.
  private mutating func settle(
    _ instance: Int, _ outcome: InstanceState.Outcome, hasFailed: Bool
  ) {
    unblocked += packer.settle(instance)
    guard let index = facts.graph.group(of: instance) else { return }
    items[index].outcomes.record(
      outcome.status, of: facts.graph.request(of: instance),
      countsAsSuccess: outcome.countsAsSuccess)
    let position = facts.graph.item(of: instance)
    // Without a copy of the whole group.
    let maxFailures = facts.workflow.groups[index].maxFailures
    let item = rows.contains(group: index) ? items.item(of: instance) : nil
    guard items[index].recordInstanceEnd(ofItem: position, hasFailed: hasFailed, maxFailures)
    else { return }
    if let item { collectRows(of: item) }
    let members = facts.workflow.groups[index].members
    packer.closeItem(position, of: index, members: members)
    for member in members {
      let instance = facts.graph.instance(of: member, item: position)
      instances.remove(instance)
      forgetBody(of: instance)
    }
  }

  /// The identity of an instance in journal and report, independent of item numbers.
  private func owner(of instance: Int) -> ClaimedNodes.Owner {
    ClaimedNodes.Owner(
      request: facts.graph.request(of: instance), key: items.item(of: instance)?.key ?? "")
  }

  // MARK: - Resuming

  /// Takes over what a journal holds, and restores the requests outside groups.
  mutating func resume(from recorded: RecordedItems, _ claims: ClaimedNodes, hasSent: Bool) {
    items.resume(from: recorded)
    if hasSent { verdict.recordSent() }
    self.claims = claims
    for request in facts.workflow.requests.indices
    where facts.workflow.requests[request].group == nil && !facts.isElsewhere[request] {
      _ = restore(request)
    }
    unblocked = []
  }

  /// Takes over an outcome of another run of the job, before the first instance is evaluated.
  mutating func inherit(_ end: RequestEnd) {
    var end = end
    if !bodies.isNeeded(end.request) { end.body = nil }
    items.recorded.inherit(end)
    // There may be something to clean up after.
    if [.succeeded, .failed, .inDoubt].contains(end.status) { verdict.recordSent() }
  }

  /// Settles the requests outside groups that other runs of the job perform, and closes the groups
  /// whose items are not opened here.
  mutating func settleOtherParts() {
    for request in facts.workflow.requests.indices
    where facts.workflow.requests[request].group == nil { _ = isLeftToOthers(request) }
    for index in items.indices where !facts.opensItems(of: index) {
      items[index].isFinished = true
    }
    unblocked = []
  }

  /// Settles an instance that another run of the job performs.
  ///
  /// - Returns: Whether it is not sent; a GET whose body is needed, but not in the journal, is sent
  ///   again.
  private mutating func isLeftToOthers(_ instance: Int) -> Bool {
    let request = facts.graph.request(of: instance)
    guard facts.isElsewhere[request], !instances[instance].isFinished else { return false }
    let id = InstanceID(request: request, item: items.itemID(of: instance))
    if items.recorded.contains(id) { return restore(instance) }
    // Nothing here depends on it.
    let end = RequestEnd(request: request, status: .skipped, countsAsSuccess: true)
    let outcome = InstanceState.Outcome(end)
    move(instance, to: .ended(outcome))
    if facts.graph.group(of: instance) != nil { settle(instance, outcome, hasFailed: false) }
    return true
  }

  /// Restores an instance from the journal.
  ///
  /// - Returns: Whether it must not be started: it has finished, or it is in doubt.
  private mutating func restore(_ instance: Int) -> Bool {
    guard !items.recorded.isEmpty else { return false }
    let request = facts.request(of: instance)
    let (index, item) = (facts.graph.request(of: instance), items.itemID(of: instance))
    let entry = items.recorded.adopt(InstanceID(request: index, item: item))
    instances[instance].restore(entry)
    if items.recorded.isLost(entry, of: request) {
      complete(instance, Ending(status: .inDoubt, failure: entry.doubt ?? .lost))
      return true
    }
    if let failure = entry.doubt, entry.end == nil {
      putInDoubt(instance, failure, code: nil, atLeast: nil)
      return true
    }
    guard let end = entry.end, entry.isFinal, !items.mustBeReadAgain(index, item, end)
    else { return false }
    let outcome = InstanceState.Outcome(end)
    move(instance, to: .ended(outcome))
    if !entry.isInherited { verdict.count(outcome) }
    if let body = end.body {
      bodies.keep(ResponseBody(body), of: instance, isMasked: end.isTainted)
    }
    if end.status == .failed, request.onError == .stop { verdict.stop() }
    // Failures of earlier sessions do not count towards the group's limit.
    settle(instance, outcome, hasFailed: false)
    return true
  }

  // MARK: - Evaluating and packing

  /// Makes the requests outside groups that wait for nothing ready to be evaluated.
  mutating func unblockFirstRequests() {
    unblocked += facts.workflow.requests.indices.filter {
      facts.workflow.requests[$0].group == nil && packer.isFree($0) && !instances[$0].isFinished
    }
  }

  /// Makes instances ready to be evaluated.
  mutating func unblock(_ instances: some Sequence<Int>) { unblocked += instances }

  var hasUnblocked: Bool { !unblocked.isEmpty }

  /// Removes and returns the instances to evaluate, in order.
  mutating func takeUnblocked() -> [Int] {
    defer { unblocked = [] }
    return unblocked.sorted()
  }

  /// Packs the batches that may be sent while some instances are under way; each of some lists of
  /// instances gets a batch of its own.
  mutating func nextBatches(
    apart lists: [[Int]], underWay: [Int],
    admission: @escaping (RunProgress, Int) -> Packer.Admission
  ) -> [PackedBatch] {
    // The packer is moved out while it calls back into the rest of the state: no copy is made.
    var packer = Packer.idle
    swap(&packer, &self.packer)
    defer { swap(&packer, &self.packer) }
    // Through the mutating `self` every admission would copy the whole state first.
    let state = self
    return packer.nextBatches(
      apart: lists, underWay: underWay, unfinished: items.groupsWithMoreItems
    ) { admission(state, $0) }
  }

  /// Whether a number of calls can send everything that is not packed yet.
  func isSent(byCalls count: Int) -> Bool {
    guard count >= 0, let unopened = items.unopenedInstances else { return false }
    let width = facts.options.limits.width
    return packer.fewestCalls + (unopened + width - 1) / width <= count
  }

  /// The highest round of what the members of a batch waited for, or of their last attempts; nil if
  /// one of them waited for a whole group.
  func roundBefore(_ members: [PackedBatch.Member]) -> Int? {
    var highest: Int32 = 0
    var isAfterGroup = false
    for member in members {
      highest = max(highest, instances[member.request].round)
      facts.graph.forEachPredecessor(of: member.request) { predecessor in
        if predecessor.request < 0 {
          isAfterGroup = true
        } else {
          highest = max(highest, instances[predecessor.request].round)
        }
      }
    }
    return isAfterGroup ? nil : Int(highest)
  }

  // MARK: - Opening items and closing groups

  /// Opens an item: its instances exist from now on.
  ///
  /// What a journal holds of them is restored. The others end with the problem, if there is one.
  mutating func openInstances(ofItem position: Int, of index: Int, problem: Ending?) {
    let members = facts.workflow.groups[index].members
    packer.openItem(position, of: index, members: members)
    for member in members {
      let instance = facts.graph.instance(of: member, item: position)
      if isLeftToOthers(instance) || restore(instance) { continue }
      if let problem {
        complete(instance, problem)
      } else if packer.isFree(instance) {
        unblocked.append(instance)
      }
    }
  }

  /// Closes a group without open items, and unblocks what waits for it.
  mutating func closeGroup(_ index: Int) {
    items[index].isFinished = true
    for member in facts.workflow.groups[index].members {
      bodies.collect(member: member, itemCount: items[index].nextItem)
    }
    unblocked += packer.settle(~index)
  }
}

extension Packer {
  /// A packer without instances.
  fileprivate static let idle = Packer(
    graph: InstanceGraph(DependencyGraph(isAlone: [], constraints: [])), limits: BatchLimits())
}
