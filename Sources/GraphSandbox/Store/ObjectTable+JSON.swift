import JSONPath

extension ObjectTable {
  /// An object with its lists as a store keeps it.
  func json(of object: GraphObject) -> JSON {
    var members: JSON.Object = [
      "type": .string(object.type.name), "owner": .string(object.owner),
      "fields": .object(object.fields.members),
    ]
    if !object.listings.isEmpty {
      members["listings"] = .array(
        object.listings.map { [.string($0.id), .string($0.edge.name.text)] })
    }
    // In the order of their names.
    let lists = lists(of: object.id).map { ($0.edge.name.text, json(of: $0.list)) }
      .sorted { $0.0 < $1.0 }
    if !lists.isEmpty { members["edges"] = .object(JSON.Object(lists)) }
    return .object(members)
  }

  /// A list as a store keeps it: the next number, then each entry's number and id.
  private func json(of list: EdgeList) -> JSON {
    var elements: [JSON] = [.number(.init(list.nextNumber))]
    elements.reserveCapacity(1 + list.count * 2)
    for entry in list.entries {
      guard let id = self[entry.object]?.id else { continue }
      elements += [.number(.init(entry.number)), .string(id)]
    }
    return .array(elements)
  }

  /// Restores an object's lists after all objects.
  ///
  /// - Returns: whether they are well formed.
  mutating func restoreLists(_ edges: JSON, of owner: String) -> Bool {
    for (name, list) in edges.object ?? [:] {
      guard let edge = FieldName(name).map(Edge.init), let list = restored(list) else {
        return false
      }
      self[edge, of: owner] = list
    }
    return true
  }

  private func restored(_ list: JSON) -> EdgeList? {
    guard let elements = list.array, elements.count % 2 == 1, let next = elements[0].integer,
      next < 1 << 60
    else { return nil }
    var entries: [EdgeList.Entry] = []
    entries.reserveCapacity(elements.count / 2)
    for index in stride(from: 1, to: elements.count, by: 2) {
      guard let number = elements[index].integer,
        let place = elements[index + 1].string.flatMap(place)
      else { return nil }
      entries.append(.init(number: number, object: place))
    }
    return EdgeList(entries, nextNumber: next)
  }
}

extension GraphObject {
  /// Reads an object without its lists as a store keeps it; nil if it is malformed.
  init?(id: String, _ json: JSON) {
    guard let type = json["type"]?.string.flatMap({ NodeType($0) }),
      let owner = json["owner"]?.string, let fields = json["fields"]?.object
    else { return nil }
    self.init(type, id: id, owner: owner, fields: fields)
    for listing in json["listings"]?.array ?? [] {
      guard let pair = listing.array, pair.count == 2, let id = pair[0].string,
        let edge = pair[1].string.flatMap({ FieldName($0) }).map(Edge.init)
      else { return nil }
      listings.append(.init(id: id, edge: edge))
    }
  }
}
