import GraphAPI
import JSONPath

/// The places from which a workflow takes tokens.
///
/// A value that `token:` refers to is a token, whatever its name and form.
struct TokenMarks: Sendable {
  /// By the request whose answer holds the tokens.
  private var inAnswers: [Int: [Query]] = [:]
  /// By the group whose items hold the tokens.
  private var inItems: [Int: [Query]] = [:]
  private var inInputs: [InputName: [Query]] = [:]

  init(in workflow: Workflow) {
    for request in workflow.requests {
      guard let placeholder = request.token.source?.only else { continue }
      switch placeholder.kind {
      case .input(let name): inInputs[name, default: []].append(Query(widening: []))
      case .result(let reference):
        let group = workflow.requests[reference.request].group
        // A reference from outside the group reads a list of answers.
        let isInList = group != nil && group != request.group
        let segments = reference.query.segments.dropFirst(isInList ? 1 : 0)
        inAnswers[reference.request, default: []].append(Query(widening: segments))
      case .item(let query):
        guard let group = request.group else { continue }
        let query = placeholder.isLookup ? Query(widening: query.segments) : query
        inItems[group, default: []].append(query)
        add(query, inSourceOf: workflow.groups[group])
      case .index, .row, .runID, .runStartedAt, .date: break
      }
    }
  }

  /// Adds the place of the items' tokens in the value that the items come from.
  private mutating func add(_ query: Query, inSourceOf group: Workflow.Group) {
    guard let placeholder = group.source.list else { return }
    switch placeholder.kind {
    case .input(let name):
      inInputs[name, default: []].append(Query(widening: [.child([.wildcard])] + query.segments))
    case .result(let reference):
      let list: [Segment] = reference.query.isSingular ? [.child([.wildcard])] : []
      inAnswers[reference.request, default: []].append(
        Query(widening: reference.query.segments + list + query.segments))
    case .item, .index, .row, .runID, .runStartedAt, .date: break
    }
  }

  /// The tokens in an answer to a request, or in one page of it.
  func tokens(ofAnswer body: ResponseBody, to request: Int) -> [String] {
    guard let queries = inAnswers[request], let document = try? body.document() else { return [] }
    return Self.texts(queries.compactMap { try? $0.values(in: document) })
  }

  func mayHoldTokens(itemsOf group: Int) -> Bool { inItems[group] != nil }

  func tokens(ofItem value: JSON, in group: Int) -> [String] {
    guard let queries = inItems[group] else { return [] }
    return Self.texts(queries.compactMap { try? $0.values(in: value) })
  }

  func tokens(ofInputs inputs: InputValues) -> [String] {
    inInputs.flatMap { name, queries in
      guard let value = inputs[name] else { return [String]() }
      return Self.texts(queries.compactMap { try? $0.values(in: value) })
    }
  }

  private static func texts(_ values: [[JSON]]) -> [String] { values.joined().compactMap(\.string) }
}
