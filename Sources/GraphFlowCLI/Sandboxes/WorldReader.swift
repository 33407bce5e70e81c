import GraphFlow
import GraphSandbox
import JSONPath

/// Reads a world file: the YAML that describes what is in a sandbox at the start.
///
/// It continues after errors, so that all problems are reported at once.
struct WorldReader: YAMLReading {
  typealias Key<Whole: SendableMetatype> = YAMLKey<Self, Whole>

  /// The kinds of profiles that a key can name.
  enum ProfileKind: String {
    case user
    case page
    case userOrPage = "user or page"
  }

  static let maximumObjectCount = 10_000_000
  let findings: Findings
  /// The keys of the described profiles.
  private var known: [ProfileKind: Set<String>] = [:]
  /// The ids in the file, and the number of objects that it makes.
  private var ids: Set<String> = []
  var objectCount = 0

  private init(_ findings: Findings) { self.findings = findings }

  static func world(at path: String) throws -> WorldDescription {
    try WorkflowFiles.checked(path) { reading($0) }
  }

  static func reading(_ source: SourceFile) -> (world: WorldDescription?, diagnostics: [Diagnostic])
  {
    let file = FieldReader(source)
    let world = file.root.flatMap { Self.world(in: $0, file.findings, isFile: true) }
    return (file.hasErrors ? nil : world, file.diagnostics)
  }

  /// The world that a map describes: the root of a file, or a part of another file, which does not
  /// need the version of the format.
  static func world(
    in node: YAMLNode, _ findings: Findings, isFile: Bool = false
  ) -> WorldDescription? {
    var reader = WorldReader(findings)
    return reader.world(node, isFile: isFile)
  }

  private static let keys: [Key<WorldDescription>] = [
    Key("start", \.start) { $0.time($1, $2) },
    Key("application", \.application) { $0.application($1, $2) },
    Key("users", \.users) { $0.described($1, $2, "the user", .init(name: ""), by: userKeys) },
    Key("pages", \.pages) { $0.described($1, $2, "the page", .init(name: ""), by: pageKeys) },
    Key("ad_accounts", \.adAccounts) {
      $0.described($1, $2, "the ad account", .init(name: ""), by: accountKeys)
    },
    Key("tokens", \.tokens) { $0.tokens($1, $2) },
    Key("limits", \.limits) { $0.object($1, $2, WorldDescription().limits, by: limitKeys) },
    Key("behaviors", \.behaviors) {
      $0.object($1, $2, WorldDescription().behaviors, by: behaviorKeys)
    },
  ]

  private mutating func world(_ node: YAMLNode, isFile: Bool) -> WorldDescription? {
    let keys = ["world"] + Self.keys.map(\.name)
    guard let members = members(of: node, "the world", known: keys) else { return nil }
    if isFile || members["world"] != nil { checkVersion("world", in: members) }
    let users = members.value("users") { entries(of: $0, $1) } ?? []
    let pages = members.value("pages") { entries(of: $0, $1) } ?? []
    let (userKeys, pageKeys) = (Set(users.map(\.key)), Set(pages.map(\.key)))
    known = [.user: userKeys, .page: pageKeys, .userOrPage: userKeys.union(pageKeys)]
    for page in pages where userKeys.contains(page.key) {
      report(
        .invalidName, "'\(page.key)' names a user and a page", at: page.keyLocation,
        hint: "give one of them another key")
    }
    let tokens = required("tokens", in: members, hint: "write tokens: {default: {user: KEY}}")
    if let tokens,
      entries(of: tokens, "'tokens'")?.contains(where: { $0.key == "default" }) == false
    {
      report(
        .missingKey, "'tokens' needs 'default', the token that is used if no other is chosen",
        at: members.keyLocation("tokens"))
    }
    var world = WorldDescription()
    read(members, into: &world, by: Self.keys)
    return world
  }
}

// MARK: - Values

extension WorldReader {
  /// A map whose values replace those at the start; nil if it is not a map.
  ///
  /// The members are checked before their values are read.
  mutating func object<Whole>(
    _ node: YAMLNode, _ subject: Subject, _ start: Whole, by keys: [Key<Whole>],
    _ check: (inout Self, YAMLMembers) -> Void = { _, _ in }
  ) -> Whole? {
    guard let members = members(of: node, subject, known: keys.map(\.name)) else { return nil }
    check(&self, members)
    var whole = start
    read(members, into: &whole, by: keys)
    return whole
  }

  /// A map that describes one object with a name; nil if it is not a map.
  ///
  /// The location is that of the object's key, if it has one.
  mutating func named<Whole>(
    _ node: YAMLNode, _ subject: Subject, at location: SourceLocation? = nil, _ start: Whole,
    by keys: [Key<Whole>]
  ) -> Whole? {
    object(node, subject, start, by: keys) {
      $0.count(1, at: location ?? $1.location)
      _ = $0.required("name", in: $1)
    }
  }

  /// The objects of a map, by the keys that the author chose.
  private mutating func described<Whole>(
    _ node: YAMLNode, _ subject: Subject, _ kind: String, _ start: Whole, by keys: [Key<Whole>]
  ) -> [WorldDescription.Named<Whole>] {
    (entries(of: node, subject) ?? []).compactMap { entry in
      named(entry.value, Subject(kind, entry.key), at: entry.keyLocation, start, by: keys)
        .map { .init(entry.key, $0) }
    }
  }

  /// The elements of a list, without those that cannot be used.
  mutating func list<Element>(
    _ node: YAMLNode, _ subject: Subject, _ read: (inout Self, YAMLNode) -> Element?
  ) -> [Element] { (elements(of: node, subject) ?? []).compactMap { read(&self, $0) } }

  /// An id that the author chose: digits, and unique.
  mutating func id(_ node: YAMLNode, _ subject: Subject) -> String? {
    guard let id = filledText(node, subject) else { return nil }
    let isID = id.utf8.count <= 20 && id.utf8.allSatisfy { (48...57).contains($0) }
    if isID, ids.insert(id).inserted { return id }
    report(
      .invalidValue, isID ? "duplicate id '\(id)'" : "an id must have digits only, at most 20",
      at: node.location)
    return nil
  }

  mutating func texts(_ node: YAMLNode, _ subject: Subject, of entry: Subject) -> [String] {
    list(node, subject) { $0.filledText($1, entry) }
  }

  /// Checks that a key is that of a described profile.
  func profile(_ key: String, at location: SourceLocation, among kind: ProfileKind) -> String? {
    let keys = known[kind] ?? []
    if keys.contains(key) { return key }
    let nearest = suggestion(for: key, among: keys.sorted())
    report(
      .unknownReference, "no \(kind.rawValue) has the key '\(key.prefix(40))'", at: location,
      hint: nearest.map { "did you mean '\($0)'?" }, fix: nearest)
    return nil
  }

  func profile(_ node: YAMLNode, _ subject: Subject, among kind: ProfileKind) -> String? {
    filledText(node, subject).flatMap { profile($0, at: node.location, among: kind) }
  }

  mutating func profiles(
    _ node: YAMLNode, _ subject: Subject, of entry: Subject = "a key",
    among kind: ProfileKind = .userOrPage
  ) -> [String] { list(node, subject) { $0.profile($1, entry, among: kind) } }

  /// Counts objects; a typo in a number must not fill the memory.
  mutating func count(_ objects: Int, at location: SourceLocation) {
    let isBelow = objectCount <= Self.maximumObjectCount
    objectCount += objects
    guard isBelow, objectCount > Self.maximumObjectCount else { return }
    report(.limit, "the world has more than \(Self.maximumObjectCount) objects", at: location)
  }
}

// MARK: - The application, tokens, limits and behaviors

extension WorldReader {
  private static let applicationKeys: [Key<WorldDescription.Application>] = [
    Key("name", \.name) { $0.filledText($1, $2) },
    Key("id", \.id) { $0.id($1, $2) },
    Key("secret", \.secret) { $0.filledText($1, $2) },
    Key("client_token", \.clientToken) { $0.filledText($1, $2) },
    Key("require_proof", \.requiresProof) { $0.boolean($1, $2) },
    Key("subscriptions", \.subscriptions) { $0.list($1, $2) { $0.subscription($1) } },
  ]

  private static let subscriptionKeys: [Key<WorldDescription.Subscription>] = [
    Key("object", \.object) { $0.filledText($1, $2) },
    Key("callback_url", \.callbackURL) { $0.filledText($1, $2) },
    Key("fields", \.fields) { $0.texts($1, $2, of: "a field") },
    Key("verify_token", \.verifyToken) { $0.filledText($1, $2) },
    Key("include_values", \.includesValues) { $0.boolean($1, $2) },
  ]

  private mutating func subscription(_ node: YAMLNode) -> WorldDescription.Subscription? {
    let required = ["object", "callback_url", "fields"]
    var isWhole = true
    let subscription = object(
      node, "a subscription", WorldDescription.Subscription(), by: Self.subscriptionKeys
    ) {
      for key in required where $0.required(key, in: $1) == nil { isWhole = false }
    }
    if isWhole, let problem = subscription?.problem {
      report(.invalidValue, "Graph would refuse it: \(problem)", at: node.location)
    }
    return subscription
  }

  private mutating func application(
    _ node: YAMLNode, _ subject: Subject
  ) -> WorldDescription.Application? {
    var proof = SourceLocation.start
    let application = object(
      node, subject, WorldDescription.Application(), by: Self.applicationKeys
    ) { proof = $1.keyLocation("require_proof") }
    if application?.requiresProof == true, application?.secret == nil {
      report(.missingKey, "'require_proof' needs 'secret', with which the proof is made", at: proof)
    }
    return application
  }

  private func tokens(
    _ node: YAMLNode, _ subject: Subject
  ) -> [WorldDescription.Named<WorldDescription.Token>] {
    (entries(of: node, subject) ?? []).compactMap { entry in
      token(entry).map { .init(entry.key, $0) }
    }
  }

  private func token(_ entry: YAMLNode.Entry) -> WorldDescription.Token? {
    let keys = ["user", "system_user", "page", "application", "state", "expires"]
    guard let members = members(of: entry.value, Subject("the token", entry.key), known: keys)
    else { return nil }
    let state: TokenState? = members.value("state") { choice($0, $1) }
    let expires = members.value("expires") { time($0, $1) }
    guard let owner = owner(members) else { return nil }
    var token = WorldDescription.Token(owner)
    token.state = state ?? .valid
    if let isSystem = members.value("system_user", { boolean($0, $1) }), case .user = owner {
      token.isSystemUser = isSystem
    }
    token.expires = expires
    return token
  }

  private func owner(_ members: YAMLMembers) -> WorldDescription.Token.Owner? {
    let user = members.value("user") { profile($0, $1, among: .user) }
    let page = members.value("page") { profile($0, $1, among: .page) }
    if members["application"] != nil {
      if members["user"] != nil || members["page"] != nil {
        report(
          .misplacedKey, "a token of the application cannot have a user or a page",
          at: members.keyLocation("application"))
        return nil
      }
      return members.value("application") { boolean($0, $1) } == true ? .application : nil
    }
    let hint = "the token of a page belongs to a user who has a role there"
    _ = required("user", in: members, hint: members["page"].map { _ in hint })
    guard let user else { return nil }
    return members["page"] == nil ? .user(user) : page.map { .page($0, user: user) }
  }

  private static let limitKeys: [Key<RateLimits>] =
    [
      Key("window", \.window) { $0.seconds($1, $2, in: 60...604_800, "must be from 1m to 168h") },
      Key("penalty", \.penalty) { $0.seconds($1, $2, in: 0...86_400, "must be at most 24h") },
    ]
    + RateLimits.Kind.allCases.map { kind in
      Key(kind.rawValue, \.quotas[kind]) { $0.quota($1, $2) }
    }

  private func seconds(
    _ node: YAMLNode, _ subject: Subject, in range: ClosedRange<Int64>, _ rule: String
  ) -> Int? {
    guard let time = duration(node, subject, allowsZero: range.contains(0)) else { return nil }
    let seconds = time.components.seconds
    if !range.contains(seconds) { report(.invalidValue, "\(subject) \(rule)", at: node.location) }
    return Int(seconds)
  }

  /// A number of calls, or a map.
  private func quota(_ node: YAMLNode, _ subject: Subject) -> RateLimits.Quota? {
    let range = 1...1_000_000_000_000
    if case .scalar = node.content {
      return integer(node, subject, in: range).map { .init(calls: $0) }
    }
    let keys = ["calls", "processor_time", "time", "used"]
    guard let members = members(of: node, subject, known: keys) else { return nil }
    func milliseconds(_ key: String) -> Int? {
      members.value(key) { duration($0, $1) }.map { Int($0.milliseconds) }
    }
    let calls = required("calls", in: members).flatMap { integer($0, "'calls'", in: range) }
    let used = members.value("used") { integer($0, $1, in: 0...range.upperBound) }
    let (processorTime, time) = (milliseconds("processor_time"), milliseconds("time"))
    return calls.map { .init(calls: $0, processorTime: processorTime, time: time, used: used ?? 0) }
  }

  private static let behaviorKeys: [Key<WorldDescription.Behaviors>] = [
    // `null` is one of the values here, although in YAML it means a missing value.
    Key("aborted", \.aborted) { $1.isNull ? nil : $0.choice($1, $2) },
    Key("statuses", \.statuses) { $0.choice($1, $2) },
    Key("forbidden", \.forbidden) { $0.choice($1, $2) },
    Key("shuffle", \.shuffle) { $0.integer($1, $2, in: 0...Int.max).map(UInt64.init) },
    Key("dependency_lists", \.takesDependencyLists) { $0.boolean($1, $2) },
    Key("open_timelines", \.opensTimelines) { $0.boolean($1, $2) },
    Key("default_version", \.defaultVersion) { $0.version($1, $2) },
  ]

  private func version(_ node: YAMLNode, _ subject: Subject) -> String? {
    let version = filledText(node, subject)
    if let version, !WorldDescription.isUsable(version: version) {
      report(
        .invalidValue, "'\(version.prefix(40))' is not a version that the sandbox supports",
        at: node.location, hint: "write one from v20.0 to v26.0")
    }
    return version
  }
}
