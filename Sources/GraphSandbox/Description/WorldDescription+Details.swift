package import JSONPath

extension WorldDescription {
  /// What an object has beside what the keys of its own describe: fields and lists by Graph's names.
  package struct Details: Hashable, Sendable {
    package var fields = JSON.Object()
    /// The objects at its edges, by the names of the edges.
    package var edges: [Named<[Node]>] = []

    package init() {}
  }

  /// The description of an object that can have details.
  package protocol Detailed: Sendable {
    var details: Details { get set }
  }

  /// An object at an edge, or several that differ only by a number.
  package struct Node: Hashable, Detailed {
    /// The type's name.
    package let type: String
    /// The id; nil: the next free one.
    package var id: String?
    /// How many objects this entry describes; `{n}` in a text stands for the number of each, from 1.
    package var count = 1
    package var details = Details()

    package init(_ type: String) { self.type = type }
  }
}

extension WorldDescription.User: WorldDescription.Detailed {}
extension WorldDescription.Page: WorldDescription.Detailed {}
extension WorldDescription.Instagram: WorldDescription.Detailed {}
extension WorldDescription.Post: WorldDescription.Detailed {}
extension WorldDescription.Photo: WorldDescription.Detailed {}
extension WorldDescription.Album: WorldDescription.Detailed {}
extension WorldDescription.Comment: WorldDescription.Detailed {}
extension WorldDescription.AdAccount: WorldDescription.Detailed {}
extension WorldDescription.Campaign: WorldDescription.Detailed {}
extension WorldDescription.AdSet: WorldDescription.Detailed {}
extension WorldDescription.Ad: WorldDescription.Detailed {}

/// What a world file can say about objects of a type.
extension WorldDescription {
  /// The fields that can be described, sorted.
  ///
  /// Fields with keys of their own are not among them, and neither are those that depend on the
  /// reader.
  package static func fieldNames(of type: String) -> [String] {
    guard let node = NodeType(type) else { return [] }
    let others = ["access_token", "id", "tasks"] + (ownKeys[type] ?? [])
    return Catalog.graph.names(of: node) { $0.kind != nil }.map(\.text)
      .filter { !others.contains($0) }
  }

  private static let ownKeys: [String: [String]] = [
    "Ad": ["name", "status"], "AdAccount": ["account_id", "currency", "name", "timezone_name"],
    "AdSet": ["daily_budget", "end_time", "name", "start_time", "status"], "Album": ["name"],
    "Application": ["name"],
    "Campaign": ["name", "objective", "status"], "Comment": ["from", "message"],
    "IGUser": ["name", "username"], "Page": ["instagram_business_account", "name"],
    "Photo": ["name"], "Post": ["message"], "User": ["name"],
  ]

  /// What a field takes if it does not take a value: `a list`; nil if it takes it.
  package static func expectation(of field: String, _ type: String, for value: JSON) -> String? {
    guard let type = NodeType(type), let name = FieldName(field) else { return nil }
    switch (Catalog.graph[name, type].kind, value) {
    case (.bool, .bool), (.list, .array), (.number, .number), (.object, .object),
      (.string, .string), (.time, .string), (.any, _), (nil, _):
      return nil
    case (.bool, _): return "true or false"
    case (.list, _): return "a list"
    case (.number, _): return "a number"
    case (.object, _): return "a map"
    case (.string, _): return "a text"
    case (.time, _): return "a text such as \"2026-01-15T12:00:00+0000\""
    }
  }

  /// The edges that hold objects which can be described, sorted.
  package static func edgeNames(of type: String) -> [String] {
    guard let node = NodeType(type) else { return [] }
    let others = ownEdges[type] ?? []
    return Catalog.graph.names(of: node, where: \.isEdge)
      .filter { node.targets(of: Edge(name: $0)).count == 1 }.map(\.text)
      .filter { !others.contains($0) }
  }

  private static let ownEdges: [String: [String]] = [
    "AdAccount": ["ads", "adsets", "campaigns"], "AdSet": ["ads"], "Album": ["comments", "photos"],
    "Campaign": ["ads", "adsets"], "Comment": ["likes"], "IGUser": ["media"],
    "Page": ["albums", "feed", "photos", "posts", "published_posts"],
    "Photo": ["comments", "likes"], "Post": ["comments", "likes"],
    "User": ["accounts", "adaccounts", "albums", "feed", "friends", "photos", "posts"],
  ]

  /// The type of the objects at an edge that can be described.
  package static func type(at edge: String, of type: String) -> String? {
    guard let node = NodeType(type), let name = FieldName(edge) else { return nil }
    return node.targets(of: Edge(name: name)).first?.name
  }

  /// The names of all types.
  package static var typeNames: [String] { Catalog.graph.types }

  /// The kind of a field's value: `string`, `number`, `bool`, `list`, `object`, `time` or `any`.
  package static func kind(of field: String, _ type: String) -> String? {
    guard let type = NodeType(type), let name = FieldName(field) else { return nil }
    return Catalog.graph[name, type].kind?.rawValue
  }
}
