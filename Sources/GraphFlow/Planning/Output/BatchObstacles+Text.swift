extension BatchObstacles {
  /// The single obstacles, in a fixed order.
  var members: [BatchObstacles] {
    (0..<UInt32(UInt32.bitWidth)).map { BatchObstacles(rawValue: 1 << $0) }.filter(contains)
  }

  /// One obstacle in a few words, given the name of the dependent request; `it` means the request that
  /// it waits for.
  func shortReason(_ dependent: String) -> String {
    switch self {
    case .expectation: "its `expect` is evaluated first"
    case .pages: "all of its pages are read first"
    case .polling: "it is repeated until its condition holds"
    case .cleanUp: "'\(dependent)' also runs after failures"
    case .group: "all of its items finish first"
    case .source: "its answer contains the items"
    case .alone: "'\(dependent)' travels alone"
    case .otherAlone: "it travels alone"
    case .uncertain: "a reference in it may match nothing"
    case .condition: "a reference in `when`"
    case .header: "a reference in a header"
    case .file: "a reference in the path of a file"
    case .token: "its answer contains the token"
    case .confirmation: "a reference in `confirm`"
    default: "reference resolved by graphflow: \(unsupportedPart)"
    }
  }

  /// The part of a reference that Graph cannot resolve.
  var unsupportedPart: String {
    switch self {
    case .json: "inside JSON"
    case .written: "a POST would write an empty string"
    case .writePath: "part of a write's path"
    case .defaultValue: "it has a default"
    case .wholeBody: "the whole body"
    case .filter: "a filter"
    case .slice: "a slice"
    case .descendants: "descendants"
    case .negativeIndex: "an index from the end"
    case .selectors: "several selectors"
    case .memberName: "an unusual member name"
    default: "graphflow needs the value"
    }
  }
}
