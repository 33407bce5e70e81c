import JSONPath

/// What Graph has of a type, as `metadata=1` shows it: fields, and the addresses of edges.
///
/// Meta's descriptions of the fields are left out. Source: Graph API, Overview, "Node Metadata".
struct NodeMetadata {
  private let type: NodeType
  private let fields: [FieldName]
  private let edges: [FieldName]

  init(of type: NodeType) {
    self.type = type
    fields = Catalog.graph.names(of: type) { $0.kind != nil }
    edges = Catalog.graph.names(of: type) { $0.isRead }
  }

  /// The work that it makes.
  var work: Int { fields.count + 10 * edges.count }

  /// Adds it to the node that ends the output.
  func append(to output: inout [UInt8], of place: ObjectTable.Place, by reader: Reader) {
    output.removeLast()
    GraphText.put(",\"metadata\":{\"fields\":", to: &output)
    let fields = fields.map { name -> JSON in
      let kind = Catalog.graph[name, type].kind?.rawValue ?? ""
      return ["name": .string(name.text), "type": .string(kind)]
    }
    GraphText.append(.array(fields), to: &output)
    GraphText.appendMember("type", type.name.lowercased(), to: &output)
    GraphText.put(",\"connections\":{", to: &output)
    for name in edges {
      let request = EdgeRequest(edge: Edge(name: name), parameters: Parameters(), selection: nil)
      GraphText.appendKey(name.key, to: &output)
      output.append(UInt8(ascii: "\""))
      reader.appendAddress(of: request, at: place, to: &output)
      output.append(UInt8(ascii: "\""))
    }
    GraphText.put("}}}", to: &output)
  }
}
