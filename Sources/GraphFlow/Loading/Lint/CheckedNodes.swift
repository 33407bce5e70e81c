internal import JSONPath

/// What the nodes that a look selects will hold, as far as that is written.
struct CheckedNodes {
  /// Edges whose nodes have `created_time` if nobody says what they should have.
  ///
  /// Source: Graph API Reference, the "Reading" sections of Page Feed, Comments, Photos, Albums.
  private static let timedEdges: Set<String> = [
    "albums", "comments", "feed", "photos", "posts", "published_posts", "tagged", "visitor_posts",
  ]

  /// What is known about a level of the answer.
  private enum Level {
    /// `fields` says what it has.
    case written(RequestedFields)
    /// It has what Graph gives by default.
    case usual(hasTime: Bool)
    case unknown

    /// What a list of fields says.
    init(fields text: String) { self = RequestedFields(text).map { .written($0) } ?? .unknown }

    /// The level below a member of that name.
    func below(_ name: String) -> Level {
      switch self {
      case .unknown: .unknown
      case .usual: .usual(hasTime: false)
      case .written(let fields):
        fields.text(within: name).map(Level.init(fields:))
          ?? .usual(hasTime: timedEdges.contains(name))
      }
    }
  }

  private let top: Level

  init(_ confirmation: Workflow.Confirmation) {
    let params = confirmation.params
    // A query in the path may hold `fields`, and `ids` gives an answer a shape of its own.
    guard !confirmation.path.text.contains("?"), !params.contains(where: { $0.name == "ids" })
    else {
      top = .unknown
      return
    }
    switch params.first(where: { $0.name == "fields" })?.value {
    case .literal(.string(let text))?: top = Level(fields: text)
    case .some: top = .unknown
    case nil:
      top =
        EdgePath(confirmation.path).edge
        .map { .usual(hasTime: Self.timedEdges.contains(String($0))) } ?? .unknown
    }
  }

  /// Whether the nodes that a query selects plainly have no `created_time`.
  func lackTime(in query: Query) -> Bool {
    guard let levels = levels(of: query), let last = levels.last else { return false }
    return switch last {
    case .written(let fields): !fields.contains("created_time")
    case .usual(let hasTime): !hasTime
    case .unknown: false
    }
  }

  /// The first name that a filter of a query looks at, and that no node will have.
  func unrequested(in query: Query) -> String? {
    guard let levels = levels(of: query) else { return nil }
    for (segment, level) in zip(query.segments, levels) {
      guard case .written(let fields) = level else { continue }
      for tested in segment.filterQueries {
        if let name = fields.unrequested(by: tested) { return name }
      }
    }
    return nil
  }

  /// The level that each segment is applied to, and the one that the nodes are on; nil where a
  /// segment reaches down many.
  private func levels(of query: Query) -> [Level]? {
    var levels = [top]
    for segment in query.segments {
      guard case .child(let selectors) = segment, let level = levels.last else { return nil }
      // A list stands under `data`.
      if selectors.count == 1, case .name(let name) = selectors[0], name != "data" {
        levels.append(level.below(name))
      } else {
        levels.append(level)
      }
    }
    return levels
  }
}
