import GraphAPI

/// The calls of an ideal run, in which every request is answered at once and succeeds.
///
/// A plan records what the `Packer` does with a whole workflow. A run without failures and throttling
/// makes the same calls. A plan holds their figures, whose size does not depend on the number of
/// items; the calls themselves are made round by round.
public struct Plan: Sendable {
  /// HTTP calls that may be sent concurrently.
  package struct Round: Hashable, Sendable {
    /// The round's number, from 1.
    package let number: Int
    package let calls: [Call]
  }

  /// One HTTP call.
  package struct Call: Hashable, Sendable {
    /// The call's number, from 1.
    package let number: Int
    /// The round it belongs to, from 1.
    package let round: Int
    package let operations: [Operation]
    /// The numbers of the calls whose answers it needs.
    package let after: NumberRanges
    package internal(set) var closeReason: CloseReason

    /// Whether it is an operation sent alone rather than a batch.
    var isSingle: Bool { closeReason == .alone }
  }

  /// One request in a call.
  package struct Operation: Hashable, Sendable {
    /// The request's index in the workflow.
    package let request: Int
    /// The item of its group that it is sent for, from 0; nil outside groups.
    package let item: Int?
    /// The requests of the same call whose results Graph fills into it.
    package let inBatchReferences: [Int]
    /// The request of the same call that its `depends_on` names, if only the order matters.
    package let dependsOn: Int?
  }

  /// The items of a group before the run, if they are known.
  package enum Items: Hashable, Sendable {
    /// Their keys, in order.
    case known([String])
    /// Their number; there are too many to keep their keys.
    case counted(Int)
    /// Only another request's answer contains them; the group is planned as if it had one item.
    case unknown

    var count: Int {
      switch self {
      case .known(let keys): keys.count
      case .counted(let count): count
      case .unknown: 1
      }
    }
  }

  /// The rounds, before the first.
  package let course: PlanRounds
  package let lowerBound: LowerBound
  /// The number of HTTP calls, without those of confirmation checks.
  package private(set) var callCount = 0
  /// The number of sequential round trips.
  public private(set) var rounds = 0
  /// The number of operations by method; each operation counts against Graph's rate limit.
  private(set) var operations: [OperationMethod: Int] = [:]
  /// The confirmation checks before writes are sent for the first time, each a GET.
  private(set) var checks = CheckCount()
  /// The round trips of the rounds, without those of the confirmation checks, if all calls take the
  /// same time.
  ///
  /// It takes into account the limits for concurrent calls, and for concurrent writes that cannot be
  /// confirmed.
  private(set) var roundTripsOfRounds = 0
  private var checkRoundTrips = 0

  /// Plans a workflow.
  ///
  /// Deterministic, and without errors, because a ``Workflow`` is valid.
  ///
  /// - Parameters:
  ///   - workflow: the workflow.
  ///   - items: the items of each group; those of a group that is left out are unknown.
  ///   - limits: the limits of a call, and what is minimized.
  package init(for workflow: Workflow, items: [Items] = [], limits: BatchLimits = BatchLimits()) {
    let course = PlanRounds(for: workflow, items: items, limits: limits)
    self.course = course
    lowerBound = LowerBound(for: course.graph, limits: limits) { request in
      if workflow.conduct.given.contains(request) { return 0 }
      return workflow.requests[request].group.map { course.items[$0].count } ?? 1
    }
    for round in course { add(round) }
  }

  private mutating func add(_ round: Round) {
    let requests = workflow.requests
    rounds += 1
    callCount += round.calls.count
    let checkCalls = checks.add(round, of: requests, width: limits.width)
    var checksLeft = checkCalls
    while checksLeft > 0 {
      checkRoundTrips += 1
      checksLeft -= concurrency
    }
    var underWay = (calls: Int.max, unsafeWrites: 0)
    for call in round.calls {
      var unsafeWrites = 0
      for operation in call.operations {
        let request = requests[operation.request]
        operations[request.method, default: 0] += 1
        if request.isUnconfirmable { unsafeWrites += 1 }
      }
      if underWay.calls >= concurrency
        || underWay.unsafeWrites + unsafeWrites > limits.unsafeWrites
      {
        roundTripsOfRounds += 1
        underWay = (0, 0)
      }
      underWay.calls += 1
      underWay.unsafeWrites += unsafeWrites
    }
  }

  /// The most calls under way in the last round trip, if their number adapts and always grows.
  private var concurrency: Int {
    let range = BatchLimits.concurrency
    return min(range.lowerBound << min(roundTrips - 1, 8), range.upperBound)
  }

  /// The workflow that is planned.
  public var workflow: Workflow { course.workflow }

  /// The number of operations.
  public var operationCount: Int { operations.values.reduce(0, +) }

  var limits: BatchLimits { course.limits }

  package var items: [Items] { course.items }

  /// The round trips of the rounds and of the confirmation checks.
  var roundTrips: Int { roundTripsOfRounds + checkRoundTrips }
}
