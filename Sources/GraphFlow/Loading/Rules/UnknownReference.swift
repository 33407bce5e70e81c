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
        RuleID.selfReference,
        "'\(name.text)' refers to itself",
        at: name.location,
        hint: "in 'expect', '$' is the request's own answer"
      )
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
        at: name.location
      )
    }
    report(
      RuleID.selfReference,
      "'\(name.text)' refers to all items, and this request belongs to one of them",
      at: name.location,
      hint: fix.map { "did you mean '\($0)'?" } ?? "refer to a request of the group",
      fix: fix
    )
  }

  private mutating func reportGroupReference(_ group: RequestScopes.Group, _ name: YAMLName) {
    let member = group.names.first.map { "\(name.text).\($0)" }
    report(
      RuleID.unknownReference,
      "'\(name.text)' is a group and has no body of its own",
      at: name.location,
      hint: member.map { "name one of its requests: '\($0)'" },
      fix: group.names.count == 1 ? member : nil
    )
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
      RuleID.unknownReference,
      "no request is named '\(YAMLFault.short(name.text))'",
      at: name.location,
      nearest: nearest
    )
  }

  private mutating func reportUnknownMember(
    _ member: String,
    of groupName: String,
    _ name: YAMLName
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
        RuleID.unknownReference,
        "'\(YAMLFault.short(groupName))' is a request, not a group",
        at: name.location,
        hint: "write '\(groupName)', or {result=\(groupName):$.\(member)} for part of its answer"
      )
    case nil:
      message = "no group is named '\(YAMLFault.short(groupName))'"
      nearest = suggestion(for: groupName, among: scopes.groupNames).map { "\($0).\(member)" }
    }
    report(
      RuleID.unknownReference,
      message,
      at: name.location,
      hint: nearest.map { "did you mean '\(YAMLFault.short($0))'?" },
      fix: nearest
    )
  }
}
