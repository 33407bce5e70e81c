import JSONPath

/// Reads objects and edges for one session.
struct Reader {
  /// The world's, or older ones while a write lags.
  var objects: ObjectTable
  let session: Session
  let version: String
  let now: Int
  /// The base URL of paging links.
  let origin: String
  let forbidden: WorldDescription.Behaviors.Forbidden
  /// How dates are written (`date_format`); nil: as usual.
  private(set) var dateFormat: String?
  /// The errors of lists that were hidden for a missing permission; `debug=all` shows them.
  private(set) var warnings: [String] = []
  /// The parameters that Graph would have obeyed.
  private(set) var ignored: [String] = []
  private(set) var work = 0

  /// The most work of one request: an object costs ten, and each field one.
  static let workLimit = 400_000

  var computed: ComputedValues {
    ComputedValues(objects: objects, session: session, now: now, origin: origin)
  }

  /// Counts work; without a limit nested fields would multiply without bound.
  mutating func count(_ amount: Int) throws(GraphFault) {
    work += amount
    guard work <= Self.workLimit else { throw .tooMuchData }
  }

  /// Checks that the session may read an edge; if not, the answer is an error or an empty list
  /// (docs/internals/graph-api.md, decision 31).
  ///
  /// - Returns: whether the answer is an empty list.
  mutating func isHidden(
    _ edge: Edge, of type: NodeType, at place: ObjectTable.Place
  ) throws(GraphFault) -> Bool {
    do throws(GraphFault) {
      try session.requireReadAccess(edge, of: type, at: place, in: objects)
      return false
    } catch {
      guard forbidden == .empty, error.isPermission else { throw error }
      warn(error)
      return true
    }
  }

  /// Notes an error that only shows as a missing answer.
  mutating func warn(_ fault: GraphFault) {
    if warnings.count < 50, !warnings.contains(fault.message) { warnings.append(fault.message) }
  }

  /// Notes the parameters of an edge that Graph knows and the sandbox does not obey.
  mutating func noteIgnored(of request: EdgeRequest, _ type: NodeType) {
    guard let call = Catalog.graph.call(.get, request.edge.name, of: type) else { return }
    // Graph's lists take `filtering`, though the catalogue names it at few.
    let filtering = Self.filtering
    let names = request.parameters.names {
      call.takes($0) || $0.hasSameBytes(as: filtering.span)
    }
    for name in names {
      let isObeyed =
        ["limit", "since", "until", "date_format"].contains(name)
        || request.edge == .comments && ["filter", "order"].contains(name)
        || request.edge == .reactions && name == "type"
        || request.edge.isOfInsights
          && (type.isAds ? InsightsQuery.parameters : PageInsights.parameters).contains(name)
        || ListFilter.parameters.contains(name) && ListFilter.serves(call.targets.first)
      if !isObeyed, !ignored.contains(name) { ignored.append(name) }
    }
  }

  private static let filtering = Array("filtering".utf8)

  /// Executes a GET of objects or edges with these names; a body that is empty gets the answer.
  mutating func read(
    _ request: GraphRequest, _ names: [String], into body: consuming [UInt8]
  ) throws(GraphFault) -> Answer {
    let path = request.path
    dateFormat = request.parameters["date_format"].flatMap { $0.isEmpty ? nil : $0 }
    // Graph would answer with a call of this function (JSON-P).
    if request.parameters.contains("callback") { ignored.append("callback") }
    if request.parameters.contains("ids") { return try readMany(names, request) }
    if names.count == 1, names[0] == "debug_token" { return try debugToken(request.parameters) }
    let place = try session.place(of: names[0], .get, in: objects)
    if path.count == 2, path[1] == "picture", let object = objects[place],
      object.type == .user || object.type == .page
    {
      return try picture(of: object, at: place, request)
    }
    let selection = try FieldSelection.reading(request.parameters.bytes(of: "fields"))
    try append(place, path.dropFirst(), request.parameters, selection, to: &body)
    return Answer(body: body)
  }

  /// Appends a node, or, with one more path segment, an edge.
  private mutating func append(
    _ place: ObjectTable.Place, _ path: ArraySlice<String>, _ parameters: Parameters,
    _ selection: FieldSelection?, to output: inout [UInt8]
  ) throws(GraphFault) {
    guard let type = objects[place]?.type else { return }
    if type == .adReportRun, let run = objects[place],
      ReportRun(run)?.isExpired(at: now) == true
    {
      throw .unsupported(.get, run.id)
    }
    guard let segment = path.first else {
      if type.isAds { try session.requireAdsAccess(at: place, in: objects) }
      try appendNode(at: place, selection, to: &output)
      if parameters.flag("metadata") == true {
        let metadata = NodeMetadata(of: type)
        try count(metadata.work)
        metadata.append(to: &output, of: place, by: self)
      }
      return
    }
    let edge = try type.edge(named: segment, path)
    var parameters = parameters
    var rest = path.dropFirst()
    if !rest.isEmpty, edge.isOfInsights, !type.isAds {
      // `insights/METRICS/PERIOD` (Pages API, Get Page Insights).
      for name in ["metric", "period"] {
        if let value = rest.popFirst() { parameters.append(name, value) }
      }
    }
    guard rest.isEmpty else { throw .unknownPath(rest) }
    _ = try appendEdge(
      EdgeRequest(edge: edge, parameters: parameters, selection: selection), at: place, to: &output)
  }

  /// Several nodes, or one edge of each, keyed by id; one bad id fails the whole read
  /// (docs/internals/graph-api.md, Reading).
  private mutating func readMany(
    _ ids: [String], _ request: GraphRequest
  ) throws(GraphFault) -> Answer {
    // Parsed here but thrown later: an unknown id takes precedence over an error in the fields.
    let fields = Result { () throws(GraphFault) in
      try FieldSelection.reading(request.parameters.bytes(of: "fields"))
    }
    var body = [UInt8(ascii: "{")]
    var seen: Set<String> = []
    for id in ids where seen.insert(id).inserted {
      let place = try session.place(of: id, .get, in: objects)
      let selection = try fields.get()
      GraphText.appendName(id, to: &body)
      try append(place, request.path[...], request.parameters, selection, to: &body)
    }
    body.append(UInt8(ascii: "}"))
    return Answer(body: body)
  }

  /// A redirect to the image, or, with `redirect=false`, its address (docs/internals/graph-api.md,
  /// Reading).
  private func picture(
    of object: GraphObject, at place: ObjectTable.Place, _ request: GraphRequest
  ) throws(GraphFault) -> Answer {
    var answer = Answer()
    guard let name = FieldName("picture"),
      appendValue(of: name, at: place, to: &answer.body)
    else { throw .unsupported(.get, object.id) }
    guard request.parameters.flag("redirect") ?? true else { return answer }
    let picture = try? JSON(parsing: answer.body)
    return Answer(status: 302, location: picture?["data"]?["url"]?.string)
  }
}
