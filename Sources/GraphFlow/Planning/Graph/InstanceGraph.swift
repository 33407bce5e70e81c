/// The precedence constraints between instances, derived from those between requests.
///
/// Inside a group, an instance waits for the instances of its own item; requests outside the group
/// are the same for all items. A request outside a group waits for all items of the group, so a group
/// is a node of the graph too: its number is negative, the bitwise complement of its index.
///
/// The instances of an item exist only while the item is open.
struct InstanceGraph: Sendable {
  let requests: DependencyGraph
  /// The group of each request, if it is in one.
  private let groups: [Int?]
  private let members: [[Int]]
  private let names: [String]
  /// Whether a group waits for something outside it; the open items of other groups are not needed.
  private let hasOutsidePredecessors: [Bool]
  /// The open items of each group that waits for something outside it.
  private var openItems: [Set<Int>]

  /// Creates the graph before any item is open.
  init(
    _ requests: DependencyGraph, groups: [Int?] = [], members: [[Int]] = [], names: [String] = []
  ) {
    self.requests = requests
    let groups = groups.isEmpty ? Array(repeating: nil, count: requests.count) : groups
    self.groups = groups
    self.members = members
    self.names = names
    hasOutsidePredecessors = members.indices.map { group in
      members[group].contains { member in
        requests.predecessors(of: member).contains { groups[$0.request] != group }
      }
    }
    openItems = Array(repeating: [], count: members.count)
  }

  init(_ requests: DependencyGraph, of workflow: Workflow) {
    self.init(
      requests, groups: workflow.requests.map(\.group), members: workflow.groups.map(\.members),
      names: workflow.requests.map(\.displayName))
  }

  var groupCount: Int { members.count }

  /// The instance of a request for an item; the item of a request outside groups is 0.
  func instance(of request: Int, item: Int) -> Int { request + item * requests.count }

  func request(of instance: Int) -> Int { instance % requests.count }

  func item(of instance: Int) -> Int { instance / requests.count }

  func group(of instance: Int) -> Int? { groups[request(of: instance)] }

  /// The name of an instance in its batch, and in the references that Graph resolves.
  ///
  /// Instances of several items share batches, so their names carry the item.
  func wireName(of instance: Int) -> String {
    let name = names[request(of: instance)]
    return group(of: instance) == nil ? name : "\(name).\(item(of: instance))"
  }

  mutating func setOpen(_ isOpen: Bool, item: Int, of group: Int) {
    guard hasOutsidePredecessors[group] else { return }
    if isOpen { openItems[group].insert(item) } else { openItems[group].remove(item) }
  }

  /// What an instance waits for: instances, and groups as a whole.
  func predecessors(of instance: Int) -> [DependencyGraph.Neighbour] {
    var all: [DependencyGraph.Neighbour] = []
    forEachPredecessor(of: instance) { all.append($0) }
    return all
  }

  /// Whether anything may wait for the instance itself; false is certain.
  func hasSuccessors(_ instance: Int) -> Bool {
    !requests.successors(of: request(of: instance)).isEmpty
  }

  /// Visits what an instance waits for: instances, and groups as a whole.
  func forEachPredecessor(of instance: Int, _ visit: (DependencyGraph.Neighbour) -> Void) {
    let request = request(of: instance)
    for neighbour in requests.predecessors(of: request) {
      guard !members.isEmpty, let group = groups[neighbour.request] else {
        visit(neighbour)
        continue
      }
      visit(
        group == groups[request]
          ? neighbour.moved(by: instance - request) : .init(request: ~group, kind: .hard))
    }
  }

  /// Visits the open instances that wait for a node: an instance, or a group if it is negative.
  ///
  /// An instance that waits for a group is visited once for each member that it waits for, as in
  /// ``forEachPredecessor(of:_:)``.
  func forEachSuccessor(of node: Int, _ visit: (DependencyGraph.Neighbour) -> Void) {
    guard node >= 0 else {
      for member in members[~node] {
        for neighbour in requests.successors(of: member) where groups[neighbour.request] != ~node {
          forEachOpenInstance(of: neighbour) { visit(.init(request: $0.request, kind: .hard)) }
        }
      }
      return
    }
    let request = request(of: node)
    for neighbour in requests.successors(of: request) {
      if members.isEmpty {
        visit(neighbour)
      } else if let group = groups[request] {
        if groups[neighbour.request] == group { visit(neighbour.moved(by: node - request)) }
      } else {
        forEachOpenInstance(of: neighbour, visit)
      }
    }
  }

  private func forEachOpenInstance(
    of neighbour: DependencyGraph.Neighbour, _ visit: (DependencyGraph.Neighbour) -> Void
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
