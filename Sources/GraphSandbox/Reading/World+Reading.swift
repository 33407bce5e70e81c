import JSONPath

extension World {
  /// Executes a GET.
  func read(_ request: GraphRequest, _ scope: inout ReadScope) throws(GraphFault) -> Outcome {
    let path = request.path
    if let ids = request.parameters["ids"] { return try readMany(ids, request, &scope) }
    guard let first = path.first ?? request.parameters["id"] else { throw .unsupported(.get) }
    if first == "debug_token" { return try debugToken(request, scope.session) }
    if Self.isRetired(first) { throw .unknownPath(path) }
    let object = try object(named: first, .get, scope.session)
    if path.count == 2, path[1] == "picture", object.type == .user || object.type == .page {
      return try picture(of: object, request, &scope)
    }
    var outcome = Outcome()
    outcome.body.reserveCapacity(256)
    let selection = try FieldSelection.reading(request.parameters["fields"])
    try append(object, path.dropFirst(), request.parameters, selection, to: &outcome.body, &scope)
    return outcome
  }

  /// Appends a node, or, with one more path segment, an edge.
  private func append(
    _ object: GraphObject, _ path: ArraySlice<String>, _ parameters: Parameters,
    _ selection: FieldSelection?, to output: inout [UInt8], _ scope: inout ReadScope
  ) throws(GraphFault) {
    guard let segment = path.first else {
      if object.type.isAds { try requireAdsAccess(object, writing: false, scope.session) }
      return try appendNode(object, selection, to: &output, &scope)
    }
    let edge = try edge(named: segment, of: object, path)
    guard path.count == 1 else { throw .unknownPath(path.dropFirst()) }
    _ = try appendEdge(
      EdgeRequest(edge: edge, parameters: parameters, selection: selection), of: object,
      to: &output, &scope)
  }

  /// Several nodes, or one edge of each, keyed by id; one bad id fails the whole read
  /// (docs/internals/graph-api.md, Reading).
  private func readMany(
    _ ids: String, _ request: GraphRequest, _ scope: inout ReadScope
  ) throws(GraphFault) -> Outcome {
    let ids = ids.listed
    guard !ids.contains("") else { throw .emptyIdentifier }
    guard ids.count <= Self.identifierLimit else { throw .tooManyIdentifiers(ids.count) }
    // Parsed here but thrown later: an unknown id takes precedence over an error in the fields.
    let fields = Result { () throws(GraphFault) in
      try FieldSelection.reading(request.parameters["fields"])
    }
    var members = MemberWriter()
    var seen: Set<String> = []
    for id in ids where seen.insert(id).inserted {
      let object = try object(named: id, .get, scope.session)
      var text: [UInt8] = []
      let selection = try fields.get()
      try append(object, request.path[...], request.parameters, selection, to: &text, &scope)
      members.append(id, json: text)
    }
    return Outcome(body: members.finish())
  }

  /// A redirect to the image, or, with `redirect=false`, its address (docs/internals/graph-api.md,
  /// Reading).
  private func picture(
    of object: GraphObject, _ request: GraphRequest, _ scope: inout ReadScope
  ) throws(GraphFault) -> Outcome {
    var text: [UInt8] = []
    let selection = FieldSelection(fields: [.init(name: "picture")], text: "picture")
    try appendNode(object, selection, to: &text, &scope)
    guard let picture = (try? JSON(parsing: text))?["picture"] else {
      throw .unsupported(.get, object.id)
    }
    guard request.parameters.flag("redirect") ?? true else { return Outcome(picture) }
    return Outcome(status: 302, location: picture["data"]?["url"]?.string)
  }

  /// Whether a first path segment is of an interface that Graph has removed
  /// (docs/internals/graph-api.md, decision 38).
  static func isRetired(_ segment: String) -> Bool {
    switch segment {
    case "fql", "method", "search": true
    default: false
    }
  }

  /// How many ids one `ids=` may hold.
  static let identifierLimit = 50
}
