internal import GraphAPI
internal import JSONPath

/// Reads one request (docs/reference/language.md, "Requests", "Many items").
struct RequestReader: PartReading {
  private typealias RequestKey = YAMLKey<RequestReader, Workflow.RequestKeys>
  private enum DependencyFailure: String, CaseIterable { case skip, run }
  private enum Batching: String, CaseIterable { case auto, alone }

  /// The keys of a request, in the order in which their values are read; those without a function
  /// are read elsewhere.
  private static let table = [
    RequestKey("get"), RequestKey("post"), RequestKey("delete"), RequestKey("report"),
    RequestKey("interval"), RequestKey("within"),
    RequestKey("description", \.rare.description) { $0.text($1, $2) },
    RequestKey(name: "params") { $2.params = $0.params($1) },
    RequestKey(name: "files") { $2.rare.files = $0.onlyPostFiles($1) },
    RequestKey(name: "headers") { reader, node, request in
      let own = reader.headers(node)
      let names = Set(own.map { $0.name.lowercased() })
      request.rare.headers.removeAll { names.contains($0.name.lowercased()) }
      request.rare.headers += own
    }, RequestKey("version", \.rare.version) { $0.version($1, $2) },
    RequestKey(name: "token") { reader, node, request in
      if let token = reader.token(node) { request.token = token }
      // The workflow's permissions are those of the workflow's token.
      request.permissions = []
    },
    RequestKey("as", \.token) { reader, node, _ in PageList.token(node, of: reader) },
    RequestKey(name: "permissions") { reader, node, request in
      let inherited = Set(request.permissions)
      request.permissions += reader.permissions(node).filter { !inherited.contains($0) }
    },
    RequestKey("when", \.rare.when) { $0.reader.expression($1, $2, of: .when, in: $0.place) },
    RequestKey(name: "expect") { $2.expect = $0.expectations($1) },
    RequestKey(name: "depends_on") { $2.dependsOn = $0.reader.dependsOn($1, in: $0.place) },
    RequestKey("on_dependency_failure", \.rare.startCondition) {
      $0.choice($1, $2, of: DependencyFailure.self).map { $0 == .run ? .end : .success }
    },
    RequestKey(name: "always") { reader, node, request in
      if reader.always(node) { request.rare.startCondition = .always }
    },
    RequestKey(name: "retry") {
      $2.rare.retry = ErrorReader(reader: $0.reader).retry($1, over: $2.rare.retry)
    }, RequestKey("timeout", \.rare.timeout) { $0.duration($1, $2) },
    RequestKey("on_error", \.onError) { $0.choice($1, $2) },
    RequestKey(name: "paginate") { $2.rare.pagination = $0.pagination($1) },
    RequestKey(name: "split") { $2.rare.split = $0.split($1, of: $2, beside: $0.members) },
    RequestKey(name: "until") { $2.rare.until = $0.until($1).map(Box.init) },
    RequestKey("for_each"), RequestKey("key"), RequestKey("requests"), RequestKey("max_failures"),
    RequestKey("idempotent", \.isIdempotent) { $0.boolean($1, $2) },
    RequestKey(name: "confirm") { $2.rare.confirmation = $0.confirmation($1).map(Box.init) },
    RequestKey("omit_response", \.omitsResponse) { $0.boolean($1, $2) },
    RequestKey("batch", \.isAlone) { $0.choice($1, $2, of: Batching.self).map { $0 == .alone } },
  ]

  static let keys = table.map(\.name)
  /// Keys that need another one beside them.
  private static let owners = [
    ("key", "for_each"), ("max_failures", "for_each"), ("interval", "report"),
    ("within", "report"),
  ]
  /// The keys that `defaults` may contain as well.
  static let defaultsKeys = ["retry", "timeout", "on_error", "headers"]

  let reader: TemplateReader
  var place = TemplateReader.Place()
  let members: YAMLMembers
  private var method: OperationMethod?

  private init(_ reader: TemplateReader, _ members: YAMLMembers) {
    self.reader = reader
    self.members = members
  }

  /// Reads `defaults` into what each request begins with.
  static func readDefaults(
    _ members: YAMLMembers, into defaults: inout Workflow.RequestKeys, _ reader: TemplateReader
  ) {
    let keys = table.filter { defaultsKeys.contains($0.name) }
    RequestReader(reader, members).read(members, into: &defaults, by: keys)
  }

  /// The request with an index; nil if it is not a map.
  ///
  /// A part that has been reported keeps the value of the defaults.
  static func request(
    _ index: Int, _ reader: TemplateReader, over defaults: Workflow.RequestKeys
  ) -> Workflow.Request? {
    let entry = reader.scopes.slots[index].entry
    if !WorkflowName.isWellFormed(entry.key) { reader.reportName(entry, of: "a request") }
    let subject = Subject("the request", entry.key)
    guard let entries = reader.entries(of: entry.value, subject) else { return nil }
    var members = YAMLMembers(entries: entries, location: entry.keyLocation, subject: subject)
    // Most requests have few of the many keys: one bit for each key that this one has.
    var present: UInt64 = 0
    for place in entries.indices {
      if let key = keys.firstIndex(of: entries[place].key) {
        present |= 1 << key
      } else if let key = reader.reportUnknownKey(
        entries[place], in: "a request", among: entries, known: keys)
      {
        members.meant.insert(key)
      }
    }
    let group = reader.scopes.slots[index].group
    var request = defaults
    request.name = entry.key
    request.location = entry.keyLocation
    request.group = group
    if group != nil { request.rare.groupedName = reader.scopes.displayName(of: index) }
    var part = RequestReader(reader, members)
    part.place = TemplateReader.Place(request: index, group: group, hasItems: group != nil)
    part.readVerb(into: &request)
    while present > 0 {
      let key = table[present.trailingZeroBitCount]
      if let node = members[key.name] { key.read(&part, node, &request) }
      present &= present - 1
    }
    part.checkGroupKeys()
    return Workflow.Request(request)
  }

  /// Whether a key sets the method; comparing short texts is faster than hashing them.
  static func isVerb(_ key: String) -> Bool {
    key == "get" || key == "post" || key == "delete" || key == "report"
  }

  /// Reads the method and its path: exactly one of `get`, `post`, `delete`, `report`.
  private mutating func readVerb(into request: inout Workflow.RequestKeys) {
    guard let first = members.entries.firstIndex(where: { Self.isVerb($0.key) }) else {
      // A group in a group is reported elsewhere.
      if !members.mentions("requests"), !members.meant.contains(where: Self.isVerb) {
        report(
          .oneMethod, "\(members.subject) needs one of get, post, delete, report",
          at: members.location, hint: "write get: me")
      }
      return
    }
    let verb = members.entries[first]
    for extra in members.entries[(first + 1)...] where Self.isVerb(extra.key) {
      report(
        .oneMethod, "\(members.subject) already has '\(verb.key)'", at: extra.keyLocation,
        hint: "split it into two requests")
    }
    method = OperationMethod(rawValue: verb.key.uppercased())
    request.method = method ?? .get
    request.isIdempotent = method != .post
    if let path = PathReader(reader, in: place).path(verb.value, Subject(key: verb.key)) {
      request.path = path
    }
    if verb.key == "report" { readReport(verb, into: &request) }
  }

  /// Reports keys of groups in a request that is in a group, and keys without the one they belong to.
  private func checkGroupKeys() {
    if let group = place.group, !reader.scopes.groups[group].isShort {
      for entry in members.entries where ["for_each", "requests"].contains(entry.key) {
        report(
          .nestedGroup, "groups do not nest: '\(entry.key)' is not allowed in a request of a group",
          at: entry.keyLocation, hint: "make it a separate group")
      }
    }
    for (key, owner) in Self.owners where members[key] != nil && members[owner] == nil {
      report(
        .misplacedKey, "'\(key)' is only allowed together with '\(owner)'",
        at: members.keyLocation(key))
    }
  }
}

// MARK: Values of keys

extension RequestReader {
  /// Reads `token`: the name of a profile, or exactly one reference.
  private func token(_ node: YAMLNode) -> Workflow.TokenChoice? {
    guard case .string(let text)? = node.scalarValue, TemplateScanner.mayHoldReference(text) else {
      return reportUnquotedReference(node) ? nil : profile(node).map { .profile($0) }
    }
    var tokenPlace = place
    tokenPlace.isToken = true
    guard let template = reader.template(node, "'token'", in: tokenPlace) else { return nil }
    switch template.only?.kind {
    case .result?, .item?: return .reference(template)
    case .input(let name)? where reader.inputTypes[name.text] == .secret:
      return .reference(template)
    case .input?: return refuse(node, "an input that holds a token must have the type secret")
    default:
      return refuse(
        node, "'token' must be a profile name or exactly one reference",
        hint: "such as \"{result=accounts:$.data[0].access_token}\"")
    }
  }

  /// Reads `always`: whether the request is sent although the run has been stopped.
  private func always(_ node: YAMLNode) -> Bool {
    let isCleanUp = boolean(node, "'always'") == true
    if place.group != nil {
      report(
        .misplacedKey, "'always' is for a request outside of 'for_each'",
        at: members.keyLocation("always"),
        hint: "clean up after the whole group, with a request that refers to it")
    } else if isCleanUp, members["on_dependency_failure"]?.scalarValue == .string("skip") {
      report(
        .misplacedKey, "'always: true' cannot be combined with 'on_dependency_failure: skip'",
        at: members.keyLocation("always"),
        hint: "remove one of them: 'always' also runs after a failure")
    }
    return isCleanUp
  }

  // MARK: Keys for one method

  /// Reports a key that is only for requests with another method.
  private func check(_ key: String, isOnlyFor wanted: OperationMethod) {
    guard let method, method != wanted else { return }
    report(
      .misplacedKey, "'\(key)' is for a \(wanted.rawValue), and this is a \(method.rawValue)",
      at: members.keyLocation(key))
  }

  private func onlyPostFiles(_ node: YAMLNode) -> [Workflow.File] {
    if let method, method != .post {
      report(.misplacedKey, "only a POST can send files", at: members.keyLocation("files"))
    }
    return files(node)
  }

  private typealias PageKey = YAMLKey<RequestReader, Workflow.Pagination>

  private static let paginationTable = [
    PageKey("max_pages", \.maxPages) { $0.integer($1, $2, atLeast: 1) },
    PageKey("max_items", \.maxItems) { $0.integer($1, $2, atLeast: 1) },
  ]

  static let paginationKeys = paginationTable.map(\.name)
  static let untilKeys = ["check", "fail", "interval", "within"]

  private static let shortestInterval = Duration.milliseconds(100)

  /// Reads `paginate`: how the pages of a response are followed.
  private func pagination(_ node: YAMLNode) -> Workflow.Pagination? {
    check("paginate", isOnlyFor: .get)
    var pagination = Workflow.Pagination()
    if case .bool(true)? = node.scalarValue { return pagination }
    guard case .mapping = node.content else {
      let isOff = node.scalarValue == .bool(false)
      return refuse(
        node, "'paginate'", takes: "true or a map",
        hint: isOff ? "remove it: pages are not followed by default" : nil)
    }
    guard let members = members(of: node, "'paginate'", known: Self.paginationKeys) else {
      return nil
    }
    read(members, into: &pagination, by: Self.paginationTable)
    return pagination
  }

  /// Reads `until`: the condition until which a request is repeated.
  private func until(_ node: YAMLNode) -> Workflow.UntilKeys? {
    check("until", isOnlyFor: .get)
    if members["paginate"] != nil {
      report(
        .misplacedKey, "'until' cannot be combined with 'paginate'",
        at: members.keyLocation("until"), hint: "split it into two requests")
    }
    guard let members = members(of: node, "'until'", known: Self.untilKeys) else { return nil }
    let check = required("check", in: members).flatMap {
      reader.expression($0, "'check'", of: .expect, in: place)
    }
    let fail = members["fail"].flatMap { reader.expression($0, "'fail'", of: .expect, in: place) }
    let (interval, within) = pace(of: members, usually: ("5s", "5m"))
    return check.map { .init(check: $0, fail: fail, interval: interval, within: within) }
  }

  /// Reads `interval` and `within`, with their values if they are not written.
  private func pace(
    of members: YAMLMembers, usually usual: (interval: String, within: String)
  ) -> (interval: Duration, within: Duration) {
    func known(_ text: String) -> Duration { DurationText.duration(text) ?? .zero }
    let writtenInterval = members["interval"].flatMap { duration($0, "'interval'") }
    if let writtenInterval, writtenInterval < Self.shortestInterval, let node = members["interval"]
    {
      report(.invalidValue, "'interval' must be 100ms or more", at: node.location)
    }
    let interval = writtenInterval ?? known(usual.interval)
    let within = members["within"].flatMap { duration($0, "'within'") } ?? known(usual.within)
    if interval > within, let node = members["interval"] ?? members["within"] {
      var hint: String?
      if members["interval"] == nil { hint = "'interval' is \(usual.interval) by default" }
      if members["within"] == nil { hint = "'within' is \(usual.within) by default" }
      report(
        .invalidValue, "'interval' is longer than 'within', so the request would not be repeated",
        at: node.location, hint: hint)
    }
    return (interval, within)
  }
}

// MARK: Reports

/// A report of ads insights (docs/reference/language.md, "Ad reports").
extension RequestReader {
  /// Reads `report`: its run is polled until it is complete, then all pages of its rows are read.
  private func readReport(_ verb: YAMLNode.Entry, into request: inout Workflow.RequestKeys) {
    if case .text(let end)? = request.path.parts.last, !end.hasSuffix("insights") {
      report(
        .invalidValue, "a report is made of insights of ads, so its path ends in /insights",
        at: verb.value.location, hint: "such as \"{input=account}/insights\"")
    }
    for key in ["confirm", "files", "idempotent", "until"] where members[key] != nil {
      report(
        .misplacedKey, "'\(key)' cannot be combined with 'report'", at: members.keyLocation(key),
        hint: key == "until" ? "write 'interval' and 'within' beside 'report'" : "remove it")
    }
    func expression(_ text: String) -> Expression? {
      let scalar = YAMLNode.Scalar(text: text, style: .plain)
      return reader.expression(
        YAMLNode(content: .scalar(scalar), location: verb.keyLocation), "'report'", of: .expect,
        in: place)
    }
    guard let check = expression("$.async_status == 'Job Completed'") else { return }
    let fail = expression("$.async_status == 'Job Failed' || $.async_status == 'Job Skipped'")
    let (interval, within) = pace(of: members, usually: ("10s", "1h"))
    request.rare.pagination = Workflow.Pagination()
    request.rare.until = Box(
      .init(check: check, fail: fail, interval: interval, within: within, isOfReport: true))
  }
}

// MARK: Confirmation

/// How to find out whether a write without a response took effect.
///
/// See docs/reference/language.md, "Writes in doubt".
extension RequestReader {
  static let confirmKeys = ["get", "params", "when", "result", "within"]

  private static let defaultLag = Duration.seconds(30)
  private static let longestLag = Duration.seconds(15 * 60)

  private func confirmation(_ node: YAMLNode) -> Workflow.ConfirmationKeys? {
    check("confirm", isOnlyFor: .post)
    let location = members.keyLocation("confirm")
    // A write that may be repeated is never checked for.
    if members["idempotent"]?.scalarValue == .bool(true) {
      report(
        .misplacedKey, "'confirm' cannot be combined with 'idempotent: true'", at: location,
        hint: "remove one of them: a write that may be repeated needs no check")
    }
    guard let members = members(of: node, "'confirm'", known: Self.confirmKeys) else { return nil }
    let path = required("get", in: members).flatMap {
      PathReader(reader, in: place).path($0, "'get'")
    }
    let params = members["params"].map { self.params($0) }
    let match = required("when", in: members).flatMap {
      selection($0, "'when'", selects: "the nodes that the write created")
    }
    let result = members["result"].flatMap {
      selection($0, "'result'", selects: "the node that becomes the request's body")
    }
    let within = members["within"].flatMap { lag($0) } ?? Self.defaultLag
    guard let path, let match else { return nil }
    return .init(
      path: path, params: params ?? [], match: match, result: result, within: within,
      location: location)
  }

  /// A query on the response of the confirmation check; its filters may contain references.
  private func selection(
    _ node: YAMLNode, _ subject: Subject, selects purpose: String
  ) -> NodeSelection? {
    guard let expression = reader.expression(node, subject, of: .confirm, in: place) else {
      return nil
    }
    guard let selection = NodeSelection(expression) else {
      report(
        .invalidExpression, "\(subject) must be a query that selects \(purpose)",
        at: node.location, hint: "such as $.data[?@.message == {input=message}]")
      return nil
    }
    if PositionalSelector.isIn(selection.query) {
      let characters = PositionalSelector.characters(of: expression.text)
      report(
        .confirmTakesFirst,
        "\(subject) selects by position, and the node there may be someone else's",
        at: characters.flatMap { reader.positions(of: node)?.location(ofCharacters: $0) }
          ?? node.location, hint: "select it by a value: [?@.message == {input=message}]")
    }
    return selection
  }

  /// The time that reads may lag behind writes.
  private func lag(_ node: YAMLNode) -> Duration? {
    guard let within = duration(node, "'within'") else { return nil }
    if within <= Self.longestLag { return within }
    return refuse(node, "'within' must be 15m or less: an older write is found at once")
  }
}
