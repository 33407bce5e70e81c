/// The precedence constraints between instances, drawn from those between requests.
///
/// Inside a group an instance waits for those of its own item; what stands outside is the same for
/// all items. What waits for a group from outside waits for all of its items, so a group is an end
/// of constraints too: it is known by a negative number, the bitwise complement of its index.
///
/// Instances of items are there only while their item is open.
struct InstanceGraph: Sendable {
  let requests: DependencyGraph
  /// The group of each request, if it is in one.
  private let groups: [Int?]
  private let members: [[Int]]
  private let names: [String]
  /// Whether an instance of a group waits for something outside it: who is open is not asked else.
  private let looksOutside: [Bool]
  /// The items that are open of each group that looks outside.
  private var openItems: [Set<Int>]

  init(
    _ requests: DependencyGraph,
    groups: [Int?] = [],
    members: [[Int]] = [],
    names: [String] = []
  ) {
    self.requests = requests
    let groups = groups.isEmpty ? Array(repeating: nil, count: requests.count) : groups
    self.groups = groups
    self.members = members
    self.names = names
    looksOutside = members.indices.map { group in
      members[group].contains { member in
        requests.predecessors(of: member).contains { groups[$0.request] != group }
      }
    }
    openItems = Array(repeating: [], count: members.count)
  }

  var groupCount: Int { members.count }

  /// The instance of a request for an item; the item of a request outside groups is 0.
  func instance(of request: Int, item: Int) -> Int { request + item * requests.count }

  func request(of instance: Int) -> Int { instance % requests.count }

  func item(of instance: Int) -> Int { instance / requests.count }

  func group(of instance: Int) -> Int? { groups[request(of: instance)] }

  /// The name of an instance in its batch, and in the references that are left to Graph.
  ///
  /// Instances of several items share batches, so their names carry the item.
  func wireName(of instance: Int) -> String {
    let name = names[request(of: instance)]
    return group(of: instance) == nil ? name : "\(name).\(item(of: instance))"
  }

  mutating func setOpen(_ isOpen: Bool, item: Int, of group: Int) {
    guard looksOutside[group] else { return }
    if isOpen { openItems[group].insert(item) } else { openItems[group].remove(item) }
  }

  /// What an instance waits for: instances, and groups as a whole.
  func predecessors(of instance: Int) -> [DependencyGraph.Neighbour] {
    var all: [DependencyGraph.Neighbour] = []
    forEachPredecessor(of: instance) { all.append($0) }
    return all
  }

  /// Whether anything may wait for an instance itself; certain if false.
  func hasSuccessors(_ instance: Int) -> Bool {
    !requests.successors(of: request(of: instance)).isEmpty
  }

  /// Visits what an instance waits for: instances, and groups as a whole.
  func forEachPredecessor(of instance: Int, _ visit: (DependencyGraph.Neighbour) -> Void) {
    let request = request(of: instance)
    for neighbour in requests.predecessors(of: request) {
      if members.isEmpty {
        visit(neighbour)
      } else if let group = groups[neighbour.request] {
        visit(
          group == groups[request]
            ? neighbour.moved(by: instance - request)
            : DependencyGraph.Neighbour(request: ~group, kind: .hard)
        )
      } else {
        visit(neighbour)
      }
    }
  }

  /// Visits the open instances that wait for an instance or, if the number is negative, for a group.
  ///
  /// What waits for a group appears once for each member that it waits for, as it does among the
  /// predecessors.
  func forEachSuccessor(of end: Int, _ visit: (DependencyGraph.Neighbour) -> Void) {
    guard end >= 0 else {
      for member in members[~end] {
        for neighbour in requests.successors(of: member) where groups[neighbour.request] != ~end {
          forEachOpenInstance(of: neighbour) { visit(.init(request: $0.request, kind: .hard)) }
        }
      }
      return
    }
    let request = request(of: end)
    for neighbour in requests.successors(of: request) {
      if members.isEmpty {
        visit(neighbour)
      } else if let group = groups[request] {
        if groups[neighbour.request] == group { visit(neighbour.moved(by: end - request)) }
      } else {
        forEachOpenInstance(of: neighbour, visit)
      }
    }
  }

  private func forEachOpenInstance(
    of neighbour: DependencyGraph.Neighbour,
    _ visit: (DependencyGraph.Neighbour) -> Void
  ) {
    guard let group = groups[neighbour.request] else { return visit(neighbour) }
    for item in openItems[group].sorted() { visit(neighbour.moved(by: item * requests.count)) }
  }
}

extension DependencyGraph.Neighbour {
  /// The same request's instance for another item.
  fileprivate func moved(by offset: Int) -> DependencyGraph.Neighbour {
    DependencyGraph.Neighbour(request: request + offset, kind: kind)
  }
}

extension InstanceGraph {
  /// The graph of a workflow's instances, before any item is open.
  init(_ requests: DependencyGraph, of workflow: Workflow) {
    self.init(
      requests,
      groups: workflow.requests.map(\.group),
      members: workflow.groups.map(\.members),
      names: workflow.requests.map(\.displayName)
    )
  }
}
