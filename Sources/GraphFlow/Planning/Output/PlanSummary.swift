package import GraphAPI

/// What a plan comes to: figures that do not grow with it.
package struct PlanSummary: Sendable {
  /// The workflow that is planned.
  package let workflow: Workflow
  /// What a call may hold, and what is minimised.
  package let limits: BatchLimits
  /// The items of each group.
  package let items: [Plan.Items]
  /// What no packing can undercut.
  package let lowerBound: LowerBound
  /// The number of HTTP calls.
  package private(set) var calls = 0
  /// The number of rounds: of each, all calls could be under way together.
  package private(set) var rounds = 0
  /// The number of sequential round trips, as only so many calls, and so many writes that nobody
  /// could confirm, are under way at a time; each call taken to last equally long.
  package var roundTrips: Int { roundTripsOfRounds + checkRoundTrips }
  /// Those of the rounds, without what goes before for confirmation checks.
  private(set) var roundTripsOfRounds = 0
  private var checkRoundTrips = 0
  /// The confirmation checks before the first sends; at most so many.
  private var checks = CheckCount()
  /// How many operations there are of each method; each of them counts against Graph's rate limit.
  package private(set) var operations: [OperationMethod: Int] = [:]
  /// How many operations there are.
  package var operationCount: Int { operations.values.reduce(0, +) }

  /// Goes through a course to its end, and keeps the figures.
  package init(of course: PlanCourse) {
    self.init(of: course, rounds: course)
  }

  /// The figures of rounds that a course has given out.
  init(of course: PlanCourse, rounds: some Sequence<Plan.Round>) {
    workflow = course.workflow
    limits = course.limits
    items = course.items
    let (workflow, counts) = (course.workflow, course.items.map(\.count))
    lowerBound = LowerBound(
      for: DependencyGraph(of: workflow),
      limits: limits
    ) { request in
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

  /// The calls that read confirmation checks before writes are sent for the first time; with
  /// ``calls`` they are all that is sent.
  package var checkCalls: Int { checks.calls }

  /// The operations of these calls, each a GET.
  package var checkOperations: Int { checks.operations }

  /// The groups whose items are not known before the run.
  var unknownGroups: [Workflow.Group] {
    workflow.groups.indices.filter { items[$0] == .unknown }.map { workflow.groups[$0] }
  }
}
