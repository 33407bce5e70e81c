extension WorkflowReader {
  /// Registers all requests and groups first, because references may point forwards.
  mutating func registerRequests(in members: Members) {
    guard
      let node = required(
        "requests",
        in: members,
        of: "a workflow file",
        hint: "add 'requests:' with at least one request"
      ),
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
        at: scopes.slots[LoadingLimits.requests].entry.keyLocation
      )
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
        of: requests.value,
        "'requests'",
        hint: Self.hintForRequests(requests.value)
      )
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
          at: name.location
        )
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
