import GraphFlow
import GraphSandbox
import JSONPath

/// Reads a world file: the YAML that describes what is in a sandbox at the start.
///
/// It continues after errors, so that all problems are reported at once.
struct WorldReader {
  /// The kinds of profiles that a key can name.
  enum ProfileKind: String {
    case user
    case page
    case userOrPage = "user or page"
  }

  var fields: FieldReader
  /// The keys of the described profiles.
  private var known: [ProfileKind: Set<String>] = [:]
  /// The ids in the file, and the number of objects that it makes.
  private var ids: Set<String> = []
  var objectCount = 0

  private init(_ source: SourceFile) { fields = FieldReader(source) }

  /// The most objects that a file may make.
  static let maximumObjectCount = 10_000_000

  static func reading(_ source: SourceFile) -> (world: WorldDescription?, diagnostics: [Diagnostic])
  {
    var reader = WorldReader(source)
    guard let root = reader.fields.root else { return (nil, reader.fields.diagnostics) }
    let world = reader.world(root)
    return (reader.fields.hasErrors ? nil : world, reader.fields.diagnostics)
  }

  private static let keys = [
    "world", "start", "application", "users", "pages", "ad_accounts", "tokens", "limits",
    "behaviors",
  ]

  private mutating func world(_ node: YAMLNode) -> WorldDescription? {
    guard let members = fields.members(of: node, "the world", known: Self.keys) else { return nil }
    fields.checkVersion("world", in: members, of: "the world")
    var world = WorldDescription()
    world.start = time("start", in: members) ?? world.start
    if let node = members["application"] { world.application = application(node) }
    let users = fields.entries("users", in: members)
    let pages = fields.entries("pages", in: members)
    let (userKeys, pageKeys) = (Set(users.map(\.key)), Set(pages.map(\.key)))
    known = [.user: userKeys, .page: pageKeys, .userOrPage: userKeys.union(pageKeys)]
    for page in pages where userKeys.contains(page.key) {
      fields.report(
        .invalidName, "'\(page.key)' names a user and a page", at: page.keyLocation,
        hint: "give one of them another key")
    }
    world.users = users.compactMap { entry in user(entry).map { .init(entry.key, $0) } }
    world.pages = pages.compactMap { entry in page(entry).map { .init(entry.key, $0) } }
    world.adAccounts = fields.entries("ad_accounts", in: members).compactMap { entry in
      adAccount(entry).map { .init(entry.key, $0) }
    }
    world.tokens = tokens(members)
    if let node = members["limits"] { world.limits = limits(node) }
    if let node = members["behaviors"] { world.behaviors = behaviors(node) }
    return world
  }

  private mutating func application(_ node: YAMLNode) -> WorldDescription.Application {
    var application = WorldDescription.Application()
    let keys = ["name", "id", "secret", "client_token", "require_proof"]
    guard let members = fields.members(of: node, "'application'", known: keys) else {
      return application
    }
    application.name = fields.filledText("name", in: members) ?? application.name
    application.id = id(in: members)
    application.secret = fields.filledText("secret", in: members)
    application.clientToken = fields.filledText("client_token", in: members)
    application.requiresProof = fields.boolean("require_proof", in: members) ?? false
    if application.requiresProof, application.secret == nil {
      fields.report(
        .missingKey, "'require_proof' needs 'secret', with which the proof is made",
        at: members.keyLocation("require_proof"))
    }
    return application
  }
}

// MARK: - Values

extension WorldReader {
  /// A time: seconds since 1970, a day, or a day and a time in UTC.
  mutating func time(_ key: String, in members: FieldReader.Members) -> Int? {
    let subject = Subject(key: key)
    guard let node = members[key], let value = fields.value(node, subject) else { return nil }
    guard let text = value.string ?? value.number?.lexeme else {
      fields.reportType(node, subject, takes: "a time such as 2026-01-15T12:00:00Z")
      return nil
    }
    guard let time = WorldDescription.time(text) else {
      fields.report(
        .invalidValue, "\(subject) is not a time", at: node.location,
        hint: "write 2026-01-15, 2026-01-15T12:00:00Z or seconds since 1970")
      return nil
    }
    return time
  }

  /// An id that the author chose: digits, and unique.
  mutating func id(in members: FieldReader.Members) -> String? {
    guard let node = members["id"], let id = fields.filledText(node, "'id'") else { return nil }
    guard id.utf8.count <= 20, id.utf8.allSatisfy({ (48...57).contains($0) }) else {
      fields.report(.invalidValue, "an id must have digits only, at most 20", at: node.location)
      return nil
    }
    guard ids.insert(id).inserted else {
      fields.report(.invalidValue, "duplicate id '\(id)'", at: node.location)
      return nil
    }
    return id
  }

  /// A list of texts that are not empty, with their locations.
  mutating func texts(
    _ node: YAMLNode, _ subject: Subject, of entry: Subject
  ) -> [(text: String, location: SourceLocation)] {
    (fields.elements(of: node, subject) ?? []).compactMap { element in
      fields.filledText(element, entry).map { ($0, element.location) }
    }
  }

  /// Checks that a key is that of a described profile.
  mutating func profile(
    _ key: String, at location: SourceLocation, among kind: ProfileKind
  ) -> String? {
    let keys = known[kind] ?? []
    if keys.contains(key) { return key }
    let nearest = fields.suggestion(for: key, among: keys.sorted())
    fields.report(
      .unknownReference, "no \(kind.rawValue) has the key '\(key.prefix(40))'", at: location,
      hint: nearest.map { "did you mean '\($0)'?" }, fix: nearest)
    return nil
  }

  /// The key of a profile, as the value of a key.
  mutating func profile(
    _ key: String, in members: FieldReader.Members, among kind: ProfileKind
  ) -> String? {
    guard let node = members[key], let text = fields.filledText(node, Subject(key: key)) else {
      return nil
    }
    return profile(text, at: node.location, among: kind)
  }

  /// A list of keys of people and pages.
  mutating func profiles(
    _ key: String, in members: FieldReader.Members, of entry: Subject, among kind: ProfileKind
  ) -> [String] {
    guard let node = members[key] else { return [] }
    return texts(node, Subject(key: key), of: entry).compactMap {
      profile($0.text, at: $0.location, among: kind)
    }
  }

  /// Counts objects; a typo in a number must not fill the memory.
  mutating func count(_ objects: Int, at location: SourceLocation) {
    let isBelow = objectCount <= Self.maximumObjectCount
    objectCount += objects
    guard isBelow, objectCount > Self.maximumObjectCount else { return }
    fields.report(
      .limit, "the world has more than \(Self.maximumObjectCount) objects", at: location)
  }
}
