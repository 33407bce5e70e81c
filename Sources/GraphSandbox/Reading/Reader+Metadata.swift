import JSONPath

extension Reader {
  /// Adds to a node what Graph has of its type, as `metadata=1` asks for: fields, and the addresses of
  /// edges (Graph API, Overview, "Node Metadata").
  ///
  /// Meta's descriptions of the fields are left out.
  mutating func appendMetadata(
    of type: NodeType, at place: ObjectTable.Place, to output: inout [UInt8]
  ) throws(GraphFault) {
    let catalog = Catalog.graph
    let fields = catalog.names(of: type) { $0.kind != nil }
    let edges = catalog.names(of: type) { $0.isRead }
    try count(fields.count + 10 * edges.count)
    output.removeLast()
    GraphText.put(",\"metadata\":{\"fields\":", to: &output)
    GraphText.append(
      .array(
        fields.map {
          ["name": .string($0.text), "type": .string(catalog[$0, type].kind?.rawValue ?? "")]
        }), to: &output)
    GraphText.appendMember("type", type.name.lowercased(), to: &output)
    GraphText.put(",\"connections\":{", to: &output)
    for name in edges {
      let request = EdgeRequest(edge: Edge(name: name), parameters: Parameters(), selection: nil)
      GraphText.appendKey(name.key, to: &output)
      output.append(UInt8(ascii: "\""))
      appendAddress(of: request, at: place, to: &output)
      output.append(UInt8(ascii: "\""))
    }
    GraphText.put("}}}", to: &output)
  }
}
