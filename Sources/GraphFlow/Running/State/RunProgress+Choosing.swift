import GraphAPI
import JSONPath

/// Decides which instances are ready, and which are never sent.
extension RunProgress {
  /// Evaluates every instance that no longer waits, and opens items while there is room.
  ///
  /// - Returns: Whether more items could be opened, if those that were opened cannot be sent.
  mutating func prepare(_ credentials: inout Credentials) -> Bool {
    for instance in instances.delayed.sorted() {
      guard let until = instances.delay(of: instance), until <= now else { continue }
      move(instance, to: .waiting)
      // Otherwise it follows an operation of its batch that has not finished yet.
      if isFree(instance) { evaluate(instance, &credentials) }
    }
    let limit = openLimit
    while advanceGroups(upTo: limit, &credentials) || hasUnblocked {
      for instance in takeUnblocked()
      where items.isOpen(instance) && instances[instance].phase == .waiting {
        evaluate(instance, &credentials)
      }
    }
    return isCut(by: limit)
  }

  /// How much holds back what waits for a time or for permissions: the stop of the run, and each
  /// group that has reached its limit of failures.
  var reasonsToGiveUp: Int { (verdict.isStopped ? 1 : 0) + items.groupsAtFailureLimit }

  /// Completes the instances that wait for a time or for permissions and must not be sent any more.
  mutating func giveUpWaiting(_ credentials: inout Credentials) {
    guard reasonsToGiveUp > 0 else { return }
    for instance in instances.delayed.sorted() where isHeldBack(instance) {
      complete(instance, endingHeldBack(instance, credentials))
    }
    unblock(
      credentials.release { isHeldBack($0) || facts.request(of: $0).isCleanUp }
        .filter { items.isOpen($0) })
  }

  /// The ending of an instance that must not be sent: a failed one keeps its failure.
  func endingHeldBack(_ instance: Int, _ credentials: Credentials) -> Ending {
    if let failure = instances[instance].lastFailure {
      return Ending(status: .failed, failure: failure)
    }
    return credentials.skip(instance, self) ?? Ending(skipped: .stopped)
  }

  /// Completes every instance that did not finish, because nothing more is sent.
  mutating func completeRest(because unsent: Failure) {
    for request in facts.workflow.requests.indices
    where facts.workflow.requests[request].group == nil && !instances[request].isFinished {
      cancel(request, because: unsent)
    }
    completeGroups(because: unsent)
  }

  /// Completes every instance that did not finish and cleans nothing up; the groups are closed, so
  /// that what cleans up after them can start.
  mutating func completeAllButCleanUp(because unsent: Failure) {
    for request in facts.workflow.requests.indices
    where facts.workflow.requests[request].group == nil && !instances[request].isFinished
      && !facts.workflow.requests[request].isCleanUp
    {
      cancel(request, because: unsent)
    }
    completeGroups(because: unsent)
    for index in items.indices where !items[index].isFinished {
      rows.addGap(ofGroup: index)
      closeGroup(index)
    }
  }

  private mutating func completeGroups(because unsent: Failure) {
    for (index, group) in facts.workflow.groups.enumerated() {
      for position in items[index].open.keys.sorted() {
        for member in group.members {
          let instance = facts.graph.instance(of: member, item: position)
          guard items.isOpen(instance), !instances[instance].isFinished else { continue }
          cancel(instance, because: unsent)
        }
      }
      if !items[index].isFinished { completeUnopenedItems(of: index, because: unsent) }
    }
    if items.recorded.hasDoubtLeft { verdict.recordDoubt() }
  }

  /// Completes an instance that did not finish; one that was attempted keeps its last error.
  private mutating func cancel(_ instance: Int, because unsent: Failure) {
    if let doubt = instances[instance].doubt {
      complete(instance, Ending(status: .inDoubt, failure: doubt.failure), code: doubt.code)
      return
    }
    let failure = instances[instance].lastFailure ?? unsent
    // It may have a place in a batch.
    move(instance, to: .waiting)
    complete(instance, Ending(status: .cancelled, failure: failure))
  }

  /// Whether everything besides the clean-up has finished.
  var isOrdinaryComplete: Bool {
    items.indices.allSatisfy { items[$0].isFinished }
      && facts.workflow.requests.indices.allSatisfy {
        let request = facts.workflow.requests[$0]
        return request.group != nil || request.isCleanUp || instances[$0].isFinished
      }
  }

  /// Whether a request that cleans up has not finished.
  var hasCleanUpLeft: Bool { facts.cleanUps.contains { !instances[$0].isFinished } }

  /// Whether everything has finished.
  var isComplete: Bool { isOrdinaryComplete && !hasCleanUpLeft }

  /// Evaluates an instance without pending dependencies: makes it ready, or completes it.
  private mutating func evaluate(_ instance: Int, _ credentials: inout Credentials) {
    do throws(Failure) {
      if let skip = try reasonToSkip(instance, credentials) {
        complete(instance, skip)
        return
      }
      if facts.isShown(instance) {
        try show(instance)
        return
      }
      if credentials.readsLate { credentials.scheduleLookup(for: instance, &self) }
      if let failure = credentials.lookupFailure(of: instance, self) {
        complete(instance, Ending(status: .failed, failure: failure))
        return
      }
      if credentials.waits(instance, self) { return }
      beginKnownSplit(instance)
      var bound = try bound(instance, readFile: facts.context.readFile)
      // Files are read again for the call: many instances may wait until then.
      if !bound.operation.files.isEmpty { bound.operation.files = [] }
      makeReady(instance, as: bound)
    } catch {
      complete(instance, Ending(status: .failed, failure: error))
    }
  }

  /// Fills the placeholders of an instance's request, for the next part, page or step of a read.
  func bound(
    _ instance: Int, leftToGraph: Set<Int> = [], readFile: (String) throws -> [UInt8]
  ) throws(Failure) -> BoundRequest {
    var bound = try whole(instance, leftToGraph: leftToGraph, readFile: readFile)
    instances[instance].split?.turn(&bound.operation)
    instances[instance].pages?.turn(&bound.operation)
    try check(bound, of: instance)
    if facts.request(of: instance).isReport { turnReport(&bound.operation, of: instance) }
    return bound
  }

  /// Fills the placeholders of an instance's request, with everything that it reads.
  func whole(
    _ instance: Int, leftToGraph: Set<Int> = [], readFile: (String) throws -> [UInt8]
  ) throws(Failure) -> BoundRequest {
    if let prepared = items.preparedRequest(of: instance) { return prepared }
    return try bindings(for: instance, leftToGraph: leftToGraph).bound(
      facts.request(of: instance), readFile: readFile)
  }

  /// Refuses what the machine's guard does not allow, and a write that was not approved.
  private func check(_ bound: BoundRequest, of instance: Int) throws(Failure) {
    try facts.check(bound)
    let request = facts.request(of: instance)
    guard let approval = facts.options.approval, request.isWrite else { return }
    var refersToWrite = false
    request.forEachReference { _, reference, place in
      refersToWrite = refersToWrite || place.isSent && facts.isAfterWrite[reference.request]
    }
    let operation = refersToWrite ? try shown(instance) : bound.operation
    guard
      approval.holds(operation, of: request.displayName, items.item(of: instance)?.key)
    else { throw .notApproved }
  }

  /// Adds a write to the preview instead of sending it; what only waits for one is not sent either.
  private mutating func show(_ instance: Int) throws(Failure) {
    let request = facts.request(of: instance)
    if request.isWrite {
      let operation = try shown(instance)
      let condition = request.when.flatMap { facts.areUnknown($0.placeholders) ? $0.text : nil }
      preview.add(
        operation, of: request, at: facts.graph.request(of: instance),
        key: items.item(of: instance)?.key, condition: condition)
    }
    complete(instance, Ending(status: .cancelled, failure: .onlyShown))
  }

  /// A write as a preview shows it: the results of writes are references.
  private func shown(_ instance: Int) throws(Failure) -> BatchOperation {
    var bindings = bindings(for: instance)
    bindings.isUnknown = facts.isAfterWrite
    return try bindings.bound(
      facts.request(of: instance), readFile: facts.context.readFile
    ).operation
  }

  /// The ending of an instance that is not sent at all; nil if it is sent.
  private func reasonToSkip(
    _ instance: Int, _ credentials: Credentials
  ) throws(Failure) -> Ending? {
    if isHeldBack(instance) { return endingHeldBack(instance, credentials) }
    let request = facts.request(of: instance)
    if let skip = skipByDependency(instance, request) { return skip }
    if let when = request.when, !facts.areUnknown(when.placeholders),
      try !holds(when, for: instance)
    {
      return Ending(skipped: .condition, detail: when.text, countsAsSuccess: true)
    }
    return credentials.skip(instance, self)
  }

  private func skipByDependency(_ instance: Int, _ request: Workflow.Request) -> Ending? {
    let missing = facts.graph.predecessors(of: instance).map(\.request).filter {
      !hasResult($0) && !isOnlyShown($0)
    }
    if missing.isEmpty { return nil }
    // A clean-up runs after failures too, but the bodies that it refers to must exist.
    let blocking =
      request.runsAfterFailure ? missing.filter { lacksBody($0, request) } : missing
    guard let first = blocking.first else { return nil }
    let countsAsSuccess = blocking.allSatisfy(countsAsSuccess)
    return Ending(skipped: .dependency, detail: name(of: first), countsAsSuccess: countsAsSuccess)
  }

  /// Whether the dependents of an instance, or of a group, may start.
  private func hasResult(_ end: Int) -> Bool {
    end < 0 ? items[~end].hasResult : instances[end].hasSucceeded
  }

  /// Whether an instance, or a member of a group, was shown instead of being sent.
  private func isOnlyShown(_ end: Int) -> Bool {
    guard facts.options.writes == .shown else { return false }
    if end >= 0 { return instances[end].outcome?.status == .cancelled }
    return facts.workflow.groups[~end].members.contains { facts.isAfterWrite[$0] }
  }

  private func countsAsSuccess(_ end: Int) -> Bool {
    end < 0
      ? items[~end].outcomes.countAsSuccess()
      : instances[end].outcome?.countsAsSuccess == true
  }

  /// Whether a request sends a value without a default from a body that does not exist.
  private func lacksBody(_ end: Int, _ request: Workflow.Request) -> Bool {
    guard end >= 0, bodies[end] == nil else { return false }
    var isNeeded = false
    request.forEachReference { placeholder, reference, place in
      guard place.isSent, placeholder.defaultValue == nil else { return }
      isNeeded = isNeeded || reference.request == facts.graph.request(of: end)
    }
    return isNeeded
  }

  private func name(of end: Int) -> String {
    end < 0
      ? facts.workflow.groups[~end].name.description : facts.request(of: end).displayName
  }

  private func holds(_ condition: Expression, for instance: Int) throws(Failure) -> Bool {
    let operands = try bindings(for: instance).operands(of: condition)
    do {
      return try condition.logical.evaluate(root: nil, host: .init(operands: operands)).holds
    } catch {
      throw .queryLimit(condition.text)
    }
  }

  /// Packs the batches that may be sent now, each of the probes in a batch of its own.
  mutating func nextBatches(
    apart probes: [[Int]], underWay: [Int], _ credentials: Credentials
  ) -> [PackedBatch] {
    nextBatches(apart: probes, underWay: underWay) { $0.admission(of: $1, credentials) }
  }

  /// Whether and how an instance may be placed in a batch now.
  ///
  /// It may if it is ready, or if it only waits for ready instances that it could follow in a
  /// batch.
  private func admission(of instance: Int, _ credentials: Credentials) -> Packer.Admission {
    // A course that was planned before an item was closed still contains it.
    guard items.isOpen(instance) else { return .notNow }
    if facts.isShown(instance) { return .notNow }
    let request = facts.request(of: instance)
    let isUnsafe = request.isUnconfirmable
    if facts.graph.requests.isAlone[facts.graph.request(of: instance)] {
      // It cannot follow another operation in its call, and it may have finished by now.
      return instances[instance].phase == .ready ? .alone : .notNow
    }
    switch instances[instance].phase {
    case .ready:
      guard let bound = instances[instance].bound else { return .notNow }
      return bound.mustBeSentAlone ? .alone : .batch(isUnsafe: isUnsafe)
    case .waiting: break
    // Instances in doubt or waiting for a time keep the request that was last sent.
    case .delayed, .isolated, .underWay, .recovering, .doubtful, .ended: return .notNow
    }
    let predecessors = facts.graph.predecessors(of: instance).map(\.request)
    let unfinished = Set(predecessors.filter { $0 >= 0 && !instances[$0].isFinished })
    guard predecessors.allSatisfy({ unfinished.contains($0) || hasResult($0) }),
      credentials.lookupFailure(of: instance, self) == nil,
      credentials.awaitedSubject(of: instance, self) == nil,
      let bound = try? bound(instance, leftToGraph: unfinished, readFile: { _ in [] }),
      !bound.mustBeSentAlone,
      (try? waitsOnlyForItsTurn(instance, request, credentials)) == true
    else { return .notNow }
    return .batch(isUnsafe: isUnsafe)
  }

  /// Whether a follower would be sent if all its predecessors had succeeded.
  private func waitsOnlyForItsTurn(
    _ instance: Int, _ request: Workflow.Request, _ credentials: Credentials
  ) throws(Failure) -> Bool {
    if isHeldBack(instance) { return false }
    if let when = request.when, try !holds(when, for: instance) { return false }
    return credentials.skip(instance, self) == nil
  }
}
