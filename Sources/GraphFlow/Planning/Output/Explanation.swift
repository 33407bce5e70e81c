/// One request in its plan: what it waits for and why, what carries it, what follows.
///
/// The reasons are those by which the plan was made: ``Dependency`` is what the dependency graph
/// consists of, too.
package struct Explanation: Sendable {
  /// Everything for which the request waits for one other.
  struct Waiting: Sendable {
    /// The request that is waited for.
    let predecessor: Int
    /// The reasons, in the order in which they are written.
    let reasons: [Dependency]
    /// The rounds in which the other is sent.
    let rounds: ClosedRange<Int>?

    /// How the request waits, all in all.
    var kind: DependencyKind {
      if reasons.contains(where: { $0.kind == .hard }) { return .hard }
      return reasons.contains { $0.kind == .data } ? .data : .order
    }

    /// What keeps the two apart.
    var obstacles: BatchObstacles { reasons.reduce(into: []) { $0.formUnion($1.obstacles) } }
  }

  /// What the whole plan comes to.
  package let summary: PlanSummary
  /// The request's index in the workflow.
  let index: Int
  /// What it waits for, in the order of the file.
  let waits: [Waiting]
  /// The calls that carry it.
  let calls: NumberRanges
  /// The rounds in which it is sent; nil if it is not, for want of items.
  let rounds: ClosedRange<Int>?
  /// How many operations travel with it, if one call carries it.
  let companions: Int
  /// Whether each request travels alone.
  let isAlone: [Bool]

  /// Explains a request.
  ///
  /// - Parameters:
  ///   - index: the request's index in the workflow.
  ///   - course: the plan, before its first round.
  package init(of index: Int, in course: PlanCourse) {
    let workflow = course.workflow
    isAlone = workflow.requests.map(\.isSentAlone)
    let dependencies = workflow.dependencies(of: index, isAlone: isAlone)
    let predecessors = Set(dependencies.map(\.predecessor)).sorted()
    var rounds: [Int: ClosedRange<Int>] = [:]
    var calls = NumberRanges()
    var companions = 0
    for round in course {
      for call in round.calls {
        for operation in call.operations
        where operation.request == index || predecessors.contains(operation.request) {
          let first = rounds[operation.request]?.lowerBound ?? round.number
          rounds[operation.request] = first...round.number
          guard operation.request == index else { continue }
          calls.append(call.number)
          companions = call.operations.count - 1
        }
      }
    }
    self.index = index
    self.calls = calls
    self.companions = companions
    self.rounds = rounds[index]
    summary = PlanSummary(of: course)
    waits = predecessors.map { predecessor in
      Waiting(
        predecessor: predecessor,
        reasons: dependencies.filter { $0.predecessor == predecessor },
        rounds: rounds[predecessor]
      )
    }
  }

  var request: Workflow.Request { summary.workflow.requests[index] }

  func name(of request: Int) -> String { summary.workflow.requests[request].displayName }

  /// The round before which the request cannot be sent, as the others are planned.
  var earliestRound: Int {
    waits.compactMap { wait in
      wait.rounds.map { lastRound(of: wait, $0) + (wait.kind == .hard ? 1 : 0) }
    }
    .max() ?? 1
  }

  /// What keeps the request from an earlier round: what it has to wait longest for.
  var decisive: [Waiting] {
    guard let rounds, rounds.lowerBound > 1 else { return [] }
    return waits.filter { wait in
      guard let others = wait.rounds else { return false }
      let isHard = wait.kind == .hard
      return lastRound(of: wait, others) + (isHard ? 1 : 0) == rounds.lowerBound
        && (isHard || lastRound(of: wait, others) == rounds.lowerBound)
    }
  }

  /// Members of the same group wait item by item, others for the whole group.
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

  /// The requests that are skipped if this one has no result, directly or not, and those that run
  /// all the same.
  var consequences: (skipped: [Int], run: [Int]) {
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
