import JSONPath

extension GraphObject {
  /// The object as a store keeps it.
  var json: JSON {
    var members: JSON.Object = [
      "type": .string(type.rawValue), "owner": .string(owner), "fields": .object(fields),
    ]
    if !listings.isEmpty {
      members["listings"] = .array(listings.map { [.string($0.id), .string($0.edge.rawValue)] })
    }
    if !edges.isEmpty {
      let lists = edges.map { ($0.key.rawValue, $0.value) }
      members["edges"] = JSON(sorted: Dictionary(uniqueKeysWithValues: lists), \.json)
    }
    return .object(members)
  }

  /// Reads an object as a store keeps it; nil if it is malformed.
  init?(id: String, _ json: JSON) {
    guard let type = json["type"]?.string.flatMap(NodeType.init),
      let owner = json["owner"]?.string, let fields = json["fields"]?.object
    else { return nil }
    self.init(type, id: id, owner: owner, fields: fields)
    for (name, list) in json["edges"]?.object ?? [:] {
      guard let edge = Edge(rawValue: name), let list = EdgeList(list) else { return nil }
      edges[edge] = list
    }
    for listing in json["listings"]?.array ?? [] {
      guard let pair = listing.array, pair.count == 2, let id = pair[0].string,
        let edge = pair[1].string.flatMap(Edge.init)
      else { return nil }
      listings.append(.init(id: id, edge: edge))
    }
  }
}
