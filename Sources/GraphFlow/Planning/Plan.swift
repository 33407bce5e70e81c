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
    /// The item of its group that it is sent for, from 0; nil outside groups.
    public let item: Int?
    /// The requests of the same call whose results Graph puts into it.
    public let inBatchReferences: [Int]
    /// The request of the same call that it is told to wait for, where only the order matters.
    public let dependsOn: Int?
  }

  /// The items of a group, as far as they are known before the run.
  public enum Items: Hashable, Sendable {
    /// Their keys, in order.
    case known([String])
    /// Another request's answer decides; the group is planned as if it had one item.
    case unknown
  }

  /// The workflow that is planned.
  public let workflow: Workflow
  /// What a call may hold, and what is minimised.
  public let limits: BatchLimits
  /// The items of each group.
  public let items: [Items]
  /// The HTTP calls, in the order in which they start.
  public let calls: [Call]
  /// What no packing can undercut.
  public let lowerBound: LowerBound

  /// Plans a workflow.
  ///
  /// Total and deterministic: a ``Workflow`` is sound, so nothing can go wrong here.
  ///
  /// - Parameters:
  ///   - workflow: what is planned.
  ///   - items: the items of each group; one that is left out is unknown.
  ///   - limits: what a call may hold, and what is minimised.
  public init(
    for workflow: Workflow,
    items: [Items] = [],
    limits: BatchLimits = BatchLimits()
  ) {
    let requests = DependencyGraph(of: workflow)
    self.workflow = workflow
    self.limits = limits
    self.items = workflow.groups.indices.map { items.indices.contains($0) ? items[$0] : .unknown }
    let counts = self.items.map(\.count)
    lowerBound = LowerBound(for: requests, width: limits.width) { request in
      workflow.requests[request].group.map { counts[$0] } ?? 1
    }
    calls = Plan.calls(for: workflow, InstanceGraph(requests, of: workflow), counts, limits)
  }

  /// The number of sequential round trips.
  public var rounds: Int { calls.last?.round ?? 0 }

  /// The number of operations.
  public var operationCount: Int { calls.reduce(0) { $0 + $1.operations.count } }

  private static func calls(
    for workflow: Workflow,
    _ graph: InstanceGraph,
    _ itemCounts: [Int],
    _ limits: BatchLimits
  ) -> [Call] {
    var course = Course(workflow, graph, itemCounts, limits)
    var calls: [Call] = []
    while true {
      let batches = course.nextRound()
      guard !batches.isEmpty else { return calls }
      let round = (calls.last?.round ?? 0) + 1
      let first = calls.count
      for batch in batches {
        let number = calls.count + 1
        calls.append(
          Call(
            number: number,
            round: round,
            isSingle: batch.isSingle,
            operations: batch.operations(in: graph, of: workflow),
            after: course.callsBefore(batch, number: number),
            endsBecause: ""
          )
        )
      }
      course.settle(batches)
      for index in first..<calls.count {
        let isLast = course.isOver && index + 1 == calls.count
        calls[index] = calls[index].ending(isLast ? .last : .inside, limits)
      }
    }
  }
}

/// The packer on its way through a plan.
private struct Course {
  private var packer: Packer
  private let workflow: Workflow
  private let itemCounts: [Int]
  private var callOf: InstanceTable<Int>
  private var openInstances: [Int]
  private var unsettled: Int

  init(
    _ workflow: Workflow,
    _ graph: InstanceGraph,
    _ itemCounts: [Int],
    _ limits: BatchLimits
  ) {
    self.workflow = workflow
    self.itemCounts = itemCounts
    packer = Packer(graph: graph, limits: limits)
    callOf = InstanceTable(requestCount: workflow.requests.count, initial: 0)
    openInstances = itemCounts.indices.map { itemCounts[$0] * workflow.groups[$0].members.count }
    unsettled = workflow.requests.count { $0.group == nil } + openInstances.reduce(0, +)
    for request in workflow.requests.indices where workflow.requests[request].group == nil {
      if packer.isFree(request) { packer.offer(request) }
    }
    for (group, count) in itemCounts.enumerated() {
      for item in 0..<count { open(item, of: group) }
      if count == 0 { offer(packer.settle(~group)) }
    }
  }

  var isOver: Bool { unsettled == 0 }

  private mutating func open(_ item: Int, of group: Int) {
    let members = workflow.groups[group].members
    packer.open(item, of: group, members: members)
    for member in members {
      let instance = packer.graph.instance(of: member, item: item)
      if packer.isFree(instance) { packer.offer(instance) }
    }
  }

  private mutating func offer(_ instances: [Int]) {
    for instance in instances where callOf[instance] == 0 { packer.offer(instance) }
  }

  mutating func nextRound() -> [PackedBatch] {
    let graph = packer.graph
    return packer.nextRound { [workflow] instance in
      let request = workflow.requests[graph.request(of: instance)]
      return graph.requests.isAlone[graph.request(of: instance)]
        ? .alone : .batch(isUnsafe: request.isUnconfirmable)
    }
  }

  /// The numbers of the calls whose answers a batch needs, once it is known as a call itself.
  mutating func callsBefore(_ batch: PackedBatch, number: Int) -> [Int] {
    for instance in batch.requests { callOf[instance] = number }
    var numbers: Set<Int> = []
    for instance in batch.requests {
      for predecessor in packer.graph.predecessors(of: instance) {
        if predecessor.request >= 0 {
          numbers.insert(callOf[predecessor.request])
        } else {
          numbers.formUnion(calls(ofGroup: ~predecessor.request))
        }
      }
    }
    return numbers.subtracting([number, 0]).sorted()
  }

  private func calls(ofGroup group: Int) -> Set<Int> {
    var numbers: Set<Int> = []
    for item in 0..<itemCounts[group] {
      for member in workflow.groups[group].members {
        numbers.insert(callOf[packer.graph.instance(of: member, item: item)])
      }
    }
    return numbers
  }

  mutating func settle(_ batches: [PackedBatch]) {
    for instance in batches.flatMap(\.requests) {
      offer(packer.settle(instance))
      unsettled -= 1
      guard let group = packer.graph.group(of: instance) else { continue }
      openInstances[group] -= 1
      if openInstances[group] == 0 { offer(packer.settle(~group)) }
    }
  }
}

extension Plan.Items {
  /// How many items are planned.
  fileprivate var count: Int {
    switch self {
    case .known(let keys): keys.count
    case .unknown: 1
    }
  }
}

extension Workflow.Request {
  /// Whether an unanswered attempt must not be repeated: it may have taken effect.
  var isUnsafeWrite: Bool { isWrite && !isIdempotent }

  /// Whether nobody but a person can end the doubt about an attempt without an answer.
  var isUnconfirmable: Bool { isUnsafeWrite && confirmation == nil }
}

extension PackedBatch {
  fileprivate var isSingle: Bool {
    if case .alone = self { true } else { false }
  }

  fileprivate func operations(in graph: InstanceGraph, of workflow: Workflow) -> [Plan.Operation] {
    members.map { member in
      let request = graph.request(of: member.request)
      return Plan.Operation(
        request: request,
        item: workflow.requests[request].group == nil ? nil : graph.item(of: member.request),
        inBatchReferences: member.references.map(graph.request(of:)),
        dependsOn: member.dependsOn.map(graph.request(of:))
      )
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
