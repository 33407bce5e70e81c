internal import GraphAPI

extension WorkflowReader {
  /// Checks the shape of what the language has and this version does not do, and refuses it.
  mutating func checkUnsupported(_ members: Members, method: OperationMethod?) {
    if let node = members["paginate"] {
      paginate(node)
      check("paginate", isOnlyFor: .get, method, in: members)
      refuse("paginate", in: members)
    }
    if let node = members["until"] {
      until(node)
      check("until", isOnlyFor: .get, method, in: members)
      refuse("until", in: members)
    }
    if let node = members["confirm"] {
      confirm(node)
      check("confirm", isOnlyFor: .post, method, in: members)
      refuse("confirm", in: members)
    }
    if let node = members["for_each"] {
      source(node)
      refuse("for_each", in: members)
    }
    if let node = members["key"] { _ = text(node, "'key'") }
    if let node = members["requests"] { _ = entries(of: node, "'requests'") }
    if let node = members["max_failures"] { maxFailures(node) }
    for key in ["key", "requests", "max_failures"]
    where members[key] != nil && members["for_each"] == nil {
      report(
        RuleID.misplacedKey,
        "'\(key)' belongs to a request with 'for_each'",
        at: members.keyLocation(key)
      )
    }
  }

  /// Checks the shape of `schedule`, and refuses it.
  mutating func schedule(_ node: YAMLNode, at location: SourceLocation) {
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
    refuse("schedule", at: location)
  }

  private mutating func refuse(_ key: String, in members: Members) {
    refuse(key, at: members.keyLocation(key))
  }

  private mutating func refuse(_ key: String, at location: SourceLocation) {
    report(RuleID.notSupportedYet, "'\(key)' is not supported yet", at: location)
  }

  private mutating func check(
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

  private mutating func paginate(_ node: YAMLNode) {
    if case .bool(true)? = node.scalarValue { return }
    guard case .mapping = node.content else {
      return reportType(node, "'paginate'", takes: "true or a map")
    }
    let keys = ["max_pages", "max_items"]
    guard let members = members(of: node, "'paginate'", known: keys) else { return }
    for key in keys {
      if let node = members[key] { _ = integer(node, Subject(key: key), atLeast: 1) }
    }
  }

  private mutating func until(_ node: YAMLNode) {
    let keys = ["check", "fail", "interval", "within"]
    guard let members = members(of: node, "'until'", known: keys) else { return }
    if let node = required("check", in: members, of: "'until'") { _ = filledText(node, "'check'") }
    if let node = members["fail"] { _ = filledText(node, "'fail'") }
    if let node = members["interval"] { _ = duration(node, "'interval'") }
    if let node = members["within"] { _ = duration(node, "'within'") }
  }

  private mutating func confirm(_ node: YAMLNode) {
    let keys = ["get", "params", "when", "result", "within"]
    guard let members = members(of: node, "'confirm'", known: keys) else { return }
    if let node = required("get", in: members, of: "'confirm'") { _ = filledText(node, "'get'") }
    if let node = required("when", in: members, of: "'confirm'") { _ = filledText(node, "'when'") }
    if let node = members["params"] { _ = entries(of: node, "'params'") }
    if let node = members["result"] { _ = filledText(node, "'result'") }
    if let node = members["within"] { _ = duration(node, "'within'") }
  }

  private mutating func source(_ node: YAMLNode) {
    switch node.content {
    case .sequence: return
    case .mapping:
      guard let members = members(of: node, "'for_each'", known: ["file"]) else { return }
      if let node = required("file", in: members, of: "'for_each'") {
        _ = filledText(node, "'file'")
      }
    default:
      if case .string(let text)? = node.scalarValue, text.hasPrefix("{") { return }
      reportType(node, "'for_each'", takes: "a list, {file: PATH} or a reference")
    }
  }

  private mutating func maxFailures(_ node: YAMLNode) {
    if case .string(let text)? = node.scalarValue {
      let number = text.hasSuffix("%") ? Int(text.dropLast()) : nil
      if number.map((0...100).contains) != true {
        report(
          RuleID.invalidValue,
          "'\(YAMLFault.short(text))' is neither a number nor a percentage",
          at: node.location,
          hint: "write 10 or 10%"
        )
      }
      return
    }
    _ = integer(node, "'max_failures'", atLeast: 0)
  }
}
