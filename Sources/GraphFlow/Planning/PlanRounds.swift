import GraphAPI

/// The rounds of a plan, packed one at a time.
///
/// Only a window of a group's items is open at a time, as in a run. So memory does not grow with the
/// number of items, and plan and run make the same calls.
package struct PlanRounds: Sequence, IteratorProtocol, Sendable {
  /// The progress of a group through its items.
  private struct Group {
    let members: [Int]
    let count: Int
    /// The position of the next item.
    var next = 0
    /// For each open item, the number of its instances that are not settled.
    var open: [Int: Int] = [:]
    /// The calls that carry instances of it.
    var calls = NumberRanges()
    var isSettled = false

    /// How many items are not open yet.
    var left: Int { count - next }

    var isComplete: Bool { left == 0 && open.isEmpty }
  }

  let workflow: Workflow
  let limits: BatchLimits
  let items: [Plan.Items]
  private var packer: Packer
  private var groups: [Group]
  /// The number of the call that carries an instance; 0 if there is none yet.
  private var callOf: InstanceTable<Int>
  private var unsettled: Int
  private var roundCount = 0
  private var callCount = 0

  /// Starts before the first round; the items of a group that is left out are unknown.
  init(for workflow: Workflow, items: [Plan.Items], limits: BatchLimits) {
    self.workflow = workflow
    self.limits = limits
    let items = workflow.groups.indices.map { items.indices.contains($0) ? items[$0] : .unknown }
    self.items = items
    packer = Packer(
      graph: InstanceGraph(DependencyGraph(of: workflow), of: workflow), limits: limits)
    groups = zip(workflow.groups, items).map { Group(members: $0.members, count: $1.count) }
    callOf = InstanceTable(requestCount: workflow.requests.count, initial: 0)
    let outside = workflow.requests.indices.filter { workflow.requests[$0].group == nil }
    let given = workflow.conduct.given
    unsettled = outside.count { !given.contains($0) }
    for request in outside where given.contains(request) { _ = packer.settle(request) }
    for (index, group) in groups.enumerated() where group.members.contains(where: given.contains) {
      (groups[index].next, groups[index].isSettled) = (group.count, true)
      _ = packer.settle(~index)
    }
    for request in outside where !given.contains(request) && packer.isFree(request) {
      packer.offer(request)
    }
  }

  var graph: DependencyGraph { packer.graph.requests }

  package mutating func next() -> Plan.Round? {
    advanceGroups()
    let unfinished = Set(groups.indices.filter { groups[$0].left > 0 })
    let batches = packer.nextBatches(
      unfinished: unfinished, admission: packer.graph.admission(of:))
    guard !batches.isEmpty else { return nil }
    roundCount += 1
    var calls = batches.map { call(for: $0) }
    let last = batches.indices.filter { batches[$0].closeReason == .nothingLeft }
    for index in last { calls[index].closeReason = closeReason(ofLast: calls[index], in: calls) }
    settleInstances(of: batches)
    if unsettled == 0, groups.allSatisfy(\.isComplete) {
      for index in last { calls[index].closeReason = .nothingLeft }
    }
    return Plan.Round(number: roundCount, calls: calls)
  }

  private mutating func call(for batch: PackedBatch) -> Plan.Call {
    callCount += 1
    let graph = packer.graph
    for instance in batch.requests {
      callOf[instance] = callCount
      if let group = graph.group(of: instance) { groups[group].calls.append(callCount) }
    }
    return Plan.Call(
      number: callCount, round: roundCount,
      operations: batch.members.map(graph.operation(of:)), after: callsBefore(batch),
      closeReason: batch.closeReason)
  }

  /// The calls whose answers a batch needs.
  private func callsBefore(_ batch: PackedBatch) -> NumberRanges {
    var numbers: Set<Int> = []
    var awaited: Set<Int> = []
    for instance in batch.requests {
      for predecessor in packer.graph.predecessors(of: instance) {
        if predecessor.request >= 0 {
          numbers.insert(callOf[predecessor.request])
        } else {
          awaited.insert(~predecessor.request)
        }
      }
    }
    return awaited.sorted().reduce(NumberRanges(numbers.subtracting([callCount, 0]))) {
      $0.union(groups[$1].calls)
    }
  }
}

/// Opening items, and closing completed ones.
extension PlanRounds {
  /// Settles completed groups, and opens more items of the others.
  private mutating func advanceGroups() {
    for index in groups.indices where !groups[index].isSettled && groups[index].isComplete {
      groups[index].isSettled = true
      offer(packer.settle(~index))
    }
    let flow = ItemFlow(through: workflow.groups, of: packer)
    for index in groups.indices {
      let room = flow.room(for: index, open: groups.lazy.map(\.open.count))
      while groups[index].left > 0,
        room.hasPlace(open: groups[index].open.count, left: groups[index].left)
      { openItem(groups[index].next, of: index) }
    }
  }

  private mutating func openItem(_ item: Int, of index: Int) {
    let members = groups[index].members
    groups[index].next += 1
    groups[index].open[item] = members.count
    packer.openItem(item, of: index, members: members)
    for member in members {
      let instance = packer.graph.instance(of: member, item: item)
      if packer.isFree(instance) { packer.offer(instance) }
    }
  }

  private mutating func settleInstances(of batches: [PackedBatch]) {
    for instance in batches.lazy.flatMap(\.requests) {
      offer(packer.settle(instance))
      guard let index = packer.graph.group(of: instance) else {
        unsettled -= 1
        continue
      }
      recordSettledInstance(of: packer.graph.item(of: instance), of: index)
    }
  }

  /// Closes an item of a group with its last instance.
  private mutating func recordSettledInstance(of item: Int, of index: Int) {
    let members = groups[index].members
    let unfinished = groups[index].open[item, default: 1] - 1
    groups[index].open[item] = unfinished
    guard unfinished == 0 else { return }
    groups[index].open[item] = nil
    packer.closeItem(item, of: index, members: members)
    for member in members { callOf.removeValue(of: packer.graph.instance(of: member, item: item)) }
  }

  private mutating func offer(_ instances: [Int]) {
    for instance in instances where callOf[instance] == 0 { packer.offer(instance) }
  }
}

/// Why calls hold no more than they do.
extension PlanRounds {
  private static let waitLimit = 3

  /// Why nothing more could be sent in a round: requests that wait for this or another call of it.
  private func closeReason(ofLast call: Plan.Call, in calls: [Plan.Call]) -> CloseReason {
    let own = waits(for: [call], hard: true)
    if !own.isEmpty { return .waits(own) }
    if groups.contains(where: { $0.left > 0 }) { return .window }
    let others = waits(for: calls, hard: true)
    if !others.isEmpty { return .waits(others) }
    let soft = waits(for: calls, hard: false)
    return soft.isEmpty ? .nothingLeft : .waits(soft)
  }

  /// Unsent requests that wait for an answer of these calls.
  private func waits(for calls: [Plan.Call], hard isHard: Bool) -> [CloseReason.Wait] {
    var waits: [CloseReason.Wait] = []
    let graph = packer.graph
    for operation in calls.lazy.flatMap(\.operations) {
      let group = workflow.requests[operation.request].group
      for successor in graph.requests.successors(of: operation.request)
      where (successor.kind == .hard) == isHard {
        let other = workflow.requests[successor.request].group
        let isUnsent =
          if let other, other != group {
            !groups[other].isSettled
          } else {
            callOf[graph.instance(of: successor.request, item: operation.item ?? 0)] == 0
          }
        let wait = CloseReason.Wait(request: successor.request, predecessor: operation.request)
        guard isUnsent, !waits.contains(wait) else { continue }
        waits.append(wait)
        if waits.count == PlanRounds.waitLimit { return waits }
      }
    }
    return waits
  }
}

extension InstanceGraph {
  fileprivate func operation(of member: PackedBatch.Member) -> Plan.Operation {
    Plan.Operation(
      request: request(of: member.request),
      item: group(of: member.request).map { _ in item(of: member.request) },
      inBatchReferences: member.references.map(request(of:)),
      dependsOn: member.dependsOn.map(request(of:)))
  }
}
