/// A type of objects: its place in the catalogue.
struct NodeType: Hashable, Sendable {
  let index: UInt8

  init(index: UInt8) { self.index = index }

  init?(_ name: String) {
    guard let type = Catalog.graph.type(named: name) else { return nil }
    self = type
  }

  /// The name in Graph's messages.
  var name: String { Catalog.graph.types[Int(index)] }

  static let ad = named("Ad")
  static let adAccount = named("AdAccount")
  static let adCreative = named("AdCreative")
  static let adReportRun = named("AdReportRun")
  static let adSet = named("AdSet")
  static let album = named("Album")
  static let application = named("Application")
  static let campaign = named("Campaign")
  static let comment = named("Comment")
  static let instagramAccount = named("IGUser")
  static let instagramComment = named("IGComment")
  static let instagramContainer = named("IGContainer")
  static let instagramMedia = named("IGMedia")
  static let lead = named("Lead")
  static let leadForm = named("LeadgenForm")
  static let page = named("Page")
  static let photo = named("Photo")
  static let post = named("Post")
  static let user = named("User")
  static let video = named("Video")

  private static func named(_ name: String) -> NodeType {
    guard let type = NodeType(name) else { preconditionFailure("\(name) is not in graph.txt") }
    return type
  }

  /// Whether it belongs to an ad account or is one.
  var isAds: Bool { Self.ads[Int(index)] }

  /// Whether it is an Instagram account, or one of its containers or media.
  var isOfInstagram: Bool { Self.instagram[Int(index)] }

  // Tables, because every operation asks.
  private static let ads = table([.adAccount, .campaign, .adSet, .ad, .adCreative, .adReportRun])
  private static let instagram = table([.instagramAccount, .instagramContainer, .instagramMedia])

  /// Which types are some of them, by their indices.
  private static func table(_ types: Set<NodeType>) -> [Bool] {
    Catalog.graph.types.indices.map { types.contains(NodeType(index: UInt8($0))) }
  }

  /// The fields of a read without `fields`.
  var defaultFields: FieldSelection { Self.defaultFields[Int(index)] }

  private static let defaultFields: [FieldSelection] = {
    var selections = Catalog.graph.types.map { _ in FieldSelection(["id"]) }
    for type in selections.indices.map({ NodeType(index: UInt8($0)) })
    where FieldName("name")?.isField(of: type) == true {
      selections[Int(type.index)] = FieldSelection(["id", "name"])
    }
    let others: [NodeType: [String]] = [
      .post: ["id", "message", "created_time"], .photo: ["id", "created_time", "name"],
      .comment: ["id", "created_time", "from", "message"], .album: ["id", "created_time", "name"],
      .video: ["id", "description", "updated_time"], .adAccount: ["id", "account_id"],
      .campaign: ["id"], .adSet: ["id"], .ad: ["id"], .adCreative: ["id"],
      .instagramAccount: ["id"],
      .adReportRun: [
        "id", "account_id", "time_ref", "time_completed", "async_status",
        "async_percent_completion", "is_running", "is_bookmarked", "date_start", "date_stop",
        "error_code", "error_message", "error_subcode", "error_user_title", "error_user_msg",
      ],
    ]
    for (type, names) in others { selections[Int(type.index)] = FieldSelection(names) }
    return selections
  }()

  /// Whether such an object has an edge that the sandbox serves.
  func has(_ edge: Edge) -> Bool { Catalog.graph[edge.name, self].isEdge }

  /// The types of the objects that an edge lists.
  func targets(of edge: Edge) -> [NodeType] {
    Catalog.graph.call(.get, edge.name, of: self)?.targets ?? []
  }

  /// The type of object that a POST to an edge creates; nil: none, or one that is not at the edge.
  func created(at edge: Edge) -> NodeType? {
    edge == .media || edge == .mediaPublish ? nil : targets(of: edge).first
  }

  /// The edge that a path segment names.
  func edge(
    named segment: String, _ path: some Sequence<String>, _ method: GraphMethod = .get
  ) throws(GraphFault) -> Edge {
    guard let name = FieldName(segment) else { throw .unknownPath(path) }
    if let edge = name.edge(of: self, method) { return edge }
    throw .nonexistingField(segment, on: self, method)
  }
}
