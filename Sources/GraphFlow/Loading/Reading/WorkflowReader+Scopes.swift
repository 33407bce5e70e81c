extension WorkflowReader {
  /// Registers all requests and groups first, because references may point forwards.
  mutating func registerRequests(in members: Members) {
    guard
      let node = required(
        "requests", in: members, of: "a workflow file",
        hint: "add 'requests:' with at least one request"),
      let entries = entries(of: node, "'requests'", hint: Self.hintForRequests(node))
    else { return }
    if entries.isEmpty {
      report(RuleID.missingKey, "a workflow needs at least one request", at: node.location)
    }
    for entry in nestingRequests(entries) { register(entry) }
    guard scopes.slots.count <= LoadingLimits.requests else {
      report(
        RuleID.limit,
        "a file may contain at most 100,000 requests, and this one has \(scopes.slots.count)",
        at: scopes.slots[LoadingLimits.requests].entry.keyLocation)
      scopes = RequestScopes()
      return
    }
    edges = Array(repeating: [], count: scopes.nodes.count)
    checkShadowing()
  }

  /// The hint for requests that are written as a list.
  private static func hintForRequests(_ node: YAMLNode) -> String? {
    guard case .sequence(let elements) = node.content else { return nil }
    let name = elements.first?.member("name")?.shortText ?? elements.first?.member("id")?.shortText
    let key = name.flatMap { RequestName($0) == nil ? nil : $0 } ?? "NAME"
    return "requests have names: write '\(key):' in place of the first '-'"
  }

  private mutating func register(_ entry: YAMLNode.Entry) {
    let entry = nestingKeys(of: entry)
    guard case .mapping(let keys) = entry.value.content else { return scopes.add(entry) }
    if let requests = keys.first(where: { $0.key == "requests" }) {
      let members = entries(
        of: requests.value, "'requests'", hint: Self.hintForRequests(requests.value))
      if members?.isEmpty == true {
        report(RuleID.missingKey, "a group needs at least one request", at: requests.value.location)
      }
      let named = nestingRequests(members ?? [])
      scopes.addGroup(entry, members: named.map { nestingKeys(of: $0) })
    } else if keys.contains(where: { $0.key == "for_each" }) {
      scopes.addShortGroup(entry)
    } else {
      scopes.add(entry)
    }
  }

  /// The requests that `depends_on` names, each once; a group's name means all its members.
  mutating func dependsOn(_ node: YAMLNode, in place: Place) -> [Int] {
    var indices: [Int] = []
    var seen: Set<Int> = []
    for name in names(node, "depends_on") {
      let requests = requests(named: name, in: place)
      if requests.count > 1 { groupDependenciesLeft -= requests.count }
      guard groupDependenciesLeft >= 0 else {
        report(
          RuleID.limit,
          "the 'depends_on' of a file may refer to at most a million requests in groups",
          at: name.location)
        return []
      }
      // Seen from outside, a group is one node, so an edge to one of its members is enough.
      if let first = requests.first { addEdge(to: first, at: name.location, in: place) }
      indices += requests.filter { seen.insert($0).inserted }
    }
    return indices
  }

  private mutating func requests(named name: YAMLName, in place: Place) -> Range<Int> {
    let meaning = scopes.meaning(of: name.text, in: place.group)
    if case .group(let group)? = meaning, group != place.group {
      return scopes.groups[group].members
    }
    if let request = place.request, meaning == .request(request) {
      report(RuleID.selfReference, "'\(name.text)' depends on itself", at: name.location)
      return 0..<0
    }
    return referredRequest(name, in: place).map { $0..<$0 + 1 } ?? 0..<0
  }

  /// Adds a dependency of the request or group at a place on a request, or on the request's group.
  mutating func addEdge(to request: Int, at location: SourceLocation, in place: Place) {
    let target = scopes.nodeIndex(ofRequest: request, seenFrom: place.group)
    let isInside = place.group != nil && scopes.slots[request].group == place.group
    if let group = place.group, !isInside {
      edges[scopes.nodeIndex(of: .group(group))].append(Edge(target: target, location: location))
    } else if let own = place.request {
      edges[scopes.nodeIndex(of: .request(own))].append(Edge(target: target, location: location))
    }
  }
}

extension WorkflowReader {
  /// Warns of group members with the name of a request outside, which the group then cannot refer
  /// to.
  mutating func checkShadowing() {
    for group in scopes.groups where !group.isShort {
      for index in group.members {
        let entry = scopes.slots[index].entry
        guard entry.key != group.entry.key, scopes.outerMeaning(of: entry.key) != nil else {
          continue
        }
        warn(
          RuleID.shadowedName,
          "'\(YAMLFault.short(entry.key))' hides the request of that name outside the group",
          at: entry.keyLocation, hint: "rename one of them")
      }
    }
  }
}

extension WorkflowReader {
  /// The request that a name refers to; nil, and a report, if there is no such request.
  mutating func referredRequest(_ name: YAMLName, in place: Place) -> Int? {
    switch scopes.meaning(of: name.text, in: place.group) {
    case nil: reportUnknown(name, in: place)
    case .group(let group)? where group == place.group:
      reportOwnGroup(name, fix: nil, in: place)
    case .group(let group)?: reportGroupReference(scopes.groups[group], name)
    case .request(let index)? where index == place.request:
      report(
        RuleID.selfReference, "'\(name.text)' refers to itself", at: name.location,
        hint: "in 'expect', '$' is the request's own answer")
    case .request(let index)?:
      let slot = scopes.slots[index]
      guard let group = place.group, slot.group == group else { return index }
      // Inside its group a member is referred to by its own name only: the full name refers to all
      // items.
      if place.request != nil, name.text == slot.entry.key { return index }
      reportOwnGroup(name, fix: slot.entry.key, in: place)
    }
    return nil
  }

  private mutating func reportOwnGroup(_ name: YAMLName, fix: String?, in place: Place) {
    guard place.request != nil else {
      return report(
        RuleID.selfReference,
        "'\(name.text)' is a request of this group and runs after its items are read",
        at: name.location)
    }
    report(
      RuleID.selfReference,
      "'\(name.text)' refers to all items, and this request belongs to one of them",
      at: name.location,
      hint: fix.map { "did you mean '\($0)'?" } ?? "refer to a request of the group", fix: fix)
  }

  private mutating func reportGroupReference(_ group: RequestScopes.Group, _ name: YAMLName) {
    let member = group.names.first.map { "\(name.text).\($0)" }
    report(
      RuleID.unknownReference, "'\(name.text)' is a group and has no body of its own",
      at: name.location, hint: member.map { "name one of its requests: '\($0)'" },
      fix: group.names.count == 1 ? member : nil)
  }

  private mutating func reportUnknown(_ name: YAMLName, in place: Place) {
    if let (group, member) = RequestScopes.parts(of: name.text) {
      return reportUnknownMember(member, of: group, name)
    }
    let outer = scopes.outerName(ofMember: name.text)
    // The request's own name is not suggested: nothing can refer to itself.
    let own = place.request.map { scopes.slots[$0].entry.key }
    let group = place.group.map { scopes.groups[$0].entry.key }
    let inside = place.group.map { scopes.groups[$0].names } ?? []
    let nearest =
      outer ?? suggestion(for: name.text, among: inside, except: [own])
      ?? suggestion(for: name.text, among: scopes.names, except: [own, group])
    report(
      RuleID.unknownReference, "no request is named '\(YAMLFault.short(name.text))'",
      at: name.location, nearest: nearest)
  }

  private mutating func reportUnknownMember(
    _ member: String, of groupName: String, _ name: YAMLName
  ) {
    let message: String
    var nearest: String?
    switch scopes.outerMeaning(of: groupName) {
    case .group(let index)?:
      message = "the group '\(groupName)' has no request '\(YAMLFault.short(member))'"
      nearest = suggestion(for: member, among: scopes.groups[index].names)
        .map { "\(groupName).\($0)" }
    case .request?:
      return report(
        RuleID.unknownReference, "'\(YAMLFault.short(groupName))' is a request, not a group",
        at: name.location,
        hint: "write '\(groupName)', or {result=\(groupName):$.\(member)} for part of its answer")
    case nil:
      message = "no group is named '\(YAMLFault.short(groupName))'"
      nearest = suggestion(for: groupName, among: scopes.groupNames).map { "\($0).\(member)" }
    }
    report(
      RuleID.unknownReference, message, at: name.location,
      hint: nearest.map { "did you mean '\(YAMLFault.short($0))'?" }, fix: nearest)
  }
}
