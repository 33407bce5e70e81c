import GraphAPI
import JSONPath

/// Which requests are due, and which never will be.
extension RunState {
  /// Packs the next round from what is due.
  mutating func packRound(at now: Duration) {
    for request in delayed.sorted() {
      guard case .delayed(let until) = requests[request].phase, until <= now else { continue }
      delayed.remove(request)
      consider(request, at: now)
    }
    while !freed.isEmpty {
      let batch = freed.sorted()
      freed = []
      for request in batch where !requests[request].isOver { consider(request, at: now) }
    }
    // The packer leaves the value while it asks about the rest of it, so that nothing is copied.
    var packer = Packer.idle
    swap(&packer, &self.packer)
    queue = packer.nextRound { admission(of: $0) }[...]
    swap(&packer, &self.packer)
    if !queue.isEmpty { tally.round += 1 }
  }

  /// Looks at a request that waits for nothing: it is ready, or it is over.
  private mutating func consider(_ index: Int, at now: Duration) {
    let request = workflow.requests[index]
    do {
      if let skip = try reasonToSkip(index) {
        end(index, skip, at: now)
        return
      }
      if let failure = permissionFailure(index) {
        end(index, Ending(status: .failed, failure: failure), at: now)
        return
      }
      bound[index] = try bindings().bound(request, readFile: context.readFile)
      requests[index].phase = .ready
      packer.offer(index)
    } catch {
      end(index, Ending(status: .failed, failure: error.failure), at: now)
    }
  }

  /// Why a request is not sent at all, if so.
  private func reasonToSkip(_ index: Int) throws(BindingFailure) -> Ending? {
    let request = workflow.requests[index]
    if isStopped { return skipByPermission(index) ?? Ending(skipped: .stopped) }
    if let skip = skipByDependency(index, request) { return skip }
    if let when = request.when, try !holds(when) {
      return Ending(skipped: .condition, detail: when.text, isExcused: true)
    }
    return skipByPermission(index)
  }

  private func skipByPermission(_ index: Int) -> Ending? {
    guard let profile = permissionProfile(of: index) else { return nil }
    let lacking = permissions.lacking(workflow.requests[index].permissions, profile: profile)
    guard !lacking.isEmpty else { return nil }
    let list = lacking.map { "\($0.permission) (\($0.status))" }.joined(separator: ", ")
    return Ending(skipped: .permission, detail: list)
  }

  private func permissionFailure(_ index: Int) -> Failure? {
    guard !workflow.requests[index].permissions.isEmpty,
      let profile = permissionProfile(of: index)
    else { return nil }
    return permissions.failure(for: profile)
  }

  private func skipByDependency(_ index: Int, _ request: Workflow.Request) -> Ending? {
    let missing = graph.predecessors(of: index).map(\.request).filter {
      !requests[$0].hasSucceeded
    }
    // A clean-up runs whatever happened, but what it refers to has to have a body.
    let blocking =
      request.runsAfterFailure
      ? missing.filter { predecessor in
        bodies[predecessor] == nil
          && request.references.contains { $0.request == predecessor }
      } : missing
    guard let first = blocking.first else { return nil }
    let isExcused = blocking.allSatisfy { requests[$0].outcome?.isExcused == true }
    return Ending(
      skipped: .dependency,
      detail: workflow.requests[first].name.description,
      isExcused: isExcused
    )
  }

  private func holds(_ condition: Expression) throws(BindingFailure) -> Bool {
    let operands = try bindings().operands(of: condition)
    do {
      return try condition.logical.evaluate(root: nil, host: .init(operands: operands)).holds
    } catch {
      throw .queryLimit(condition.text)
    }
  }

  /// Whether and how a request may be placed now: one that is ready, or one that could follow such
  /// a one in its batch and that nothing else keeps back.
  private func admission(of index: Int) -> Packer.Admission {
    let request = workflow.requests[index]
    let isUnsafe = request.isUnsafeWrite
    if request.isAlone { return .alone }
    if let bound = bound[index] {
      return bound.mustTravelAlone ? .alone : .batch(isUnsafe: isUnsafe)
    }
    guard case .waiting = requests[index].phase else { return .notNow }
    let predecessors = graph.predecessors(of: index).map(\.request)
    let open = Set(predecessors.filter { !requests[$0].isOver })
    guard predecessors.allSatisfy({ open.contains($0) || requests[$0].hasSucceeded }),
      permissionFailure(index) == nil,
      let bound = try? bindings(leftToGraph: open).bound(request, readFile: context.readFile),
      !bound.mustTravelAlone,
      (try? waitsOnlyForItsTurn(index, request)) == true
    else { return .notNow }
    return .batch(isUnsafe: isUnsafe)
  }

  /// Whether a follower would be sent if its predecessors were over and had succeeded.
  private func waitsOnlyForItsTurn(
    _ index: Int,
    _ request: Workflow.Request
  ) throws(BindingFailure) -> Bool {
    if isStopped { return false }
    if let when = request.when, try !holds(when) { return false }
    guard let profile = permissionProfile(of: index) else { return true }
    return permissions.lacking(request.permissions, profile: profile).isEmpty
  }
}

extension Packer {
  /// A packer of nothing.
  fileprivate static let idle = Packer(
    graph: DependencyGraph(isAlone: [], constraints: []),
    limits: BatchLimits()
  )
}
