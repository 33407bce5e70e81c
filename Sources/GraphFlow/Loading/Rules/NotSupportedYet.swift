/// The gate: what the language has and this version does not do.
///
/// Such keys are read and checked like all others, and refused at the very end.
enum NotSupportedYet {
  /// The keys that are refused.
  static let keys: Set<String> = ["schedule"]
}

extension WorkflowReader {
  /// Refuses the keys of a map that are not supported yet.
  mutating func refuseUnsupported(in members: Members) {
    for entry in members.entries where refusedKeys.contains(entry.key) {
      report(
        RuleID.notSupportedYet,
        "'\(entry.key)' is not supported yet",
        at: entry.keyLocation
      )
    }
  }
}
