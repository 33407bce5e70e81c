internal import GraphAPI

extension WorkflowReader {
  /// Checks the shape of `schedule`.
  mutating func schedule(_ node: YAMLNode) {
    if let members = members(of: node, "'schedule'", known: ["cron", "timezone"]) {
      if let node = required("cron", in: members, of: "'schedule'"),
        let text = text(node, "'cron'"),
        text.split(whereSeparator: { $0 == " " || $0 == "\t" }).count != 5
      {
        report(
          RuleID.invalidValue,
          "'cron' has five fields: minute, hour, day, month, weekday",
          at: node.location,
          hint: "such as \"30 6 * * 1-5\""
        )
      }
      if let node = members["timezone"] { _ = filledText(node, "'timezone'") }
    }
  }

  /// Reports a key of requests with another verb.
  mutating func check(
    _ key: String,
    isOnlyFor wanted: OperationMethod,
    _ method: OperationMethod?,
    in members: Members
  ) {
    guard let method, method != wanted else { return }
    report(
      RuleID.misplacedKey,
      "'\(key)' is for a \(wanted.rawValue), and this is a \(method.rawValue)",
      at: members.keyLocation(key)
    )
  }
}
