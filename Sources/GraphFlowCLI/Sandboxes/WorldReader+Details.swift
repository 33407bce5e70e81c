import GraphFlow
import GraphSandbox
import JSONPath

/// Fields and edges by Graph's names, which every object can have.
extension WorldReader {
  /// The keys of objects of a type, and the keys `fields` and `edges`.
  static func detailed<Whole: DetailedDescription>(
    _ keys: [Key<Whole>], of type: String
  ) -> [Key<Whole>] {
    keys + [
      Key("fields", \.details.fields) { $0.fields($1, $2, of: type) },
      Key("edges", \.details.edges) { $0.edges($1, $2, of: type) },
    ]
  }

  private func fields(_ node: YAMLNode, _ subject: Subject, of type: String) -> JSON.Object {
    let names = GraphVocabulary.fieldNames(of: type)
    let entries = members(of: node, subject, known: names)?.entries ?? []
    return JSON.Object(
      entries.filter { names.contains($0.key) }.compactMap { entry in
        let subject = Subject(key: entry.key)
        guard let value = value(entry.value, subject) else { return nil }
        guard let expected = GraphVocabulary.expectation(of: entry.key, type, for: value) else {
          return (entry.key, value)
        }
        reportType(entry.value, subject, takes: expected)
        return nil
      })
  }

  private mutating func edges(
    _ node: YAMLNode, _ subject: Subject, of type: String
  ) -> [WorldDescription.Named<[ListedObject]>] {
    let names = GraphVocabulary.edgeNames(of: type)
    let entries = members(of: node, subject, known: names)?.entries ?? []
    return entries.filter { names.contains($0.key) }.map { entry in
      let type = GraphVocabulary.type(at: entry.key, of: type) ?? ""
      return .init(entry.key, list(entry.value, Subject(key: entry.key)) { $0.node($1, type) })
    }
  }

  /// An object at an edge, or several.
  private mutating func node(_ node: YAMLNode, _ type: String) -> ListedObject? {
    let keys: [Key<ListedObject>] = Self.detailed(
      [
        Key("id", \.id) { $0.id($1, $2) },
        Key("count", \.count) { $0.integer($1, $2, in: 1...WorldDescription.Post.maximumCount) },
      ], of: type)
    let before = objectCount
    var location = node.location
    let made = object(node, Subject("an object of type", type), .init(type), by: keys) {
      location = $1.keyLocation("count")
    }
    guard let made else { return nil }
    let each = 1 + objectCount - before
    objectCount = before
    count(each * made.count, at: location)
    return made
  }
}
