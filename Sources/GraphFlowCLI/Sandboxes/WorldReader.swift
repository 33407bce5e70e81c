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
  var findings: Findings
  /// The keys of the described profiles.
  private var known: [ProfileKind: Set<String>] = [:]
  /// The ids in the file, and the number of objects that it makes.
  private var ids: Set<String> = []
  var objectCount = 0

  private init(_ findings: Findings) { self.findings = findings }

  static func reading(_ source: SourceFile) -> (world: WorldDescription?, diagnostics: [Diagnostic])
  {
    let file = FieldReader(source)
    var reader = WorldReader(file.findings)
    let world = file.root.flatMap { reader.world($0) }
    return (file.hasErrors ? nil : world, file.diagnostics)
  }

  private static let keys = [
    "world", "start", "application", "users", "pages", "ad_accounts", "tokens", "limits",
    "behaviors",
  ]

  private mutating func world(_ node: YAMLNode) -> WorldDescription? {
    guard let members = members(of: node, "the world", known: Self.keys) else { return nil }
    checkVersion("world", in: members, of: "the world")
    var world = WorldDescription()
    world.start = members["start"].flatMap { time($0, "'start'") } ?? world.start
    if let node = members["application"] { world.application = application(node) }
    let users = entries("users", in: members)
    let pages = entries("pages", in: members)
    let (userKeys, pageKeys) = (Set(users.map(\.key)), Set(pages.map(\.key)))
    known = [.user: userKeys, .page: pageKeys, .userOrPage: userKeys.union(pageKeys)]
    for page in pages where userKeys.contains(page.key) {
      report(
        .invalidName, "'\(page.key)' names a user and a page", at: page.keyLocation,
        hint: "give one of them another key")
    }
    world.users = users.compactMap { entry in user(entry).map { .init(entry.key, $0) } }
    world.pages = pages.compactMap { entry in page(entry).map { .init(entry.key, $0) } }
    world.adAccounts = entries("ad_accounts", in: members).compactMap { entry in
      adAccount(entry).map { .init(entry.key, $0) }
    }
    world.tokens = tokens(members)
    if let node = members["limits"] {
      world.limits = object(node, "'limits'", world.limits, by: Self.limitKeys) ?? world.limits
    }
    if let node = members["behaviors"] {
      let standard = world.behaviors
      world.behaviors = object(node, "'behaviors'", standard, by: Self.behaviorKeys) ?? standard
    }
    return world
  }

  private static let applicationKeys: [Key<WorldDescription.Application>] = [
    Key("name", \.name) { $0.filledText($1, $2) },
    Key("id", \.id) { $0.id($1, $2) },
    Key("secret", \.secret) { $0.filledText($1, $2) },
    Key("client_token", \.clientToken) { $0.filledText($1, $2) },
    Key("require_proof", \.requiresProof) { $0.boolean($1, $2) },
  ]

  private mutating func application(_ node: YAMLNode) -> WorldDescription.Application {
    var application = WorldDescription.Application()
    let keys = Self.applicationKeys
    guard let members = members(of: node, "'application'", known: keys.map(\.name)) else {
      return application
    }
    read(members, into: &application, by: keys)
    if application.requiresProof, application.secret == nil {
      report(
        .missingKey, "'require_proof' needs 'secret', with which the proof is made",
        at: members.keyLocation("require_proof"))
    }
    return application
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
      _ = $0.required("name", in: $1, of: subject)
    }
  }

  /// The elements of a list, without those that cannot be used.
  mutating func list<Element>(
    _ node: YAMLNode, _ subject: Subject, _ read: (inout Self, YAMLNode) -> Element?
  ) -> [Element] { (elements(of: node, subject) ?? []).compactMap { read(&self, $0) } }

  /// A time: seconds since 1970, a day, or a day and a time in UTC.
  mutating func time(_ node: YAMLNode, _ subject: Subject) -> Int? {
    guard let value = value(node, subject) else { return nil }
    guard let text = value.string ?? value.number?.lexeme else {
      reportType(node, subject, takes: "a time such as 2026-01-15T12:00:00Z")
      return nil
    }
    if let time = WorldDescription.time(text) { return time }
    report(
      .invalidValue, "\(subject) is not a time", at: node.location,
      hint: "write 2026-01-15, 2026-01-15T12:00:00Z or seconds since 1970")
    return nil
  }

  /// An id that the author chose: digits, and unique.
  mutating func id(_ node: YAMLNode, _ subject: Subject) -> String? {
    guard let id = filledText(node, subject) else { return nil }
    guard id.utf8.count <= 20, id.utf8.allSatisfy({ (48...57).contains($0) }) else {
      report(.invalidValue, "an id must have digits only, at most 20", at: node.location)
      return nil
    }
    guard ids.insert(id).inserted else {
      report(.invalidValue, "duplicate id '\(id)'", at: node.location)
      return nil
    }
    return id
  }

  mutating func texts(_ node: YAMLNode, _ subject: Subject, of entry: Subject) -> [String] {
    list(node, subject) { $0.filledText($1, entry) }
  }

  /// Checks that a key is that of a described profile.
  mutating func profile(
    _ key: String, at location: SourceLocation, among kind: ProfileKind
  ) -> String? {
    let keys = known[kind] ?? []
    if keys.contains(key) { return key }
    let nearest = suggestion(for: key, among: keys.sorted())
    report(
      .unknownReference, "no \(kind.rawValue) has the key '\(key.prefix(40))'", at: location,
      hint: nearest.map { "did you mean '\($0)'?" }, fix: nearest)
    return nil
  }

  mutating func profile(
    _ node: YAMLNode, _ subject: Subject, among kind: ProfileKind
  ) -> String? {
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

/// World files: `--world FILE`.
enum WorldFile {
  static func world(at path: String) throws -> WorldDescription {
    try WorkflowFiles.checked(path) { WorldReader.reading($0) }
  }

  /// Whether a file has the key of world files, and not that of workflows.
  static func isWorldFile(_ source: SourceFile) -> Bool {
    WorkflowFiles.hasLine(of: source.bytes, beginningWithKey: "world")
      && !WorkflowFiles.isWorkflow(source)
  }

  /// Whether a file in a folder is a world file; other files may have the same key.
  static func isCertainlyWorldFile(_ source: SourceFile) -> Bool {
    isWorldFile(source)
      && ["users", "pages", "tokens", "ad_accounts", "application"].contains {
        WorkflowFiles.hasLine(of: source.bytes, beginningWithKey: $0)
      }
  }
}
