/// Names of requests and groups.
extension TemplateReader {
  /// The requests that `depends_on` names, each once; a group's name means all its members.
  func dependsOn(_ node: YAMLNode, in place: Place) -> [Int] {
    var indices: [Int] = []
    var seen: Set<Int> = []
    for name in names(node, "depends_on") {
      let requests = requests(named: name, in: place)
      guard scopes.mayDepend(on: requests) else {
        report(
          .limit, "the 'depends_on' of a file may refer to at most a million requests in groups",
          at: name.location)
        return []
      }
      // Seen from outside, a group is one node, so an edge to one of its members is enough.
      if let first = requests.first { scopes.addEdge(to: first, at: name.location, in: place) }
      indices += requests.filter { seen.insert($0).inserted }
    }
    return indices
  }

  private func requests(named name: YAMLName, in place: Place) -> Range<Int> {
    let meaning = scopes.meaning(of: name.text, in: place.group)
    if case .group(let group)? = meaning, group != place.group {
      return scopes.groups[group].members
    }
    if let request = place.request, meaning == .request(request) {
      report(.selfReference, "'\(name.text)' depends on itself", at: name.location)
      return 0..<0
    }
    return referredRequest(name, in: place).map { $0..<$0 + 1 } ?? 0..<0
  }

  /// The request that a name refers to; nil, and a report, if there is no such request.
  func referredRequest(_ name: YAMLName, in place: Place) -> Int? {
    switch scopes.meaning(of: name.text, in: place.group) {
    case nil: reportUnknown(name, in: place)
    case .group(let group)? where group == place.group: reportOwnGroup(name, fix: nil, in: place)
    case .group(let index)?:
      let names = scopes.names(ofGroup: index)
      let member = names.first.map { "\(name.text).\($0)" }
      report(
        .unknownReference, "'\(name.text)' is a group and has no body of its own",
        at: name.location, hint: member.map { "name one of its requests: '\($0)'" },
        fix: names.count == 1 ? member : nil)
    case .request(let index)? where index == place.request:
      report(
        .selfReference, "'\(name.text)' refers to itself", at: name.location,
        hint: "in 'expect', '$' is the request's own answer")
    case .request(let index)?:
      let slot = scopes.slots[index]
      guard let group = place.group, slot.group == group else { return index }
      // Inside its group a member is referred to by its own name only: the full name refers to all
      // items.
      if place.request != nil || place.isRow, name.text == slot.entry.key { return index }
      reportOwnGroup(name, fix: slot.entry.key, in: place)
    }
    return nil
  }

  private func reportOwnGroup(_ name: YAMLName, fix: String?, in place: Place) {
    guard place.request != nil || place.isRow else {
      return report(
        .selfReference,
        "'\(name.text)' is a request of this group and runs after its items are read",
        at: name.location)
    }
    report(
      .selfReference,
      "'\(name.text)' refers to all items, and this \(place.isRow ? "row" : "request") belongs to one "
        + "of them", at: name.location, nearest: fix, otherwise: "refer to a request of the group")
  }

  private func reportUnknown(_ name: YAMLName, in place: Place) {
    if let (group, member) = RequestScopes.parts(of: name.text) {
      return reportUnknownMember(member, of: group, name)
    }
    // The request's own name is not suggested: nothing can refer to itself.
    let own = place.request.map { scopes.slots[$0].entry.key }
    let group = place.group.map { scopes.groups[$0].entry.key }
    let nearest =
      scopes.outerName(ofMember: name.text) ?? suggestion(
        for: name.text, among: place.group.map(scopes.names(ofGroup:)) ?? [], except: [own])
      ?? suggestion(for: name.text, among: scopes.names, except: [own, group])
    report(
      .unknownReference, "no request is named '\(name.text.short)'", at: name.location,
      nearest: nearest)
  }

  private func reportUnknownMember(_ member: String, of groupName: String, _ name: YAMLName) {
    let message: String
    var nearest: String?
    switch scopes.outerMeaning(of: groupName) {
    case .group(let index)?:
      message = "the group '\(groupName)' has no request '\(member.short)'"
      nearest = suggestion(for: member, among: scopes.names(ofGroup: index)).map {
        "\(groupName).\($0)"
      }
    case .request?:
      return report(
        .unknownReference, "'\(groupName.short)' is a request, not a group",
        at: name.location,
        hint: "write '\(groupName)', or {result=\(groupName):$.\(member)} for part of its answer")
    case nil:
      message = "no group is named '\(groupName.short)'"
      nearest = suggestion(for: groupName, among: scopes.groupNames).map { "\($0).\(member)" }
    }
    report(
      .unknownReference, message, at: name.location,
      hint: nearest.map { "did you mean '\($0.short)'?" }, fix: nearest)
  }

  /// Reports dependency cycles.
  ///
  /// To requests outside it, a group is one node: it finishes when all its items have.
  func checkCycles() {
    // Most files refer to earlier requests only.
    guard let edges = scopes.unorderedEdges else { return }
    for cycle in DependencyCycle.cycles(in: edges.map { $0.map(\.target) }) {
      let next = cycle.count > 1 ? cycle[1] : cycle[0]
      guard let edge = edges[cycle[0]].first(where: { $0.target == next }) else { continue }
      let names = DependencyCycle.description(of: cycle.map { scopes.name(of: $0) })
      report(
        .dependencyCycle, "dependency cycle: \(names)", at: edge.location,
        hint: "remove one of these dependencies")
    }
  }

  /// Warns of group members with the name of a request outside, which the group then cannot refer
  /// to.
  func checkShadowing() {
    for group in scopes.groups where !group.isShort {
      for entry in scopes.slots[group.members].map(\.entry)
      where entry.key != group.entry.key && scopes.outerMeaning(of: entry.key) != nil {
        warn(
          .shadowedName,
          "'\(entry.key.short)' hides the request of that name outside the group",
          at: entry.keyLocation, hint: "rename one of them")
      }
    }
  }
}
