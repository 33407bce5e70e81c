internal import GraphAPI
internal import JSONPath

extension WorkflowReader {
  /// The keys of a request (docs/reference/language.md, "Requests", "Many items").
  static let requestKeys = [
    "get", "post", "delete", "description", "params", "files", "headers", "version", "token",
    "permissions", "depends_on", "on_dependency_failure", "when", "expect", "retry", "timeout",
    "on_error", "paginate", "until", "for_each", "key", "requests", "max_failures", "idempotent",
    "confirm", "omit_response", "batch",
  ]

  private enum DependencyFailure: String, CaseIterable { case skip, run }
  private enum Batching: String, CaseIterable { case auto, alone }

  /// A request; nil if its name, method or path is missing or invalid.
  mutating func request(_ index: Int) -> Workflow.Request? {
    let slot = scopes.slots[index]
    let entry = slot.entry
    let name = RequestName(entry.key)
    if name == nil { reportName(entry, of: "a request") }
    let subject = Subject("the request", entry.key)
    guard
      let members = members(
        of: entry.value, subject, in: "a request", known: Self.requestKeys, owner: entry.keyLocation
      )
    else { return nil }
    let place = Place(request: index, group: slot.group, hasItems: slot.group != nil)
    let verb = verb(in: members, of: subject)
    var parts = parts(in: members, verb, place: place)
    let permissions = members["permissions"].map { self.permissions($0) } ?? []
    let version = members["version"].flatMap { self.version($0) } ?? defaults.version
    var settings = defaults.settings
    settings.isIdempotent = verb?.method != .post
    read(members, into: &settings, by: Self.requestSettings)
    let dependsOn = members["depends_on"].map { self.dependsOn($0, in: place) } ?? []
    parts.pagination = pagination(in: members, of: verb?.method)
    parts.until = until(in: members, of: verb?.method, place: place)
    checkGroupKeys(in: members, at: place)
    parts.confirmation = confirmation(in: members, of: verb?.method, place: place)
    let description = members["description"].flatMap { text($0, "'description'") }
    guard let name, let verb, let path = parts.path else { return nil }
    let usesWorkflowToken = members["token"] == nil
    return Workflow.Request(
      name: name, location: entry.keyLocation, method: verb.method, path: path,
      description: description, params: parts.params, files: parts.files,
      headers: merged(parts.headers), version: version, token: parts.token,
      permissions: unique((usesWorkflowToken ? defaults.permissions : []) + permissions),
      dependsOn: dependsOn, runsAfterFailure: settings.runsAfterFailure, when: parts.when,
      expect: parts.expect, retry: settings.retry, timeout: settings.timeout,
      onError: settings.onError, isIdempotent: settings.isIdempotent,
      omitsResponse: settings.omitsResponse, isAlone: settings.isAlone, group: slot.group,
      groupedName: slot.group.map { _ in scopes.displayName(of: index) },
      pagination: parts.pagination, until: parts.until, confirmation: parts.confirmation)
  }

  /// The method of a request, and the node of its path.
  typealias Verb = (method: OperationMethod, node: YAMLNode)

  /// The method of a request: exactly one of `get`, `post`, `delete`.
  private mutating func verb(in members: Members, of subject: Subject) -> Verb? {
    let verbs = members.entries.filter { Self.isVerb($0.key) }
    for extra in verbs.dropFirst() {
      report(
        RuleID.oneMethod, "\(subject) already has '\(verbs[0].key)'", at: extra.keyLocation,
        hint: "split it into two requests")
    }
    guard let verb = verbs.first else {
      // A group in a group is reported elsewhere.
      if members["requests"] == nil, !members.meant.contains("requests"),
        members.meant.isDisjoint(with: Self.verbKeys)
      {
        report(
          RuleID.oneMethod, "\(subject) needs one of get, post, delete", at: members.location,
          hint: "write get: me")
      }
      return nil
    }
    return OperationMethod(rawValue: verb.key.uppercased()).map { ($0, verb.value) }
  }

  /// Reports a key that is only for requests with another method.
  mutating func check(
    _ key: String, isOnlyFor wanted: OperationMethod, _ method: OperationMethod?,
    in members: Members
  ) {
    guard let method, method != wanted else { return }
    report(
      RuleID.misplacedKey, "'\(key)' is for a \(wanted.rawValue), and this is a \(method.rawValue)",
      at: members.keyLocation(key))
  }

  /// The settings that `defaults` may contain as well.
  static let commonSettings: [Key<Settings>] = [
    Key("retry", \.retry) { reader, node, _ in
      reader.retry(node, over: reader.defaults.settings.retry)
    },
    Key("timeout", \.timeout) { $0.duration($1, $2) },
    Key("on_error", \.onError) { $0.choice($1, $2) },
  ]

  private static let requestSettings: [Key<Settings>] =
    commonSettings + [
      Key("on_dependency_failure", \.runsAfterFailure) {
        $0.choice($1, $2, of: DependencyFailure.self).map { $0 == .run }
      },
      Key("idempotent", \.isIdempotent) { $0.boolean($1, $2) },
      Key("omit_response", \.omitsResponse) { $0.boolean($1, $2) },
      Key("batch", \.isAlone) { $0.choice($1, $2, of: Batching.self).map { $0 == .alone } },
    ]

  /// A request's header fields, and those of the defaults that it does not override.
  private func merged(_ headers: [Workflow.Header]) -> [Workflow.Header] {
    guard !defaults.headers.isEmpty else { return headers }
    let own = Set(headers.map { $0.name.lowercased() })
    return defaults.headers.filter { !own.contains($0.name.lowercased()) } + headers
  }

  private func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private static let paginationTable: [Key<Workflow.Pagination>] = [
    Key("max_pages", \.maxPages) { $0.integer($1, $2, atLeast: 1) },
    Key("max_items", \.maxItems) { $0.integer($1, $2, atLeast: 1) },
  ]

  static let paginationKeys = paginationTable.map(\.name)
  static let untilKeys = ["check", "fail", "interval", "within"]

  private static let shortestInterval = Duration.milliseconds(100)

  /// Reads `paginate`: how the pages of a response are followed.
  private mutating func pagination(
    in members: Members, of method: OperationMethod?
  ) -> Workflow.Pagination? {
    guard let node = members["paginate"] else { return nil }
    check("paginate", isOnlyFor: .get, method, in: members)
    if case .bool(true)? = node.scalarValue { return Workflow.Pagination() }
    guard case .mapping = node.content else {
      let isOff = node.scalarValue == .bool(false)
      reportType(
        node, "'paginate'", takes: "true or a map",
        hint: isOff ? "remove it: pages are not followed by default" : nil)
      return nil
    }
    guard let members = self.members(of: node, "'paginate'", known: Self.paginationKeys) else {
      return nil
    }
    var pagination = Workflow.Pagination()
    read(members, into: &pagination, by: Self.paginationTable)
    return pagination
  }

  /// Reads `until`: the condition until which a request is repeated.
  private mutating func until(
    in members: Members, of method: OperationMethod?, place: Place
  ) -> Workflow.Until? {
    guard let node = members["until"] else { return nil }
    check("until", isOnlyFor: .get, method, in: members)
    if members["paginate"] != nil {
      report(
        RuleID.misplacedKey, "'until' cannot be combined with 'paginate'",
        at: members.keyLocation("until"), hint: "split it into two requests")
    }
    guard let members = self.members(of: node, "'until'", known: Self.untilKeys) else { return nil }
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
        "'interval' is longer than 'within', so the request would not be repeated",
        at: node.location,
        hint: members["within"] == nil
          ? "'within' is 5m by default" : isDefault ? "'interval' is 5s by default" : nil)
    }
    return check.map { Workflow.Until(check: $0, fail: fail, interval: interval, within: within) }
  }
}
