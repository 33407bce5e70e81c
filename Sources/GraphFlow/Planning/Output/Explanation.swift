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
      reasons.map(\.kind).min { $0.rawValue < $1.rawValue } ?? .order
    }

    /// Why the two cannot share a batch.
    var obstacles: BatchObstacles { reasons.reduce(into: []) { $0.formUnion($1.obstacles) } }
  }

  let plan: Plan
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

  /// Explains the request with an index in the workflow.
  package init(of index: Int, in plan: Plan) {
    let dependencies = plan.workflow.dependencies(of: index, isAlone: plan.course.graph.isAlone)
    let predecessors = Set(dependencies.map(\.predecessor)).sorted()
    var rounds: [Int: ClosedRange<Int>] = [:]
    var calls = NumberRanges()
    var otherOperations = 0
    for call in plan.course.lazy.flatMap(\.calls) {
      for operation in call.operations
      where operation.request == index || predecessors.contains(operation.request) {
        let first = rounds[operation.request]?.lowerBound ?? call.round
        rounds[operation.request] = first...call.round
        guard operation.request == index else { continue }
        calls.append(call.number)
        otherOperations = call.operations.count - 1
      }
    }
    self.plan = plan
    self.index = index
    self.calls = calls
    self.otherOperations = otherOperations
    self.rounds = rounds[index]
    waits = predecessors.map { predecessor in
      Waiting(
        predecessor: predecessor, reasons: dependencies.filter { $0.predecessor == predecessor },
        rounds: rounds[predecessor])
    }
  }

  var request: Workflow.Request { plan.workflow.requests[index] }

  func name(of request: Int) -> String { plan.name(of: request) }

  /// The earliest round in which the request could be sent, given the rounds of the others.
  var earliestRound: Int { waits.compactMap(earliestRound(after:)).max() ?? 1 }

  /// The dependencies that keep the request from an earlier round.
  var decidingWaits: [Waiting] {
    guard let rounds, rounds.lowerBound > 1 else { return [] }
    return waits.filter { earliestRound(after: $0) == rounds.lowerBound }
  }

  /// The earliest round that one dependency allows; nil if nothing is sent that it waits for.
  ///
  /// A member of the same group waits for its own item only, other requests for the whole group.
  private func earliestRound(after wait: Waiting) -> Int? {
    let group = plan.workflow.requests[wait.predecessor].group
    let isSameGroup = group != nil && group == request.group
    return wait.rounds.map {
      (isSameGroup ? $0.lowerBound : $0.upperBound) + (wait.kind == .hard ? 1 : 0)
    }
  }

  var dependents: [Int] { plan.course.graph.successors(of: index).map(\.request) }

  /// The requests that are skipped if this one has no result, directly or not, and those that still
  /// run.
  var affectedDependents: (skipped: [Int], run: [Int]) {
    var (skipped, run): (Set<Int>, Set<Int>) = ([], [])
    var open = [index]
    while let request = open.popLast() {
      for successor in plan.course.graph.successors(of: request).map(\.request) {
        if plan.workflow.requests[successor].runsAfterFailure {
          run.insert(successor)
        } else if skipped.insert(successor).inserted {
          open.append(successor)
        }
      }
    }
    return (skipped.sorted(), run.subtracting(skipped).sorted())
  }
}
