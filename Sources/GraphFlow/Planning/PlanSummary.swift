package import GraphAPI

/// The figures of a plan; their size does not depend on the size of the plan.
package struct PlanSummary: Sendable {
  /// The planned workflow.
  package let workflow: Workflow
  /// The limits of a call, and what is minimized.
  package let limits: BatchLimits
  /// The items of each group.
  package let items: [Plan.Items]
  /// The lower bound for any packing.
  package let lowerBound: LowerBound
  /// The number of HTTP calls.
  package private(set) var calls = 0
  /// The number of rounds; all calls of a round could be sent concurrently.
  package private(set) var rounds = 0
  /// The number of sequential round trips, if all calls take the same time.
  ///
  /// It takes into account the limits for concurrent calls, and for concurrent writes that cannot be
  /// confirmed.
  package var roundTrips: Int { roundTripsOfRounds + checkRoundTrips }
  /// The round trips of the rounds, without those of the confirmation checks.
  private(set) var roundTripsOfRounds = 0
  private var checkRoundTrips = 0
  /// The confirmation checks before the first sends; an upper bound.
  private var checks = CheckCount()
  /// The number of operations by method; each operation counts against Graph's rate limit.
  package private(set) var operations: [OperationMethod: Int] = [:]
  /// The number of operations.
  package var operationCount: Int { operations.values.reduce(0, +) }

  /// Computes the figures from all rounds of a plan.
  package init(of planRounds: PlanRounds) { self.init(of: planRounds, rounds: planRounds) }

  /// Computes the figures from rounds that were already packed.
  init(of planRounds: PlanRounds, rounds: some Sequence<Plan.Round>) {
    workflow = planRounds.workflow
    limits = planRounds.limits
    items = planRounds.items
    let (workflow, counts) = (planRounds.workflow, planRounds.items.map(\.count))
    lowerBound = LowerBound(for: DependencyGraph(of: workflow), limits: limits) { request in
      workflow.requests[request].group.map { counts[$0] } ?? 1
    }
    for round in rounds { add(round) }
  }

  private mutating func add(_ round: Plan.Round) {
    rounds += 1
    calls += round.calls.count
    let checkCalls = checks.add(round, of: workflow, width: limits.width)
    let concurrency = BatchLimits.standardConcurrency
    checkRoundTrips += (checkCalls + concurrency - 1) / concurrency
    var underWay = (calls: BatchLimits.standardConcurrency, unsafeWrites: 0)
    for call in round.calls {
      var unsafeWrites = 0
      for operation in call.operations {
        let request = workflow.requests[operation.request]
        operations[request.method, default: 0] += 1
        if request.isUnconfirmable { unsafeWrites += 1 }
      }
      if underWay.calls == BatchLimits.standardConcurrency
        || underWay.unsafeWrites + unsafeWrites > limits.unsafeWrites
      {
        roundTripsOfRounds += 1
        underWay = (0, 0)
      }
      underWay.calls += 1
      underWay.unsafeWrites += unsafeWrites
    }
  }

  /// The number of calls that read confirmation checks before writes are sent for the first time; they
  /// are not included in ``calls``.
  package var checkCalls: Int { checks.calls }

  /// The number of operations in these calls, each a GET.
  package var checkOperations: Int { checks.operations }

  /// The groups whose items are not known before the run.
  var unknownGroups: [Workflow.Group] {
    workflow.groups.indices.filter { items[$0] == .unknown }.map { workflow.groups[$0] }
  }
}
