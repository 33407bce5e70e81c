/// Explains one request of a plan: what it waits for and why, its calls, and its possible results.
///
/// The reasons are those of the plan: the dependency graph consists of the same ``Dependency`` values.
package struct Explanation: Sendable {
  /// All reasons why the request waits for one other request.
  struct Waiting: Sendable {
    /// The request that it waits for.
    let predecessor: Int
    /// The reasons, in the order of the file.
    let reasons: [Dependency]
    /// The rounds in which the other request is sent.
    let rounds: ClosedRange<Int>?

    /// The strictest kind of the reasons.
    var kind: DependencyKind {
      if reasons.contains(where: { $0.kind == .hard }) { return .hard }
      return reasons.contains { $0.kind == .data } ? .data : .order
    }

    /// Why the two cannot share a batch.
    var obstacles: BatchObstacles { reasons.reduce(into: []) { $0.formUnion($1.obstacles) } }
  }

  /// The figures of the whole plan.
  package let summary: PlanSummary
  /// The request's index in the workflow.
  let index: Int
  /// What it waits for, in the order of the file.
  let waits: [Waiting]
  /// The calls that contain it.
  let calls: NumberRanges
  /// The rounds in which it is sent; nil if it is not sent because there are no items.
  let rounds: ClosedRange<Int>?
  /// The number of other operations in its call, if only one call contains it.
  let otherOperations: Int
  /// Whether each request travels alone.
  let isAlone: [Bool]

  /// Explains a request.
  ///
  /// - Parameters:
  ///   - index: the request's index in the workflow.
  ///   - planRounds: the plan, before its first round.
  package init(of index: Int, in planRounds: PlanRounds) {
    let workflow = planRounds.workflow
    isAlone = workflow.requests.map(\.isSentAlone)
    let dependencies = workflow.dependencies(of: index, isAlone: isAlone)
    let predecessors = Set(dependencies.map(\.predecessor)).sorted()
    var rounds: [Int: ClosedRange<Int>] = [:]
    var calls = NumberRanges()
    var otherOperations = 0
    for round in planRounds {
      for call in round.calls {
        for operation in call.operations
        where operation.request == index || predecessors.contains(operation.request) {
          let first = rounds[operation.request]?.lowerBound ?? round.number
          rounds[operation.request] = first...round.number
          guard operation.request == index else { continue }
          calls.append(call.number)
          otherOperations = call.operations.count - 1
        }
      }
    }
    self.index = index
    self.calls = calls
    self.otherOperations = otherOperations
    self.rounds = rounds[index]
    summary = PlanSummary(of: planRounds)
    waits = predecessors.map { predecessor in
      Waiting(
        predecessor: predecessor, reasons: dependencies.filter { $0.predecessor == predecessor },
        rounds: rounds[predecessor])
    }
  }

  var request: Workflow.Request { summary.workflow.requests[index] }

  func name(of request: Int) -> String { summary.workflow.requests[request].displayName }

  /// The earliest round in which the request could be sent, given the rounds of the others.
  var earliestRound: Int {
    waits.compactMap { wait in
      wait.rounds.map { lastRound(of: wait, $0) + (wait.kind == .hard ? 1 : 0) }
    }
    .max() ?? 1
  }

  /// The dependencies that keep the request from an earlier round.
  var decidingWaits: [Waiting] {
    guard let rounds, rounds.lowerBound > 1 else { return [] }
    return waits.filter { wait in
      guard let others = wait.rounds else { return false }
      let isHard = wait.kind == .hard
      return lastRound(of: wait, others) + (isHard ? 1 : 0) == rounds.lowerBound
        && (isHard || lastRound(of: wait, others) == rounds.lowerBound)
    }
  }

  /// A member of the same group waits for its own item only, other requests for the whole group.
  private func lastRound(of wait: Waiting, _ rounds: ClosedRange<Int>) -> Int {
    let group = summary.workflow.requests[wait.predecessor].group
    return group != nil && group == request.group ? rounds.lowerBound : rounds.upperBound
  }

  /// The requests that wait for this one directly.
  var dependents: [Int] {
    summary.workflow.requests.indices.filter { other in
      summary.workflow.dependencies(of: other, isAlone: isAlone)
        .contains { $0.predecessor == index }
    }
  }

  /// The requests that are skipped if this one has no result, directly or not, and those that still
  /// run.
  var affectedDependents: (skipped: [Int], run: [Int]) {
    let workflow = summary.workflow
    let graph = DependencyGraph(of: workflow)
    var (skipped, run): (Set<Int>, Set<Int>) = ([], [])
    var open = [index]
    while let request = open.popLast() {
      for successor in graph.successors(of: request).map(\.request) {
        if workflow.requests[successor].runsAfterFailure {
          run.insert(successor)
        } else if skipped.insert(successor).inserted {
          open.append(successor)
        }
      }
    }
    return (skipped.sorted(), run.subtracting(skipped).sorted())
  }
}
