internal import JSONPath

/// The fields of the nodes that a confirmation check selects, if they are known.
struct CheckedNodes {
  /// Edges whose nodes have `created_time` without being asked for it.
  ///
  /// Source: Graph API Reference, the "Reading" sections of Page Feed, Comments, Photos, Albums.
  private static let timedEdges: Set<String> = [
    "albums", "comments", "feed", "photos", "posts", "published_posts", "tagged", "visitor_posts",
  ]

  /// The known fields of one level of the answer.
  private enum Level {
    case requested(RequestedFields)
    /// The fields that Graph returns by default.
    case standard(hasTime: Bool)
    case unknown

    init(fields text: String) { self = RequestedFields(text).map { .requested($0) } ?? .unknown }

    func below(_ name: String) -> Level {
      switch self {
      case .unknown: .unknown
      case .standard: .standard(hasTime: false)
      case .requested(let fields):
        fields.text(within: name).map(Level.init(fields:))
          ?? .standard(hasTime: timedEdges.contains(name))
      }
    }
  }

  private let top: Level

  init(_ confirmation: Workflow.Confirmation) {
    let params = confirmation.params
    // A query in the path may contain `fields`, and `ids` changes the shape of the answer.
    guard !confirmation.path.text.contains("?"), params["ids"] == nil else {
      top = .unknown
      return
    }
    switch params["fields"] {
    case .literal(.string(let text))?: top = Level(fields: text)
    case .some: top = .unknown
    case nil:
      top =
        EdgePath(confirmation.path).edge
        .map { .standard(hasTime: Self.timedEdges.contains(String($0))) } ?? .unknown
    }
  }

  /// Whether the nodes that a query selects are known to have no `created_time`.
  func lackTime(in query: Query) -> Bool {
    guard let levels = levels(of: query), let last = levels.last else { return false }
    return switch last {
    case .requested(let fields): !fields.contains("created_time")
    case .standard(let hasTime): !hasTime
    case .unknown: false
    }
  }

  /// The first name that a filter of a query reads and that no node has.
  func unrequested(in query: Query) -> String? {
    guard let levels = levels(of: query) else { return nil }
    for (segment, level) in zip(query.segments, levels) {
      guard case .requested(let fields) = level else { continue }
      for tested in segment.filterQueries {
        if let name = fields.unrequested(by: tested) { return name }
      }
    }
    return nil
  }

  /// The level that each segment is applied to, then the level of the nodes; nil if a segment
  /// descends several levels.
  private func levels(of query: Query) -> [Level]? {
    var levels = [top]
    for segment in query.segments {
      guard case .child = segment, let level = levels.last else { return nil }
      // `data` holds a list on the same level.
      let name = segment.onlyName.flatMap { $0 == "data" ? nil : $0 }
      levels.append(name.map(level.below) ?? level)
    }
    return levels
  }
}
