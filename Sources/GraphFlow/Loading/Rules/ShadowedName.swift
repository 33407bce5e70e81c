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
          at: entry.keyLocation,
          hint: "rename one of them"
        )
      }
    }
  }
}
