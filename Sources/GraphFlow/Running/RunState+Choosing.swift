import GraphAPI
import JSONPath

/// Which instances are due, and which never will be.
extension RunState {
  /// Looks at everything that has become due, and opens items that there is room for.
  mutating func prepareRound(at now: Duration) {
    if isStopped || groups.contains(where: \.sendsNoMore) { giveUpWaiting(at: now) }
    chooseProbes(at: now)
    for instance in delayed.sorted() {
      guard case .delayed(let until) = instances[instance].phase, until <= now else { continue }
      delayed.remove(instance)
      instances[instance].phase = .waiting
      // Otherwise it followed something in its batch that is not over yet.
      if packer.isFree(instance) { consider(instance, at: now) }
    }
    var isMoving = true
    while isMoving {
      isMoving = advanceGroups(at: now) || !freed.isEmpty
      let due = freed.sorted()
      freed = []
      for instance in due where isOpen(instance) && instances[instance].phase == .waiting {
        consider(instance, at: now)
      }
    }
  }

  /// Whether nothing more is sent for an instance: the run is stopped, or too many items of its
  /// group have failed.
  func isHeldBack(_ instance: Int) -> Bool {
    isStopped || graph.group(of: instance).map { groups[$0].sendsNoMore } == true
  }

  /// How an instance ends for which nothing more is sent: what failed stays failed.
  func endingHeldBack(_ instance: Int) -> Ending {
    if let failure = instances[instance].lastFailure {
      return Ending(status: .failed, failure: failure)
    }
    return skipByPermission(instance) ?? Ending(skipped: .stopped)
  }

  /// What is held back waits for nothing either.
  private mutating func giveUpWaiting(at now: Duration) {
    for instance in delayed.sorted() where isHeldBack(instance) {
      delayed.remove(instance)
      end(instance, endingHeldBack(instance), at: now)
    }
    let held = permissions.waitingInstances.filter { isHeldBack($0) }
    permissions.release(held)
    freed += held.filter { isOpen($0) }
  }

  /// Packs the next round from what is due.
  mutating func packRound() {
    // The packer leaves the value while it asks about the rest of it, so that nothing is copied.
    var packer = Packer.idle
    swap(&packer, &self.packer)
    // Asked through `self`, every admission would copy the whole value first.
    let state = self
    let batches = packer.nextRound(apart: failedBatches.probes, unfinished: groupsWithMoreItems) {
      state.admission(of: $0)
    }
    queue = batches[...]
    swap(&packer, &self.packer)
    guard !queue.isEmpty else { return }
    tally.round += 1
    chance = SplitMix64(seed: generator.next())
  }

  /// Looks at an instance that waits for nothing: it is ready, or it is over.
  private mutating func consider(_ instance: Int, at now: Duration) {
    let request = request(of: instance)
    do throws(BindingFailure) {
      if let skip = try reasonToSkip(instance, request) {
        end(instance, skip, at: now)
        return
      }
      if readsPermissionsLate { scheduleLookups(of: instance) }
      if let failure = permissionFailure(instance) {
        end(instance, Ending(status: .failed, failure: failure), at: now)
        return
      }
      if let subject = awaitsPermissions(instance) {
        permissions.wait(instance, for: subject)
        return
      }
      var bound = try bound(request, for: instance, leftToGraph: [], readFile: context.readFile)
      // Read once more when they are sent: until then many may wait.
      bound.operation.files = []
      instances[instance].bound = bound
      instances[instance].phase = .ready
      packer.offer(instance)
    } catch {
      end(instance, Ending(status: .failed, failure: error.failure), at: now)
    }
  }

  /// Fills a request's placeholders, on the page that is next if it follows pages.
  func bound(
    _ request: Workflow.Request,
    for instance: Int,
    leftToGraph: Set<Int>,
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

  /// Why an instance is not sent at all, if so.
  private func reasonToSkip(
    _ instance: Int,
    _ request: Workflow.Request
  ) throws(BindingFailure) -> Ending? {
    if isHeldBack(instance) { return endingHeldBack(instance) }
    if let skip = skipByDependency(instance, request) { return skip }
    if let when = request.when, try !holds(when, for: instance) {
      return Ending(skipped: .condition, detail: when.text, isRefunded: true)
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
    // A clean-up runs whatever happened, but what it refers to has to have a body.
    let blocking =
      request.runsAfterFailure ? missing.filter { lacksBody($0, request) } : missing
    guard let first = blocking.first else { return nil }
    let isRefunded = blocking.allSatisfy(isRefunded)
    return Ending(skipped: .dependency, detail: name(of: first), isRefunded: isRefunded)
  }

  /// Whether what waits for an instance, or for a group, may start.
  private func hasResult(_ end: Int) -> Bool {
    end < 0 ? groups[~end].hasResult : instances[end].hasSucceeded
  }

  private func isRefunded(_ end: Int) -> Bool {
    end < 0
      ? groups[~end].unopenedIsRefunded == true : instances[end].outcome?.isRefunded == true
  }

  /// Whether something that is sent needs a body that is not there, and has no default.
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

  private func holds(
    _ condition: Expression,
    for instance: Int
  ) throws(BindingFailure) -> Bool {
    let operands = try bindings(for: instance).operands(of: condition)
    do {
      return try condition.logical.evaluate(root: nil, host: .init(operands: operands)).holds
    } catch {
      throw .queryLimit(condition.text)
    }
  }

  /// Whether and how an instance may be placed now: one that is ready, or one that could follow
  /// such a one in its batch and that nothing else keeps back.
  private func admission(of instance: Int) -> Packer.Admission {
    // A course that was planned before an item was over still names it.
    guard isOpen(instance) else { return .notNow }
    let request = request(of: instance)
    let isUnsafe = request.isUnconfirmable
    if graph.requests.isAlone[graph.request(of: instance)] {
      // It follows nothing in its call, so it is due or not to be sent: it may be over by now.
      return instances[instance].phase == .ready ? .alone : .notNow
    }
    switch instances[instance].phase {
    case .ready:
      guard let bound = instances[instance].$bound else { return .notNow }
      return bound.value.mustBeSentAlone ? .alone : .batch(isUnsafe: isUnsafe)
    case .waiting: break
    // What is looked for, or waits for a time, keeps what it was last sent as.
    case .delayed, .isolated, .underWay, .recovering, .doubtful, .ended: return .notNow
    }
    let predecessors = graph.predecessors(of: instance).map(\.request)
    let unfinished = Set(predecessors.filter { $0 >= 0 && !instances[$0].isFinished })
    guard predecessors.allSatisfy({ unfinished.contains($0) || hasResult($0) }),
      permissionFailure(instance) == nil, awaitsPermissions(instance) == nil,
      let bound = try? bound(
        request,
        for: instance,
        leftToGraph: unfinished,
        readFile: { _ in [] }
      ),
      !bound.mustBeSentAlone,
      (try? waitsOnlyForItsTurn(instance, request)) == true
    else { return .notNow }
    return .batch(isUnsafe: isUnsafe)
  }

  /// Whether a follower would be sent if its predecessors were over and had succeeded.
  private func waitsOnlyForItsTurn(
    _ instance: Int,
    _ request: Workflow.Request
  ) throws(BindingFailure) -> Bool {
    if isHeldBack(instance) { return false }
    if let when = request.when, try !holds(when, for: instance) { return false }
    return skipByPermission(instance) == nil
  }
}

extension Packer {
  /// A packer of nothing.
  fileprivate static let idle = Packer(
    graph: InstanceGraph(DependencyGraph(isAlone: [], constraints: [])),
    limits: BatchLimits()
  )
}
