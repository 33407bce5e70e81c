import GraphAPI
import JSONPath

/// Decides which instances are ready, and which are never sent.
extension RunState {
  /// Evaluates every instance that no longer waits, and opens items while there is room.
  mutating func prepareRound(at now: Duration) {
    if isStopped || groups.contains(where: \.hasReachedFailureLimit) { giveUpWaiting(at: now) }
    chooseProbes(at: now)
    for instance in delayed.sorted() {
      guard case .delayed(let until) = instances[instance].phase, until <= now else { continue }
      delayed.remove(instance)
      instances[instance].phase = .waiting
      // Otherwise it follows an operation of its batch that has not finished yet.
      if packer.isFree(instance) { prepareInstance(instance, at: now) }
    }
    var isMoving = true
    while isMoving {
      isMoving = advanceGroups(at: now) || !unblocked.isEmpty
      let candidates = unblocked.sorted()
      unblocked = []
      for instance in candidates where isOpen(instance) && instances[instance].phase == .waiting {
        prepareInstance(instance, at: now)
      }
    }
  }

  /// Whether an instance must not be sent: the run or its group has been stopped by failures.
  func isHeldBack(_ instance: Int) -> Bool {
    isStopped || graph.group(of: instance).map { groups[$0].hasReachedFailureLimit } == true
  }

  /// The ending of an instance that must not be sent: a failed one keeps its failure.
  func endingHeldBack(_ instance: Int) -> Ending {
    if let failure = instances[instance].lastFailure {
      return Ending(status: .failed, failure: failure)
    }
    return skipByPermission(instance) ?? Ending(skipped: .stopped)
  }

  /// Completes the instances that wait for a time or for permissions and must not be sent any more.
  private mutating func giveUpWaiting(at now: Duration) {
    for instance in delayed.sorted() where isHeldBack(instance) {
      delayed.remove(instance)
      completeInstance(instance, endingHeldBack(instance), at: now)
    }
    let held = permissions.waitingInstances.filter { isHeldBack($0) }
    permissions.release(held)
    unblocked += held.filter { isOpen($0) }
  }

  /// Packs the next round from the ready instances.
  mutating func packRound() {
    // The packer is moved out while it calls back into the rest of the state: no copy is made.
    var packer = Packer.idle
    swap(&packer, &self.packer)
    // Through the mutating `self` every admission would copy the whole state first.
    let state = self
    let batches = packer.nextRound(apart: failedBatches.probes, unfinished: groupsWithMoreItems) {
      state.admission(of: $0)
    }
    queue = batches[...]
    swap(&packer, &self.packer)
    guard !queue.isEmpty else { return }
    tally.round += 1
    roundGenerator = SplitMix64(seed: generator.next())
  }

  /// Evaluates an instance without pending dependencies: makes it ready, or completes it.
  private mutating func prepareInstance(_ instance: Int, at now: Duration) {
    let request = request(of: instance)
    do throws(BindingFailure) {
      if let skip = try reasonToSkip(instance, request) {
        completeInstance(instance, skip, at: now)
        return
      }
      if readsPermissionsLate { scheduleLookups(of: instance) }
      if let failure = permissionFailure(instance) {
        completeInstance(instance, Ending(status: .failed, failure: failure), at: now)
        return
      }
      if let subject = awaitsPermissions(instance) {
        permissions.wait(instance, for: subject)
        return
      }
      var bound = try bound(request, for: instance, leftToGraph: [], readFile: context.readFile)
      // Files are read again for the call: many instances may wait until then.
      bound.operation.files = []
      instances[instance].bound = bound
      instances[instance].phase = .ready
      packer.offer(instance)
    } catch {
      completeInstance(instance, Ending(status: .failed, failure: error.failure), at: now)
    }
  }

  /// Fills a request's placeholders; with `paginate`, for the next page.
  func bound(
    _ request: Workflow.Request, for instance: Int, leftToGraph: Set<Int>,
    readFile: (String) throws -> [UInt8]
  ) throws(BindingFailure) -> BoundRequest {
    var bound =
      if let prepared = preparedRequest(of: instance) {
        prepared
      } else {
        try bindings(for: instance, leftToGraph: leftToGraph).bound(request, readFile: readFile)
      }
    instances[instance].pages?.turn(&bound.operation)
    return bound
  }

  /// The ending of an instance that is not sent at all; nil if it is sent.
  private func reasonToSkip(
    _ instance: Int, _ request: Workflow.Request
  ) throws(BindingFailure) -> Ending? {
    if isHeldBack(instance) { return endingHeldBack(instance) }
    if let skip = skipByDependency(instance, request) { return skip }
    if let when = request.when, try !holds(when, for: instance) {
      return Ending(skipped: .condition, detail: when.text, countsAsSuccess: true)
    }
    return skipByPermission(instance)
  }

  func skipByPermission(_ instance: Int) -> Ending? {
    let lacking = missingPermissions(of: instance)
    guard !lacking.isEmpty else { return nil }
    let list = lacking.map { "\($0.permission) (\($0.status))" }.joined(separator: ", ")
    return Ending(skipped: .permission, detail: list)
  }

  private func permissionFailure(_ instance: Int) -> Failure? {
    guard !request(of: instance).permissions.isEmpty, let subject = subject(of: instance) else {
      return nil
    }
    return permissions.failure(for: subject)
  }

  private func skipByDependency(_ instance: Int, _ request: Workflow.Request) -> Ending? {
    let missing = graph.predecessors(of: instance).map(\.request).filter { !hasResult($0) }
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
    end < 0 ? groups[~end].hasResult : instances[end].hasSucceeded
  }

  private func countsAsSuccess(_ end: Int) -> Bool {
    end < 0
      ? groups[~end].unopenedCountsAsSuccess == true
      : instances[end].outcome?.countsAsSuccess == true
  }

  /// Whether a request sends a value without a default from a body that does not exist.
  private func lacksBody(_ end: Int, _ request: Workflow.Request) -> Bool {
    guard end >= 0, bodies[end] == nil else { return false }
    var isNeeded = false
    request.forEachReference { placeholder, reference, place in
      guard place.isSent, placeholder.defaultValue == nil else { return }
      isNeeded = isNeeded || reference.request == graph.request(of: end)
    }
    return isNeeded
  }

  private func name(of end: Int) -> String {
    end < 0 ? workflow.groups[~end].name.description : request(of: end).displayName
  }

  private func holds(_ condition: Expression, for instance: Int) throws(BindingFailure) -> Bool {
    let operands = try bindings(for: instance).operands(of: condition)
    do {
      return try condition.logical.evaluate(root: nil, host: .init(operands: operands)).holds
    } catch {
      throw .queryLimit(condition.text)
    }
  }

  /// Whether and how an instance may be placed in this round.
  ///
  /// It may if it is ready, or if it only waits for ready instances that it could follow in a
  /// batch.
  private func admission(of instance: Int) -> Packer.Admission {
    // A course that was planned before an item was closed still contains it.
    guard isOpen(instance) else { return .notNow }
    let request = request(of: instance)
    let isUnsafe = request.isUnconfirmable
    if graph.requests.isAlone[graph.request(of: instance)] {
      // It cannot follow another operation in its call, and it may have finished by now.
      return instances[instance].phase == .ready ? .alone : .notNow
    }
    switch instances[instance].phase {
    case .ready:
      guard let bound = instances[instance].$bound else { return .notNow }
      return bound.value.mustBeSentAlone ? .alone : .batch(isUnsafe: isUnsafe)
    case .waiting: break
    // Instances in doubt or waiting for a time keep the request that was last sent.
    case .delayed, .isolated, .underWay, .recovering, .doubtful, .ended: return .notNow
    }
    let predecessors = graph.predecessors(of: instance).map(\.request)
    let unfinished = Set(predecessors.filter { $0 >= 0 && !instances[$0].isFinished })
    guard predecessors.allSatisfy({ unfinished.contains($0) || hasResult($0) }),
      permissionFailure(instance) == nil, awaitsPermissions(instance) == nil,
      let bound = try? bound(
        request, for: instance, leftToGraph: unfinished, readFile: { _ in [] }),
      !bound.mustBeSentAlone,
      (try? waitsOnlyForItsTurn(instance, request)) == true
    else { return .notNow }
    return .batch(isUnsafe: isUnsafe)
  }

  /// Whether a follower would be sent if all its predecessors had succeeded.
  private func waitsOnlyForItsTurn(
    _ instance: Int, _ request: Workflow.Request
  ) throws(BindingFailure) -> Bool {
    if isHeldBack(instance) { return false }
    if let when = request.when, try !holds(when, for: instance) { return false }
    return skipByPermission(instance) == nil
  }
}

extension Packer {
  /// A packer without instances.
  fileprivate static let idle = Packer(
    graph: InstanceGraph(DependencyGraph(isAlone: [], constraints: [])), limits: BatchLimits())
}
