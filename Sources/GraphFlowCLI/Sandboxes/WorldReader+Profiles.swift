import GraphFlow
import GraphSandbox
import JSONPath

/// Users and pages.
extension WorldReader {
  private static let userKeys: [Key<WorldDescription.User>] = [
    Key("name", \.name) { $0.filledText($1, $2) },
    Key("id", \.id) { $0.id($1, $2) },
    Key("fields", \.fields) { $0.fields($1, $2, known: WorldDescription.User.fieldNames) },
    Key("friends", \.friends) { $0.profiles($1, $2, of: "a friend", among: .user) },
    Key("permissions", \.permissions) { $0.permissions($1, $2) },
    Key("posts", \.contents.posts) { $0.list($1, $2) { $0.post($1) } },
    Key("photos", \.contents.photos) { $0.list($1, $2) { $0.photo($1) } },
    Key("albums", \.contents.albums) { $0.list($1, $2) { $0.album($1) } },
  ]

  mutating func user(_ entry: YAMLNode.Entry) -> WorldDescription.User? {
    let subject = Subject("the user", entry.key)
    return named(entry.value, subject, at: entry.keyLocation, .init(name: ""), by: Self.userKeys)
  }

  private static let pageKeys: [Key<WorldDescription.Page>] = [
    Key("name", \.name) { $0.filledText($1, $2) },
    Key("id", \.id) { $0.id($1, $2) },
    Key("category", \.category) { $0.filledText($1, $2) },
    Key("fields", \.fields) { $0.fields($1, $2, known: WorldDescription.Page.fieldNames) },
    Key("roles", \.roles) { $0.roles($1, $2) },
    Key("posts", \.contents.posts) { $0.list($1, $2) { $0.post($1) } },
    Key("photos", \.contents.photos) { $0.list($1, $2) { $0.photo($1) } },
    Key("albums", \.contents.albums) { $0.list($1, $2) { $0.album($1) } },
    Key("instagram", \.instagram) { $0.instagram($1, $2) },
  ]

  mutating func page(_ entry: YAMLNode.Entry) -> WorldDescription.Page? {
    let subject = Subject("the page", entry.key)
    return named(entry.value, subject, at: entry.keyLocation, .init(name: ""), by: Self.pageKeys)
  }

  /// Fields without keys of their own.
  private mutating func fields(
    _ node: YAMLNode, _ subject: Subject, known names: [String]
  ) -> JSON.Object {
    var object = JSON.Object()
    let entries = members(of: node, subject, known: names)?.entries ?? []
    for entry in entries where names.contains(entry.key) {
      object[entry.key] = value(entry.value, Subject(key: entry.key))
    }
    return object
  }

  private mutating func permissions(
    _ node: YAMLNode, _ subject: Subject
  ) -> [WorldDescription.Grant] {
    let statuses = WorldDescription.Grant.Status.allCases
    guard let members = members(of: node, subject, known: statuses.map(\.rawValue)) else {
      return []
    }
    var seen: Set<String> = []
    return statuses.flatMap { status -> [WorldDescription.Grant] in
      guard let node = members[status.rawValue] else { return [] }
      return list(node, Subject(key: status.rawValue)) { reader, node in
        guard let name = reader.filledText(node, "a permission") else { return nil }
        if seen.insert(name).inserted { return .init(name, status) }
        reader.report(
          .invalidValue, "duplicate permission '\(name.prefix(40))'", at: node.location)
        return nil
      }
    }
  }

  private mutating func roles(
    _ node: YAMLNode, _ subject: Subject
  ) -> [WorldDescription.Named<[String]>] {
    (entries(of: node, subject) ?? []).compactMap { entry in
      let key = profile(entry.key, at: entry.keyLocation, among: .user)
      let tasks = texts(entry.value, Subject("the tasks of", entry.key), of: "a task")
      return key.map { .init($0, tasks) }
    }
  }

  private static let instagramKeys: [Key<WorldDescription.Instagram>] = [
    Key("username", \.username) { $0.filledText($1, $2) },
    Key("name", \.name) { $0.filledText($1, $2) },
    Key("id", \.id) { $0.id($1, $2) },
    Key("media", \.media) { reader, node, subject in
      let captions = reader.texts(node, subject, of: "a caption")
      reader.count(captions.count, at: node.location)
      return captions
    },
  ]

  private mutating func instagram(
    _ node: YAMLNode, _ subject: Subject
  ) -> WorldDescription.Instagram? {
    let keys = Self.instagramKeys
    guard let members = members(of: node, subject, known: keys.map(\.name)) else { return nil }
    count(1, at: members.location)
    guard required("username", in: members, of: subject) != nil else { return nil }
    var account = WorldDescription.Instagram(username: "")
    read(members, into: &account, by: keys)
    return account
  }
}
