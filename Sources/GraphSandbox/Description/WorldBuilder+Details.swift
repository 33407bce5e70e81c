import JSONPath

extension WorldBuilder {
  /// Adds fields and lists to an object.
  mutating func add(_ details: ObjectDetails, to id: String) {
    for (name, value) in details.fields { world.objects[id]?.fields[name] = value }
    guard let owner = world.objects[id]?.owner else { return }
    for edge in details.edges {
      guard let name = FieldName(edge.key) else { continue }
      for node in edge.value { add(node, to: Edge(name: name), of: id, owner: owner) }
    }
  }

  private mutating func add(
    _ node: ListedObject, to edge: Edge, of parent: String, owner: String
  ) {
    guard let type = NodeType(node.type) else { return }
    let isDated = FieldName("created_time")?.isField(of: type) == true
    for number in 0..<max(0, min(node.count, WorldDescription.Post.maximumCount)) {
      world.now += 1
      let id = number == 0 ? node.id : nil
      var object = GraphObject(
        type, id: id ?? world.objects.nextID(), owner: owner,
        fields: isDated ? ["created_time": .string(GraphTime.text(world.now))] : [:])
      object.listings = [.init(id: parent, edge: edge.stored)]
      world.objects.insert(object)
      var details = node.details
      if node.count > 1 {
        details.fields = JSON.Object(
          details.fields.map { ($0.name, Self.numbered($0.value, number + 1)) })
      }
      add(details, to: object.id)
    }
  }

  /// A value whose texts have a number in place of `{n}`.
  private static func numbered(_ value: JSON, _ number: Int) -> JSON {
    switch value {
    case .string(let text):
      let parts = text.split(separator: "{n}", omittingEmptySubsequences: false)
      return .string(parts.joined(separator: String(number)))
    case .array(let elements): return .array(elements.map { numbered($0, number) })
    case .object(let members):
      return .object(JSON.Object(members.map { ($0.name, numbered($0.value, number)) }))
    default: return value
    }
  }
}
