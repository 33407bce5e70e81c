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
    var user = WorldDescription.User(name: name(in: members, of: subject))
    user.id = id(in: members)
    user.fields = otherFields(in: members, known: WorldDescription.User.fieldNames)
    user.friends = profiles("friends", in: members, of: "a friend", among: .user)
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
    var page = WorldDescription.Page(name: name(in: members, of: subject))
    page.id = id(in: members)
    page.category = fields.filledText("category", in: members) ?? page.category
    page.fields = otherFields(in: members, known: WorldDescription.Page.fieldNames)
    page.roles = roles(in: members)
    page.contents = contents(in: members)
    page.instagram = members["instagram"].flatMap { instagram($0) }
    return page
  }

  /// The name, which is required.
  mutating func name(in members: FieldReader.Members, of subject: Subject) -> String {
    fields.require("name", in: members, of: subject)
    return fields.filledText("name", in: members) ?? ""
  }

  private mutating func otherFields(
    in members: FieldReader.Members, known names: [String]
  ) -> JSON.Object {
    guard let node = members["fields"],
      let members = fields.members(of: node, "'fields'", known: names)
    else { return [:] }
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
          fields.report(.invalidValue, "duplicate permission '\(name.prefix(40))'", at: location)
          continue
        }
        grants.append(.init(name, status))
      }
    }
    return grants
  }

  private mutating func roles(in members: FieldReader.Members) -> [WorldDescription.Named<[String]>]
  {
    fields.entries("roles", in: members).compactMap { entry in
      let key = profile(entry.key, at: entry.keyLocation, among: .user)
      let tasks = texts(entry.value, Subject("the tasks of", entry.key), of: "a task").map(\.text)
      return key.map { .init($0, tasks) }
    }
  }

  private mutating func instagram(_ node: YAMLNode) -> WorldDescription.Instagram? {
    let keys = ["username", "name", "id", "media"]
    guard let members = fields.members(of: node, "'instagram'", known: keys) else { return nil }
    count(1, at: members.location)
    guard members["username"] != nil else {
      fields.require("username", in: members, of: "'instagram'")
      return nil
    }
    var account = WorldDescription.Instagram(
      username: fields.filledText("username", in: members) ?? "")
    account.name = fields.filledText("name", in: members)
    account.id = id(in: members)
    if let media = members["media"] {
      account.media = texts(media, "'media'", of: "a caption").map(\.text)
      count(account.media.count, at: media.location)
    }
    return account
  }
}
