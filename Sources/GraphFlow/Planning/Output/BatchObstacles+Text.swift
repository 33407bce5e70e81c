extension BatchObstacles {
  /// The obstacles one by one, in a fixed order.
  var members: [BatchObstacles] {
    (0..<UInt32(UInt32.bitWidth)).map { BatchObstacles(rawValue: 1 << $0) }.filter(contains)
  }

  /// One obstacle in a few words, given the name of the request that waits; `it` is the one that is
  /// waited for.
  func brief(_ dependent: String) -> String {
    switch self {
    case .expectation: "its `expect` is judged first"
    case .pages: "its pages are followed first"
    case .polling: "it is asked until something holds"
    case .cleanUp: "'\(dependent)' runs after failures, too"
    case .group: "all of its items come first"
    case .source: "its answer holds the items"
    case .alone: "'\(dependent)' travels alone"
    case .otherAlone: "it travels alone"
    case .uncertain: "a reference in it may select nothing"
    case .condition: "a reference in `when`"
    case .header: "a reference in a header"
    case .file: "a reference in the path of a file"
    case .token: "its answer holds the token"
    case .confirmation: "a reference in `confirm`"
    default: "reference resolved here: \(fault)"
    }
  }

  /// What about a reference Graph cannot be left with.
  var fault: String {
    switch self {
    case .json: "inside JSON"
    case .written: "a POST would write an empty text"
    case .writePath: "part of a write's path"
    case .defaultValue: "it has a default"
    case .wholeBody: "the whole body"
    case .filter: "a filter"
    case .slice: "a slice"
    case .descendants: "descendants"
    case .negativeIndex: "an index from the end"
    case .selectors: "several selectors"
    case .memberName: "an unusual member name"
    default: "it is needed here"
    }
  }
}
