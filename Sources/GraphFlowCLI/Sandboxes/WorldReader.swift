import GraphFlow
import GraphSandbox
import JSONPath

/// Reads a world file: the YAML that describes what is in a sandbox at the start.
///
/// Goes on to the end whatever it meets, so that everything wrong is reported at once.
struct WorldReader {
  var fields: FieldReader
  /// The keys of users and pages, which others name.
  var users: Set<String> = []
  var pages: Set<String> = []
  /// The ids that the file gives, and how many objects it makes.
  var ids: Set<String> = []
  var objectCount = 0

  /// The most objects that a file may make.
  static let maximumObjectCount = 10_000_000

  /// Reads a file.
  ///
  /// - Returns: the description, unless something is wrong; and what is.
  static func reading(
    _ source: SourceFile
  ) -> (world: WorldDescription?, diagnostics: [Diagnostic]) {
    var reader = WorldReader(fields: FieldReader(source))
    guard let root = reader.fields.root else { return (nil, reader.fields.diagnostics) }
    let world = reader.world(root)
    return (reader.fields.hasErrors ? nil : world, reader.fields.diagnostics)
  }

  private static let keys = [
    "world", "start", "application", "users", "pages", "ad_accounts", "tokens", "limits",
    "manners",
  ]

  private mutating func world(_ node: YAMLNode) -> WorldDescription? {
    guard let members = fields.members(of: node, "the world", known: Self.keys) else { return nil }
    checkVersion(members)
    var world = WorldDescription()
    if let start = members["start"].flatMap({ time($0, "'start'") }) { world.start = start }
    if let node = members["application"] { world.application = application(node) }
    let users = members["users"].flatMap { fields.entries(of: $0, "'users'") } ?? []
    let pages = members["pages"].flatMap { fields.entries(of: $0, "'pages'") } ?? []
    self.users = Set(users.map(\.key))
    self.pages = Set(pages.map(\.key))
    for page in pages where self.users.contains(page.key) {
      fields.report(
        .invalidName,
        "'\(page.key)' names a user and a page",
        at: page.keyLocation,
        hint: "give one of them another key"
      )
    }
    world.users = users.compactMap { entry in user(entry).map { .init(entry.key, $0) } }
    world.pages = pages.compactMap { entry in page(entry).map { .init(entry.key, $0) } }
    if let node = members["ad_accounts"] {
      world.adAccounts = (fields.entries(of: node, "'ad_accounts'") ?? []).compactMap { entry in
        adAccount(entry).map { .init(entry.key, $0) }
      }
    }
    world.tokens = tokens(members)
    if let node = members["limits"] { world.limits = limits(node) }
    if let node = members["manners"] { world.manners = manners(node) }
    return world
  }

  private mutating func checkVersion(_ members: FieldReader.Members) {
    guard let node = members["world"] else {
      guard !members.mentions("world") else { return }
      return fields.report(
        .missingKey,
        "the world needs 'world'",
        at: members.location,
        hint: "write world: 1"
      )
    }
    _ = fields.integer(node, "'world'", in: 1...1)
  }

  private mutating func application(_ node: YAMLNode) -> WorldDescription.Application {
    var application = WorldDescription.Application()
    let keys = ["name", "id", "secret", "client_token", "require_proof"]
    guard let members = fields.members(of: node, "'application'", known: keys) else {
      return application
    }
    if let name = members["name"].flatMap({ fields.filledText($0, "'name'") }) {
      application.name = name
    }
    application.id = members["id"].flatMap { id($0) }
    application.secret = members["secret"].flatMap { fields.filledText($0, "'secret'") }
    application.clientToken = members["client_token"].flatMap {
      fields.filledText($0, "'client_token'")
    }
    if let flag = members["require_proof"].flatMap({ fields.boolean($0, "'require_proof'") }) {
      application.requiresProof = flag
      if flag, application.secret == nil {
        fields.report(
          .missingKey,
          "'require_proof' needs 'secret', for a proof is made with it",
          at: members.keyLocation("require_proof")
        )
      }
    }
    return application
  }
}

// MARK: - Values

extension WorldReader {
  /// A time: seconds since 1970, a day, or a day and a time in UTC.
  mutating func time(_ node: YAMLNode, _ subject: Subject) -> Int? {
    guard let value = fields.value(node, subject) else { return nil }
    let text = value.string ?? value.number?.lexeme
    guard let text else {
      fields.reportType(node, subject, takes: "a time such as 2026-01-15T12:00:00Z")
      return nil
    }
    guard let time = WorldDescription.time(text) else {
      fields.report(
        .invalidValue,
        "\(subject) is no time",
        at: node.location,
        hint: "write 2026-01-15, 2026-01-15T12:00:00Z or seconds since 1970"
      )
      return nil
    }
    return time
  }

  /// An id of the author's: digits, and no two alike.
  mutating func id(_ node: YAMLNode) -> String? {
    guard let id = fields.filledText(node, "'id'") else { return nil }
    guard id.utf8.count <= 20, id.utf8.allSatisfy({ (48...57).contains($0) }) else {
      fields.report(.invalidValue, "an id is at most 20 digits", at: node.location)
      return nil
    }
    guard ids.insert(id).inserted else {
      fields.report(.invalidValue, "the id '\(id)' is given twice", at: node.location)
      return nil
    }
    return id
  }

  /// A list of texts that are not empty, and where they stand.
  mutating func texts(
    _ node: YAMLNode,
    _ subject: Subject,
    of entry: Subject
  ) -> [(text: String, location: SourceLocation)] {
    guard let elements = fields.elements(of: node, subject) else { return [] }
    return elements.compactMap { element in
      fields.filledText(element, entry).map { ($0, element.location) }
    }
  }

  /// The key of somebody that the file describes.
  mutating func profile(
    _ key: String,
    at location: SourceLocation,
    among keys: Set<String>,
    _ what: String
  ) -> String? {
    if keys.contains(key) { return key }
    let nearest = fields.suggestion(for: key, among: keys.sorted())
    fields.report(
      .unknownReference,
      "no \(what) has the key '\(key.prefix(40))'",
      at: location,
      hint: nearest.map { "did you mean '\($0)'?" },
      fix: nearest
    )
    return nil
  }

  /// A list of keys of users and pages.
  mutating func profiles(_ node: YAMLNode, _ subject: Subject) -> [String] {
    texts(node, subject, of: "a key").compactMap {
      profile($0.text, at: $0.location, among: users.union(pages), "user or page")
    }
  }

  /// Counts objects; a slip of the pen must not fill the memory.
  mutating func count(_ objects: Int, at location: SourceLocation) {
    let isBelow = objectCount <= Self.maximumObjectCount
    objectCount += objects
    guard isBelow, objectCount > Self.maximumObjectCount else { return }
    fields.report(
      .limit,
      "the world has more than \(Self.maximumObjectCount) objects",
      at: location
    )
  }
}
