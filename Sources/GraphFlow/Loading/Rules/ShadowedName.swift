extension WorkflowReader {
  /// Warns of members of groups that have the name of a request outside: inside the group there is
  /// no way to refer to that one.
  mutating func checkShadowing() {
    for group in scopes.groups where !group.isShort {
      for index in group.members {
        let entry = scopes.slots[index].entry
        guard entry.key != group.entry.key, scopes.outerMeaning(of: entry.key) != nil else {
          continue
        }
        warn(
          RuleID.shadowedName,
          "in this group '\(YAMLFault.short(entry.key))' is no longer the request outside",
          at: entry.keyLocation,
          hint: "give one of them another name"
        )
      }
    }
  }
}
