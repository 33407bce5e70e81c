internal import GraphAPI

extension WorkflowReader {
  /// How often a request is asked: `paginate`, `until`.
  struct Repetition {
    var pagination: Workflow.Pagination?
    var until: Workflow.Until?
  }

  static let paginationKeys = ["max_pages", "max_items"]
  static let untilKeys = ["check", "fail", "interval", "within"]

  private static let shortestInterval = Duration.milliseconds(100)

  /// Reads `paginate` and `until`.
  mutating func repetition(
    in members: Members,
    method: OperationMethod?,
    place: Place
  ) -> Repetition {
    var repetition = Repetition()
    if let node = members["paginate"] {
      repetition.pagination = pagination(node)
      check("paginate", isOnlyFor: .get, method, in: members)
    }
    if let node = members["until"] {
      repetition.until = until(node, in: place)
      check("until", isOnlyFor: .get, method, in: members)
      if members["paginate"] != nil {
        report(
          RuleID.misplacedKey,
          "'until' cannot stand beside 'paginate'",
          at: members.keyLocation("until"),
          hint: "make it two requests"
        )
      }
    }
    return repetition
  }

  private mutating func pagination(_ node: YAMLNode) -> Workflow.Pagination? {
    if case .bool(true)? = node.scalarValue { return Workflow.Pagination() }
    guard case .mapping = node.content else {
      let isOff = node.scalarValue == .bool(false)
      reportType(
        node,
        "'paginate'",
        takes: "true or a map",
        hint: isOff ? "remove it: no pages are followed then" : nil
      )
      return nil
    }
    guard let members = members(of: node, "'paginate'", known: Self.paginationKeys) else {
      return nil
    }
    var pagination = Workflow.Pagination()
    if let node = members["max_pages"] {
      pagination.maxPages = integer(node, "'max_pages'", atLeast: 1)
    }
    if let node = members["max_items"] {
      pagination.maxItems = integer(node, "'max_items'", atLeast: 1)
    }
    return pagination
  }

  private mutating func until(_ node: YAMLNode, in place: Place) -> Workflow.Until? {
    guard let members = members(of: node, "'until'", known: Self.untilKeys) else { return nil }
    let check = required("check", in: members, of: "'until'")
      .flatMap { expression($0, "'check'", of: .expect, in: place) }
    let fail = members["fail"].flatMap { expression($0, "'fail'", of: .expect, in: place) }
    var interval = Duration.seconds(5)
    var within = Duration.seconds(300)
    if let node = members["interval"], let written = duration(node, "'interval'") {
      interval = written
      if interval < Self.shortestInterval {
        report(RuleID.invalidValue, "'interval' must be 100ms or more", at: node.location)
      }
    }
    if let node = members["within"], let written = duration(node, "'within'") { within = written }
    if interval > within, let node = members["interval"] ?? members["within"] {
      let isDefault = members["interval"] == nil
      report(
        RuleID.invalidValue,
        "'interval' is longer than 'within', so it would not be asked again",
        at: node.location,
        hint: members["within"] == nil
          ? "'within' is 5m by default" : isDefault ? "'interval' is 5s by default" : nil
      )
    }
    return check.map {
      Workflow.Until(check: $0, fail: fail, interval: interval, within: within)
    }
  }
}
