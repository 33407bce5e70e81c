import GraphFlow
import GraphSandbox
import JSONPath

extension WorldReader {
  /// A user, by key.
  mutating func user(_ entry: YAMLNode.Entry) -> WorldDescription.User? {
    let subject = Subject("the user", entry.key)
    let keys = ["name", "id", "fields", "friends", "permissions", "posts", "photos", "albums"]
    guard let members = fields.members(of: entry.value, subject, known: keys) else { return nil }
    count(1, at: entry.keyLocation)
    var user = WorldDescription.User(name: name(in: members, of: subject) ?? "")
    user.id = members["id"].flatMap { id($0) }
    if let node = members["fields"] {
      user.fields = otherFields(node, known: WorldDescription.User.fieldNames)
    }
    if let node = members["friends"] {
      user.friends = texts(node, "'friends'", of: "a friend").compactMap {
        profile($0.text, at: $0.location, among: users, "user")
      }
    }
    if let node = members["permissions"] { user.permissions = permissions(node) }
    user.contents = contents(in: members)
    return user
  }

  /// A page, by key.
  mutating func page(_ entry: YAMLNode.Entry) -> WorldDescription.Page? {
    let subject = Subject("the page", entry.key)
    let keys = [
      "name", "id", "category", "fields", "roles", "posts", "photos", "albums", "instagram",
    ]
    guard let members = fields.members(of: entry.value, subject, known: keys) else { return nil }
    count(1, at: entry.keyLocation)
    var page = WorldDescription.Page(name: name(in: members, of: subject) ?? "")
    page.id = members["id"].flatMap { id($0) }
    if let category = members["category"].flatMap({ fields.filledText($0, "'category'") }) {
      page.category = category
    }
    if let node = members["fields"] {
      page.fields = otherFields(node, known: WorldDescription.Page.fieldNames)
    }
    if let node = members["roles"] { page.roles = roles(node) }
    page.contents = contents(in: members)
    page.instagram = members["instagram"].flatMap { instagram($0) }
    return page
  }

  mutating func name(in members: FieldReader.Members, of subject: Subject) -> String? {
    guard let node = members["name"] else {
      if !members.mentions("name") {
        fields.report(.missingKey, "\(subject) needs 'name'", at: members.location)
      }
      return nil
    }
    return fields.filledText(node, "'name'")
  }

  private mutating func otherFields(_ node: YAMLNode, known names: [String]) -> JSON.Object {
    guard let members = fields.members(of: node, "'fields'", known: names) else { return [:] }
    var object = JSON.Object()
    for entry in members.entries where names.contains(entry.key) {
      object[entry.key] = fields.value(entry.value, Subject(key: entry.key))
    }
    return object
  }

  private mutating func permissions(_ node: YAMLNode) -> [WorldDescription.Grant] {
    let statuses = WorldDescription.Grant.Status.allCases
    let keys = statuses.map(\.rawValue)
    guard let members = fields.members(of: node, "'permissions'", known: keys) else { return [] }
    var grants: [WorldDescription.Grant] = []
    var seen: Set<String> = []
    for status in statuses {
      guard let node = members[status.rawValue] else { continue }
      for (name, location) in texts(node, Subject(key: status.rawValue), of: "a permission") {
        guard seen.insert(name).inserted else {
          fields.report(
            .invalidValue,
            "the permission '\(name.prefix(40))' has an answer already",
            at: location
          )
          continue
        }
        grants.append(.init(name, status))
      }
    }
    return grants
  }

  private mutating func roles(_ node: YAMLNode) -> [WorldDescription.Named<[String]>] {
    guard let entries = fields.entries(of: node, "'roles'") else { return [] }
    return entries.compactMap { entry in
      let key = profile(entry.key, at: entry.keyLocation, among: users, "user")
      let tasks = texts(entry.value, Subject("the tasks of", entry.key), of: "a task").map(\.text)
      return key.map { .init($0, tasks) }
    }
  }

  private mutating func instagram(_ node: YAMLNode) -> WorldDescription.Instagram? {
    let keys = ["username", "name", "id", "media"]
    guard let members = fields.members(of: node, "'instagram'", known: keys) else { return nil }
    count(1, at: members.location)
    guard let username = members["username"] else {
      if !members.mentions("username") {
        fields.report(.missingKey, "'instagram' needs 'username'", at: members.location)
      }
      return nil
    }
    var account = WorldDescription.Instagram(
      username: fields.filledText(username, "'username'") ?? ""
    )
    account.name = members["name"].flatMap { fields.filledText($0, "'name'") }
    account.id = members["id"].flatMap { id($0) }
    if let media = members["media"] {
      account.media = texts(media, "'media'", of: "a caption").map(\.text)
      count(account.media.count, at: media.location)
    }
    return account
  }
}
