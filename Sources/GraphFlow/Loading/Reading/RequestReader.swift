internal import GraphAPI
internal import JSONPath

/// Reads one request (docs/reference/language.md, "Requests", "Many items").
struct RequestReader {
  static let keys = [
    "get", "post", "delete", "description", "params", "files", "headers", "version", "token",
    "permissions", "depends_on", "on_dependency_failure", "when", "expect", "retry", "timeout",
    "on_error", "paginate", "until", "for_each", "key", "requests", "max_failures", "idempotent",
    "confirm", "omit_response", "batch",
  ]

  /// How a request is run.
  struct Settings {
    var runsAfterFailure = false
    var retry: RetryPolicy? = .standard
    var timeout = Duration.seconds(60)
    var onError = Workflow.ErrorPolicy.continue
    var isIdempotent = false
    var omitsResponse = false
    var isAlone = false
  }

  /// The values of `defaults`, and the workflow's own settings for all its requests.
  struct Defaults {
    var version: GraphVersion?
    var token = "default"
    var permissions: [String] = []
    var settings = Settings()
    var headers: [Workflow.Header] = []
  }

  typealias SettingKey = TemplateReader.Key<Settings>
  private enum DependencyFailure: String, CaseIterable { case skip, run }
  private enum Batching: String, CaseIterable { case auto, alone }

  /// The settings that `defaults` may contain as well.
  static let commonSettings: [SettingKey] = [
    SettingKey(name: "retry") { reader, node, settings in
      settings.retry = ErrorReader(reader: reader).retry(node, over: settings.retry)
    }, SettingKey("timeout", \.timeout) { $0.duration($1, $2) },
    SettingKey("on_error", \.onError) { $0.choice($1, $2) },
  ]

  private static let settingsTable: [SettingKey] =
    commonSettings + [
      SettingKey("on_dependency_failure", \.runsAfterFailure) {
        $0.choice($1, $2, of: DependencyFailure.self).map { $0 == .run }
      }, SettingKey("idempotent", \.isIdempotent) { $0.boolean($1, $2) },
      SettingKey("omit_response", \.omitsResponse) { $0.boolean($1, $2) },
      SettingKey("batch", \.isAlone) { $0.choice($1, $2, of: Batching.self).map { $0 == .alone } },
    ]

  private let reader: TemplateReader
  private let defaults: Defaults
  private let index: Int
  private let slot: RequestScopes.Slot
  private let name: RequestName?
  private let place: TemplateReader.Place
  private let members: YAMLMembers

  /// Looks at the request with an index; nil if it is not a map.
  init?(_ index: Int, _ reader: TemplateReader, over defaults: Defaults) {
    self.index = index
    slot = reader.scopes.slots[index]
    name = RequestName(slot.entry.key)
    if name == nil { reader.reportName(slot.entry, of: "a request") }
    let subject = Subject("the request", slot.entry.key)
    let members = reader.members(
      of: slot.entry.value, subject, in: "a request", known: Self.keys,
      owner: slot.entry.keyLocation)
    guard let members else { return nil }
    self.members = members
    self.reader = reader
    self.defaults = defaults
    place = TemplateReader.Place(request: index, group: slot.group, hasItems: slot.group != nil)
  }

  /// The request; nil if its name, method or path is missing or invalid.
  func request() -> Workflow.Request? {
    let parts = PartReader(reader: reader, place: place)
    let access = AccessReader(reader: reader)
    let verb = verb()
    let method = verb.flatMap { OperationMethod(rawValue: $0.key.uppercased()) }
    let path = verb.flatMap { PathReader(reader, in: place).path($0.value, Subject(key: $0.key)) }
    let params = members["params"].map { parts.params($0) }
    let files = members["files"].map { node in
      if let method, method != .post {
        reader.report(.misplacedKey, "only a POST can send files", at: members.keyLocation("files"))
      }
      return parts.files(node)
    }
    let headers = members["headers"].map { parts.headers($0) }
    let token = members["token"].flatMap { parts.token($0) }
    let when = members["when"].flatMap { reader.expression($0, "'when'", of: .when, in: place) }
    let expect = members["expect"].map { parts.expectations($0) }
    let permissions = members["permissions"].map { access.permissions($0) }
    let version = members["version"].flatMap { access.version($0) }
    var settings = defaults.settings
    settings.isIdempotent = method != .post
    reader.read(members, into: &settings, by: Self.settingsTable)
    let dependsOn = members["depends_on"].map { reader.dependsOn($0, in: place) }
    let pagination = members["paginate"].flatMap { self.pagination($0, method) }
    let until = members["until"].flatMap { self.until($0, method) }
    checkGroupKeys()
    let confirmation = members["confirm"].flatMap { self.confirmation($0, method) }
    let description = members["description"].flatMap { reader.text($0, "'description'") }
    guard let name, let method, let path else { return nil }
    return Workflow.Request(
      name: name, location: slot.entry.keyLocation, method: method, path: path,
      description: description, params: params ?? [], files: files ?? [],
      headers: merged(headers ?? []), version: version ?? defaults.version,
      token: token ?? .profile(defaults.token), permissions: merged(permissions ?? []),
      dependsOn: dependsOn ?? [], runsAfterFailure: settings.runsAfterFailure, when: when,
      expect: expect ?? [], retry: settings.retry, timeout: settings.timeout,
      onError: settings.onError, isIdempotent: settings.isIdempotent,
      omitsResponse: settings.omitsResponse, isAlone: settings.isAlone, group: slot.group,
      groupedName: slot.group.map { _ in reader.scopes.displayName(of: index) },
      pagination: pagination, until: until, confirmation: confirmation)
  }

  /// Whether a key sets the method; comparing short texts is faster than hashing them.
  static func isVerb(_ key: String) -> Bool { key == "get" || key == "post" || key == "delete" }

  /// The method of a request and its path: exactly one of `get`, `post`, `delete`.
  private func verb() -> YAMLNode.Entry? {
    if let first = members.entries.firstIndex(where: { Self.isVerb($0.key) }) {
      for extra in members.entries[(first + 1)...] where Self.isVerb(extra.key) {
        reader.report(
          .oneMethod, "\(members.subject) already has '\(members.entries[first].key)'",
          at: extra.keyLocation, hint: "split it into two requests")
      }
      return members.entries[first]
    }
    // A group in a group is reported elsewhere.
    if !members.mentions("requests"), !members.meant.contains(where: Self.isVerb) {
      reader.report(
        .oneMethod, "\(members.subject) needs one of get, post, delete", at: members.location,
        hint: "write get: me")
    }
    return nil
  }

  /// The header fields, after those of the defaults that they do not override.
  private func merged(_ headers: [Workflow.Header]) -> [Workflow.Header] {
    guard !defaults.headers.isEmpty else { return headers }
    let own = Set(headers.map { $0.name.lowercased() })
    return defaults.headers.filter { !own.contains($0.name.lowercased()) } + headers
  }

  /// The permissions, after those that the workflow's token needs; each once.
  private func merged(_ permissions: [String]) -> [String] {
    let inherited = members["token"] == nil ? defaults.permissions : []
    guard !permissions.isEmpty else { return inherited }
    var seen = Set(inherited)
    return inherited + permissions.filter { seen.insert($0).inserted }
  }

  /// Reports a key that is only for requests with another method.
  private func check(_ key: String, isOnlyFor wanted: OperationMethod, _ method: OperationMethod?) {
    guard let method, method != wanted else { return }
    reader.report(
      .misplacedKey, "'\(key)' is for a \(wanted.rawValue), and this is a \(method.rawValue)",
      at: members.keyLocation(key))
  }

  /// Reports keys of groups in a request that is in a group or has no `for_each`.
  private func checkGroupKeys() {
    if let group = place.group {
      guard !reader.scopes.groups[group].isShort else { return }
      for entry in members.entries where ["for_each", "requests"].contains(entry.key) {
        reader.report(
          .nestedGroup, "groups do not nest: '\(entry.key)' is not allowed in a request of a group",
          at: entry.keyLocation, hint: "make it a separate group")
      }
      if members["for_each"] != nil { return }
    }
    for key in ["key", "max_failures"] where members[key] != nil {
      reader.report(
        .misplacedKey, "'\(key)' is only allowed together with 'for_each'",
        at: members.keyLocation(key))
    }
  }
}

// MARK: Keys for one method

extension RequestReader {
  private typealias PageKey = TemplateReader.Key<Workflow.Pagination>

  private static let paginationTable = [
    PageKey("max_pages", \.maxPages) { $0.integer($1, $2, atLeast: 1) },
    PageKey("max_items", \.maxItems) { $0.integer($1, $2, atLeast: 1) },
  ]

  static let paginationKeys = paginationTable.map(\.name)
  static let untilKeys = ["check", "fail", "interval", "within"]

  private static let shortestInterval = Duration.milliseconds(100)

  /// Reads `paginate`: how the pages of a response are followed.
  private func pagination(_ node: YAMLNode, _ method: OperationMethod?) -> Workflow.Pagination? {
    check("paginate", isOnlyFor: .get, method)
    var pagination = Workflow.Pagination()
    if case .bool(true)? = node.scalarValue { return pagination }
    guard case .mapping = node.content else {
      let isOff = node.scalarValue == .bool(false)
      return reader.refuse(
        node, "'paginate'", takes: "true or a map",
        hint: isOff ? "remove it: pages are not followed by default" : nil)
    }
    let keys = Self.paginationKeys
    guard let members = reader.members(of: node, "'paginate'", known: keys) else { return nil }
    reader.read(members, into: &pagination, by: Self.paginationTable)
    return pagination
  }

  /// Reads `until`: the condition until which a request is repeated.
  private func until(_ node: YAMLNode, _ method: OperationMethod?) -> Workflow.Until? {
    check("until", isOnlyFor: .get, method)
    if members["paginate"] != nil {
      reader.report(
        .misplacedKey, "'until' cannot be combined with 'paginate'",
        at: members.keyLocation("until"), hint: "split it into two requests")
    }
    let keys = Self.untilKeys
    guard let members = reader.members(of: node, "'until'", known: keys) else { return nil }
    let check = reader.required("check", in: members).flatMap {
      reader.expression($0, "'check'", of: .expect, in: place)
    }
    let fail = members["fail"].flatMap { reader.expression($0, "'fail'", of: .expect, in: place) }
    let writtenInterval = members["interval"].flatMap { reader.duration($0, "'interval'") }
    if let writtenInterval, writtenInterval < Self.shortestInterval, let node = members["interval"]
    {
      reader.report(.invalidValue, "'interval' must be 100ms or more", at: node.location)
    }
    let interval = writtenInterval ?? .seconds(5)
    let within = members["within"].flatMap { reader.duration($0, "'within'") } ?? .seconds(300)
    if interval > within, let node = members["interval"] ?? members["within"] {
      var hint: String?
      if members["interval"] == nil { hint = "'interval' is 5s by default" }
      if members["within"] == nil { hint = "'within' is 5m by default" }
      reader.report(
        .invalidValue, "'interval' is longer than 'within', so the request would not be repeated",
        at: node.location, hint: hint)
    }
    return check.map { Workflow.Until(check: $0, fail: fail, interval: interval, within: within) }
  }

  private func confirmation(_ node: YAMLNode, _ method: OperationMethod?) -> Workflow.Confirmation?
  {
    check("confirm", isOnlyFor: .post, method)
    let location = members.keyLocation("confirm")
    // A write that may be repeated is never checked for.
    if members["idempotent"]?.scalarValue == .bool(true) {
      reader.report(
        .misplacedKey, "'confirm' cannot be combined with 'idempotent: true'", at: location,
        hint: "remove one of them: a write that may be repeated needs no check")
    }
    return ConfirmReader(reader: reader, place: place).confirmation(node, at: location)
  }
}
