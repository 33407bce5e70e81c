/// The requests and groups of a file, and what their names mean where.
///
/// Inside a group names are looked up in the group first, then outside. From outside a member is
/// `GROUP.MEMBER`, and the only member of the short form has the group's name.
struct RequestScopes {
  /// One request as written.
  struct Slot {
    let entry: YAMLNode.Entry
    /// The group that it is a member of.
    let group: Int?
  }

  /// One `for_each` as written.
  struct Group {
    let entry: YAMLNode.Entry
    /// Whether the request stands beside its `for_each`.
    let isShort: Bool
    /// The slots of its members.
    var members: Range<Int>
    /// The slots of its members, by name.
    var indices: [String: Int] = [:]
    /// The members' names, in order.
    var names: [String] = []
  }

  /// What a name stands for, and what waits for others.
  enum Node: Equatable {
    case request(Int)
    /// A group as what is outside sees it; named only if its members have names of their own.
    case group(Int)
  }

  /// The requests in the file's order, the members of a group where the group stands.
  private(set) var slots: [Slot] = []
  private(set) var groups: [Group] = []
  /// The names at the top, in order.
  private(set) var names: [String] = []
  /// The names of groups whose members have names of their own, in order.
  private(set) var groupNames: [String] = []
  /// Everything that waits, in the file's order; a group stands before its members.
  private(set) var nodes: [Node] = []
  private var meanings: [String: Node] = [:]
  private var slotNodes: [Int] = []
  private var groupNodes: [Int] = []
  /// The first group that has a member of a name.
  private var memberGroups: [String: Int] = [:]

  /// Adds a request that stands at the top.
  mutating func add(_ entry: YAMLNode.Entry) {
    meanings[entry.key] = .request(slots.count)
    names.append(entry.key)
    addSlot(entry, in: nil)
  }

  /// Adds a request with a `for_each` of its own.
  mutating func addShortGroup(_ entry: YAMLNode.Entry) {
    meanings[entry.key] = .request(slots.count)
    addGroup(entry, members: [entry], isShort: true)
  }

  /// Adds a group of requests.
  mutating func addGroup(_ entry: YAMLNode.Entry, members: [YAMLNode.Entry]) {
    meanings[entry.key] = .group(groups.count)
    groupNames.append(entry.key)
    addGroup(entry, members: members, isShort: false)
  }

  private mutating func addGroup(
    _ entry: YAMLNode.Entry,
    members: [YAMLNode.Entry],
    isShort: Bool
  ) {
    names.append(entry.key)
    let index = groups.count
    var group = Group(
      entry: entry,
      isShort: isShort,
      members: slots.count..<slots.count + members.count
    )
    groupNodes.append(nodes.count)
    nodes.append(.group(index))
    for member in members {
      group.indices[member.key] = slots.count
      group.names.append(member.key)
      if !isShort, memberGroups[member.key] == nil { memberGroups[member.key] = index }
      addSlot(member, in: index)
    }
    groups.append(group)
  }

  private mutating func addSlot(_ entry: YAMLNode.Entry, in group: Int?) {
    slotNodes.append(nodes.count)
    nodes.append(.request(slots.count))
    slots.append(Slot(entry: entry, group: group))
  }
}

extension RequestScopes {
  /// What a name means inside a group, or outside of all; nil for nothing.
  func meaning(of name: String, in group: Int?) -> Node? {
    if let group, let member = groups[group].indices[name] { return .request(member) }
    return outerMeaning(of: name) ?? memberMeaning(of: name)
  }

  /// What a name means outside of all groups.
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

  /// A request's name in messages: with its group's, if that has several.
  func displayName(of slot: Int) -> String {
    let own = slots[slot].entry.key
    guard let group = slots[slot].group, !groups[group].isShort else { return own }
    return "\(groups[group].entry.key).\(own)"
  }

  /// The name from outside of a group's member that is known inside as `name`.
  func outerName(ofMember name: String) -> String? {
    memberGroups[name].map { "\(groups[$0].entry.key).\(name)" }
  }

  // MARK: What waits for what

  /// The node of a group, or of a request as its own group sees it.
  func node(of node: Node) -> Int {
    switch node {
    case .request(let slot): slotNodes[slot]
    case .group(let group): groupNodes[group]
    }
  }

  /// The node of a request as what stands in another group, or in none, sees it.
  func node(of slot: Int, seenFrom group: Int?) -> Int {
    guard let own = slots[slot].group, own != group else { return slotNodes[slot] }
    return groupNodes[own]
  }

  /// A node's name in messages.
  func name(of node: Int) -> String {
    switch nodes[node] {
    case .request(let slot): displayName(of: slot)
    case .group(let group): groups[group].entry.key
    }
  }
}
