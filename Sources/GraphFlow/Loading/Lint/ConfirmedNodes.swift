internal import GraphAPI
internal import JSONPath

/// What `confirm` selects must tell this write from all others: by what it says, and by when it was
/// made (language.md §10).
enum ConfirmedNodes {
  static func diagnostics(in file: inout LintedFile) -> [Diagnostic] {
    var found: [Diagnostic] = []
    let requests = file.workflow.requests
    for index in requests.indices {
      guard let confirmation = requests[index].confirmation else { continue }
      if !confirmation.match.query.comparesWithValues {
        found.append(
          file.finding(
            .confirmWithoutValue,
            "'when' compares with nothing that was written, so whatever is new counts",
            at: confirmation.match.expression.location,
            hint: "compare with it: [?@.message == {input=message}]"
          )
        )
      }
      let times = LookedAtTimes(confirmation)
      let selections = [confirmation.match, confirmation.result].compactMap(\.self)
      guard selections.contains(where: { times.areMissing(in: $0.query) }) else { continue }
      let fields = file.node(ofRequest: index)?.member("confirm")?.member("params")?
        .member("fields")
      found.append(
        file.finding(
          .confirmWithoutTime,
          "without 'created_time' a match leaves the write in doubt: it may be an old one",
          at: fields?.location ?? confirmation.location,
          hint: fields == nil
            ? "ask for it: params: {fields: \"id,created_time\"}" : "add created_time to 'fields'"
        )
      )
    }
    return found
  }
}

/// Whether the nodes that a look selects will say when they were made.
private struct LookedAtTimes {
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
    if let fields = params.first(where: { $0.name == "fields" })?.value {
      guard case .literal(.string(let text)) = fields else {
        top = .unknown
        return
      }
      top = Self.level(ofFields: text)
    } else if let edge = EdgePath(confirmation.path).edge {
      top = .usual(hasTime: Self.timedEdges.contains(String(edge)))
    } else {
      top = .unknown
    }
  }

  private static func level(ofFields text: String) -> Level {
    RequestedFields(text).map { .written($0) } ?? .unknown
  }

  /// Whether the nodes that a query selects plainly have no `created_time`.
  func areMissing(in query: Query) -> Bool {
    var level = top
    for segment in query.segments {
      guard case .child(let selectors) = segment else { return false }
      guard selectors.count == 1, case .name(let name) = selectors[0] else { continue }
      // A list stands under `data`.
      if name != "data" { level = Self.level(below: name, in: level) }
    }
    return switch level {
    case .written(let fields): !fields.contains("created_time")
    case .usual(let hasTime): !hasTime
    case .unknown: false
    }
  }

  private static func level(below name: String, in level: Level) -> Level {
    switch level {
    case .unknown: .unknown
    case .usual: .usual(hasTime: false)
    case .written(let fields):
      fields.text(within: name).map(Self.level(ofFields:))
        ?? .usual(hasTime: timedEdges.contains(name))
    }
  }
}
