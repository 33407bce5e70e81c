import GraphAPI

/// The ideal course of a run: every request is answered at once and succeeds.
///
/// A plan is what the ``Packer`` does with a whole workflow, written down. A run that meets neither
/// failures nor throttles makes the same calls.
public struct Plan: Sendable {
  /// One HTTP call.
  public struct Call: Hashable, Sendable {
    /// The call's number, from 1.
    public let number: Int
    /// The round it belongs to, from 1.
    public let round: Int
    /// Whether it is an operation sent alone rather than a batch.
    public let isSingle: Bool
    /// What it carries, in order.
    public let operations: [Operation]
    /// The numbers of the calls whose answers it needs.
    public let after: [Int]
    /// Why nothing more is in it, for people.
    public let endsBecause: String
  }

  /// One request in a call.
  public struct Operation: Hashable, Sendable {
    /// The request's index in the workflow.
    public let request: Int
    /// The requests of the same call whose results Graph puts into it.
    public let inBatchReferences: [Int]
    /// The request of the same call that it is told to wait for, where only the order matters.
    public let dependsOn: Int?
  }

  /// The workflow that is planned.
  public let workflow: Workflow
  /// What a call may hold, and what is minimised.
  public let limits: BatchLimits
  /// The HTTP calls, in the order in which they start.
  public let calls: [Call]
  /// What no packing can undercut.
  public let lowerBound: LowerBound

  /// Plans a workflow.
  ///
  /// Total and deterministic: a ``Workflow`` is sound, so nothing can go wrong here.
  public init(for workflow: Workflow, limits: BatchLimits = BatchLimits()) {
    let graph = DependencyGraph(of: workflow)
    self.workflow = workflow
    self.limits = limits
    lowerBound = LowerBound(for: graph, width: limits.width)
    calls = Plan.calls(for: workflow, graph, limits)
  }

  /// The number of sequential round trips.
  public var rounds: Int { calls.last?.round ?? 0 }

  /// The number of operations.
  public var operationCount: Int { workflow.requests.count }

  private static func calls(
    for workflow: Workflow,
    _ graph: DependencyGraph,
    _ limits: BatchLimits
  ) -> [Call] {
    var packer = Packer(graph: graph, limits: limits)
    var callOf = [Int](repeating: 0, count: graph.count)
    var calls: [Call] = []
    for request in 0..<graph.count where packer.isFree(request) { packer.offer(request) }
    var round = 1
    var placedCount = 0
    while true {
      let batches = packer.nextRound { request in
        graph.isAlone[request]
          ? .alone : .batch(isUnsafe: workflow.requests[request].isUnsafeWrite)
      }
      guard !batches.isEmpty else { return calls }
      let firstOfRound = calls.count
      for batch in batches {
        let number = calls.count + 1
        for request in batch.requests { callOf[request] = number }
        calls.append(
          Call(
            number: number,
            round: round,
            isSingle: batch.isSingle,
            operations: batch.operations,
            after: Plan.callsBefore(number, batch, graph, callOf),
            endsBecause: ""
          )
        )
      }
      var freed: [Int] = []
      for batch in batches {
        for request in batch.requests { freed += packer.settle(request) }
      }
      placedCount += batches.reduce(0) { $0 + $1.requests.count }
      let isLast = placedCount == graph.count
      for index in firstOfRound..<calls.count {
        calls[index] = calls[index].ending(
          index + 1 == calls.count && isLast ? .last : .inside,
          limits
        )
      }
      let placed = Set(batches.flatMap(\.requests))
      for request in freed where !placed.contains(request) { packer.offer(request) }
      round += 1
    }
  }

  private static func callsBefore(
    _ number: Int,
    _ batch: PackedBatch,
    _ graph: DependencyGraph,
    _ callOf: [Int]
  ) -> [Int] {
    var numbers: Set<Int> = []
    for request in batch.requests {
      for predecessor in graph.predecessors(of: request) where callOf[predecessor.request] != number
      {
        numbers.insert(callOf[predecessor.request])
      }
    }
    return numbers.sorted()
  }
}

extension Workflow.Request {
  /// Whether an unanswered attempt must not be repeated: it may have taken effect.
  var isUnsafeWrite: Bool { isWrite && !isIdempotent }
}

extension PackedBatch {
  fileprivate var isSingle: Bool {
    if case .alone = self { true } else { false }
  }

  fileprivate var operations: [Plan.Operation] {
    switch self {
    case .alone(let request):
      [Plan.Operation(request: request, inBatchReferences: [], dependsOn: nil)]
    case .shared(let members):
      members.map {
        Plan.Operation(
          request: $0.request,
          inBatchReferences: $0.references,
          dependsOn: $0.dependsOn
        )
      }
    }
  }
}

extension Plan.Call {
  fileprivate enum Position {
    case inside
    case last
  }

  fileprivate func ending(_ position: Position, _ limits: BatchLimits) -> Plan.Call {
    let reason =
      if isSingle {
        "travels alone"
      } else if operations.count == limits.width {
        "full (\(limits.width) operations)"
      } else if position == .last {
        "nothing left"
      } else {
        "the rest waits for answers"
      }
    return Plan.Call(
      number: number,
      round: round,
      isSingle: isSingle,
      operations: operations,
      after: after,
      endsBecause: reason
    )
  }
}
