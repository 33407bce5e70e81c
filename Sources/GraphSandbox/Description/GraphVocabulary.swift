package import JSONPath

/// What a world file can say about objects of a type.
package enum GraphVocabulary {
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
      .filter { node.targets(of: Edge(name: $0)).count == 1 && !Edge(name: $0).isOfInsights }
      .map(\.text)
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
