/// The values that a look-up can find in a document, by their keys.
///
/// A look-up is a query such as `$.data[?@.id == {operand}].name`: names and indexes, then one
/// comparison of a member with an operand of the host, then any segments. Its index is made once, and
/// then each look-up takes the same time, however large the document is.
package struct LookupIndex: Sendable {
  private let document: JSON.Document
  /// The segments after the filter.
  private let rest: [Segment]
  private let places: [JSON: [(entry: Int, location: Trail)]]

  /// Makes the index of a query; nil if the query has another form, or if it takes too many steps.
  package init?(of query: Query, in document: JSON.Document, limit: StepLimit = .standard) {
    guard let filter = query.segments.firstIndex(where: { !$0.isSingular }),
      let key = query.segments[filter].comparedKey
    else { return nil }
    let own = Array(query.segments[..<filter])
    guard let places = try? Self.places(in: document, at: own, by: key.segments, limit) else {
      return nil
    }
    (self.document, self.places) = (document, places)
    rest = Array(query.segments[(filter + 1)...])
  }

  /// Whether a query has the form of a look-up.
  package static func serves(_ query: Query) -> Bool {
    query.segments.first { !$0.isSingular }?.comparedKey != nil
  }

  private static func places(
    in document: JSON.Document, at segments: [Segment], by key: [Segment], _ limit: StepLimit
  ) throws(QueryLimitExceeded) -> [JSON: [(entry: Int, location: Trail)]] {
    var evaluator = Evaluator(document, limit: limit, tracksLocations: true)
    var places: [JSON: [(entry: Int, location: Trail)]] = [:]
    for node in try evaluator.nodelist(of: segments + [.child([.wildcard])], from: 0) {
      guard let found = try evaluator.nodelist(of: key, from: node.reference).first else {
        continue
      }
      let value = try document.json(found.reference, &evaluator.steps)
      places[value, default: []].append((node.reference, node.location))
    }
    return places
  }

  /// The nodes that the query selects if the operand has a value.
  ///
  /// - Throws: `QueryLimitExceeded` if the segments after the filter need more steps.
  package func nodes(
    for operand: JSON, limit: StepLimit = .standard
  ) throws(QueryLimitExceeded) -> [Node] {
    guard let places = places[operand] else { return [] }
    var evaluator = Evaluator(document, limit: limit, tracksLocations: true)
    var nodes: [Node] = []
    for place in places {
      let start = Evaluator<JSON.Document>.Visit(reference: place.entry, location: place.location)
      for node in try evaluator.nodelist(of: rest, from: [start]) {
        let value = try document.json(node.reference, &evaluator.steps)
        nodes.append(Node(location: node.location.path, value: value))
      }
    }
    return nodes
  }
}

extension Segment {
  /// The query of a filter that only compares what it selects with an operand of the host by `==`.
  fileprivate var comparedKey: Query? {
    guard case .child(let selectors) = self, selectors.count == 1,
      case .filter(let expression) = selectors[0],
      case .comparison(let left, .equal, let right) = expression.condition
    else { return nil }
    switch (left, right) {
    case (.nodes(.current(let query)), .nodes(.host)), (.nodes(.host), .nodes(.current(let query))):
      return query
    default: return nil
    }
  }
}
