internal import JSONPath

/// The requests and groups of a file, and the scopes of their names.
///
/// A name in a group is looked up in the group first, then outside. Outside the group, a member is
/// named `GROUP.MEMBER`; the only member of the short form has the group's name.
struct RequestScopes {
  /// A request as written.
  struct Slot {
    let entry: YAMLNode.Entry
    /// The index of the group that it is a member of.
    let group: Int?
    /// Its node in the dependency graph.
    fileprivate let node: Int
    /// Whether a resumed run cannot have its body, which is not kept and not requested again.
    let losesBody: Bool
  }

  /// A group as written.
  struct Group {
    let entry: YAMLNode.Entry
    /// Its node in the dependency graph.
    fileprivate let node: Int
    /// Whether `for_each` is a key of the only request.
    let isShort: Bool
    let members: Range<Int>
    /// The slots of its members, by name.
    fileprivate(set) var indices: [String: Int] = [:]
    /// The items, if all are literals in the file.
    var items: LiteralItems?
    /// The queries over an item that have been checked.
    fileprivate var checkedQueries: Set<String> = []
  }

  /// What a name refers to: a node of the dependency graph.
  enum Node: Equatable {
    case request(Int)
    /// A group as seen from outside; only a group whose members have their own names has a name.
    case group(Int)
  }

  /// A dependency of a node on another, and its location in the file.
  struct Edge {
    let source: Int
    let target: Int
    let location: SourceLocation
  }

  /// The requests in the file's order; the members of a group are at the group's position.
  private(set) var slots: [Slot] = []
  var groups: [Group] = []
  /// The nodes of the dependency graph, in the file's order; a group comes before its members.
  private var nodes: [Node] = []
  /// The dependencies of all nodes; those of one node in the file's order.
  private var edges: [Edge] = []
  private var meanings: [String: Node] = [:]
  /// The first group that has a member with a name.
  private var memberGroups: [String: Int] = [:]
  /// How many more group members `depends_on` may refer to.
  private var groupDependenciesLeft = LoadingLimits.groupDependencies

  /// Makes room for a number of requests and groups.
  mutating func reserveCapacity(_ count: Int) {
    slots.reserveCapacity(count)
    nodes.reserveCapacity(count)
    meanings.reserveCapacity(count)
  }

  mutating func add(_ entry: YAMLNode.Entry) {
    meanings[entry.key] = .request(slots.count)
    addSlot(entry, in: nil)
  }

  /// Adds a group; without members, a request with its own `for_each`.
  mutating func addGroup(_ entry: YAMLNode.Entry, members: [YAMLNode.Entry]?) {
    let index = groups.count
    let isShort = members == nil
    let members = members ?? [entry]
    let range = slots.count..<slots.count + members.count
    meanings[entry.key] = isShort ? .request(slots.count) : .group(index)
    var group = Group(entry: entry, node: nodes.count, isShort: isShort, members: range)
    nodes.append(.group(index))
    for member in members {
      group.indices[member.key] = slots.count
      if !isShort, memberGroups[member.key] == nil { memberGroups[member.key] = index }
      addSlot(member, in: index)
    }
    groups.append(group)
  }

  private mutating func addSlot(_ entry: YAMLNode.Entry, in group: Int?) {
    let losesBody =
      entry.value.member("omit_response")?.scalarValue == .bool(true)
      && entry.value.member("get") == nil && entry.value.member("report") == nil
    slots.append(Slot(entry: entry, group: group, node: nodes.count, losesBody: losesBody))
    nodes.append(.request(slots.count - 1))
  }

  // MARK: Names

  /// The names outside of groups, in order.
  var names: [String] {
    nodes.compactMap { node in
      switch node {
      case .request(let slot): slots[slot].group == nil ? slots[slot].entry.key : nil
      case .group(let group): groups[group].entry.key
      }
    }
  }

  /// The names of the groups whose members have their own names, in order.
  var groupNames: [String] { groups.filter { !$0.isShort }.map(\.entry.key) }

  func names(ofGroup group: Int) -> [String] { slots[groups[group].members].map(\.entry.key) }

  /// What a name refers to inside a group, or outside of all groups; nil if it is unknown.
  func meaning(of name: String, in group: Int?) -> Node? {
    if let group, let member = groups[group].indices[name] { return .request(member) }
    return outerMeaning(of: name) ?? memberMeaning(of: name)
  }

  func outerMeaning(of name: String) -> Node? { meanings[name] }

  private func memberMeaning(of name: String) -> Node? {
    guard let (group, member) = Self.parts(of: name), case .group(let index)? = meanings[group]
    else { return nil }
    return groups[index].indices[member].map { .request($0) }
  }

  /// The group's and the member's name in `GROUP.MEMBER`.
  static func parts(of name: String) -> (group: String, member: String)? {
    guard let dot = name.firstIndex(of: ".") else { return nil }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }

  /// A request's name in messages: with the group's name, unless the group has the short form.
  func displayName(of slot: Int) -> String {
    let own = slots[slot].entry.key
    guard let group = slots[slot].group, !groups[group].isShort else { return own }
    return "\(groups[group].entry.key).\(own)"
  }

  /// The name that a group's member has outside of its group.
  func outerName(ofMember name: String) -> String? {
    memberGroups[name].map { "\(groups[$0].entry.key).\(name)" }
  }

  // MARK: Dependencies

  /// Adds a dependency of the request or group at a place on a request, or on the request's group.
  mutating func addEdge(
    to request: Int, at location: SourceLocation, in place: TemplateReader.Place
  ) {
    let own = slots[request].group
    // Seen from elsewhere, the members of a group are one node.
    let target = own == place.group ? slots[request].node : own.map { groups[$0].node }
    let outer = own == place.group ? nil : place.group.map { groups[$0].node }
    guard let source = outer ?? place.request.map({ slots[$0].node }) else { return }
    edges.append(Edge(source: source, target: target ?? slots[request].node, location: location))
  }

  /// Whether a `depends_on` may name these requests as well; several of them are a group's.
  mutating func mayDepend(on requests: Range<Int>) -> Bool {
    if requests.count > 1 { groupDependenciesLeft -= requests.count }
    return groupDependenciesLeft >= 0
  }

  /// The dependencies of each node, in the file's order; nil if each is on an earlier node.
  var unorderedEdges: [[Edge]]? {
    guard edges.contains(where: { $0.target >= $0.source }) else { return nil }
    return edges.reduce(into: Array(repeating: [], count: nodes.count)) { $0[$1.source].append($1) }
  }

  func name(of node: Int) -> String {
    switch nodes[node] {
    case .request(let slot): displayName(of: slot)
    case .group(let group): groups[group].entry.key
    }
  }

  /// The literal items of a group, unless a query over an item has been checked before.
  mutating func uncheckedItems(of group: Int, for query: Query) -> LiteralItems? {
    guard groups[group].items != nil, groups[group].checkedQueries.insert(query.text).inserted
    else { return nil }
    return groups[group].items
  }
}
