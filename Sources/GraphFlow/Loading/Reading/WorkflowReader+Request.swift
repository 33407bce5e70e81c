internal import GraphAPI
internal import JSONPath

extension WorkflowReader {
  /// The keys of a request (docs/language.md, "Requests", "Many items").
  static let requestKeys = [
    "get", "post", "delete", "description", "params", "files", "headers", "version", "token",
    "permissions", "depends_on", "on_dependency_failure", "when", "expect", "retry", "timeout",
    "on_error", "paginate", "until", "for_each", "key", "requests", "max_failures", "idempotent",
    "confirm", "omit_response", "batch",
  ]

  private enum DependencyFailure: String, CaseIterable { case skip, run }
  private enum Batching: String, CaseIterable { case auto, alone }

  /// A request; nil if it has no usable name, verb or path.
  mutating func request(_ index: Int) -> Workflow.Request? {
    let slot = scopes.slots[index]
    let entry = slot.entry
    let name = RequestName(entry.key)
    if name == nil { reportName(entry, of: "a request") }
    let subject = Subject("the request", entry.key)
    guard
      let members = members(
        of: entry.value,
        subject,
        in: "a request",
        known: Self.requestKeys,
        owner: entry.keyLocation
      )
    else { return nil }
    let place = Place(request: index, group: slot.group, hasItems: slot.group != nil)
    let verb = verb(in: members, of: subject)
    let parts = parts(in: members, method: verb?.method, place: place)
    let permissions = members["permissions"].map { self.permissions($0) } ?? []
    let version = members["version"].flatMap { self.version($0) } ?? defaults.version
    let settings = settings(in: members, method: verb?.method)
    let dependsOn = members["depends_on"].map { self.dependsOn($0, in: place) } ?? []
    let repetition = repetition(in: members, method: verb?.method, place: place)
    checkGroupKeys(in: members, at: place)
    let confirmation = confirmation(in: members, of: verb?.method, place: place)
    let description = members["description"].flatMap { text($0, "'description'") }
    guard let name, let verb, let path = parts.path else { return nil }
    let usesWorkflowToken = members["token"] == nil
    return Workflow.Request(
      name: name,
      location: entry.keyLocation,
      method: verb.method,
      path: path,
      description: description,
      params: parts.params,
      files: parts.files,
      headers: merged(parts.headers),
      version: version,
      token: parts.token,
      permissions: unique((usesWorkflowToken ? defaults.permissions : []) + permissions),
      dependsOn: dependsOn,
      runsAfterFailure: settings.runsAfterFailure,
      when: parts.when,
      expect: parts.expect,
      retry: (settings.retry ?? defaults.retry).policy(over: defaults.retry),
      timeout: settings.timeout,
      onError: settings.onError,
      isIdempotent: settings.isIdempotent,
      omitsResponse: settings.omitsResponse,
      isAlone: settings.isAlone,
      group: slot.group,
      groupedName: slot.group.map { _ in scopes.displayName(of: index) },
      pagination: repetition.pagination,
      until: repetition.until,
      confirmation: confirmation
    )
  }

  /// What a request does: exactly one of `get`, `post`, `delete`.
  private mutating func verb(
    in members: Members,
    of subject: Subject
  ) -> (method: OperationMethod, node: YAMLNode)? {
    let verbs = members.entries.filter { Self.isVerb($0.key) }
    for extra in verbs.dropFirst() {
      report(
        RuleID.oneMethod,
        "\(subject) has '\(verbs[0].key)' already",
        at: extra.keyLocation,
        hint: "make it two requests"
      )
    }
    guard let verb = verbs.first else {
      // A group inside a group is reported as that.
      if members["requests"] == nil, !members.meant.contains("requests"),
        members.meant.isDisjoint(with: Self.verbKeys)
      {
        report(
          RuleID.oneMethod,
          "\(subject) needs one of get, post, delete",
          at: members.location,
          hint: "write get: me"
        )
      }
      return nil
    }
    return OperationMethod(rawValue: verb.key.uppercased()).map { ($0, verb.value) }
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

  private struct Settings {
    var runsAfterFailure = false
    var retry: RetryKeys?
    var timeout: Duration
    var onError: Workflow.ErrorPolicy
    var isIdempotent: Bool
    var omitsResponse = false
    var isAlone = false
  }

  /// What is said about how a request is run.
  private mutating func settings(in members: Members, method: OperationMethod?) -> Settings {
    var settings = Settings(
      timeout: defaults.timeout,
      onError: defaults.onError,
      isIdempotent: method != .post
    )
    if let node = members["on_dependency_failure"],
      let choice = choice(node, "'on_dependency_failure'", of: DependencyFailure.self)
    {
      settings.runsAfterFailure = choice == .run
    }
    settings.retry = members["retry"].map { retry($0) }
    if let node = members["timeout"] {
      settings.timeout = duration(node, "'timeout'") ?? settings.timeout
    }
    if let node = members["on_error"] {
      settings.onError = choice(node, "'on_error'") ?? settings.onError
    }
    if let node = members["idempotent"] {
      settings.isIdempotent = boolean(node, "'idempotent'") ?? settings.isIdempotent
    }
    if let node = members["omit_response"] {
      settings.omitsResponse = boolean(node, "'omit_response'") ?? false
    }
    if let node = members["batch"] {
      settings.isAlone = choice(node, "'batch'", of: Batching.self) == .alone
    }
    return settings
  }

  /// The header fields of a request over those of the workflow's defaults.
  private func merged(_ headers: [Workflow.Header]) -> [Workflow.Header] {
    guard !defaults.headers.isEmpty else { return headers }
    let own = Set(headers.map { $0.name.lowercased() })
    return defaults.headers.filter { !own.contains($0.name.lowercased()) } + headers
  }

  private func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
