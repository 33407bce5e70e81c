import GraphAPI
import JSONPath

extension Dependency {
  /// Decides whether Graph or graphflow resolves a reference.
  ///
  /// Graph evaluates references inside a batch with its own JSONPath; graphflow evaluates the others
  /// with RFC 9535. Packing must never change what a file means. So Graph resolves a reference only if
  /// both dialects agree: a query of child names, indices from the front and wildcards, in the path, or
  /// in a text parameter of a GET or DELETE.
  ///
  /// If nothing matches, Graph fills in an empty string. A POST would write it, and in the path of a
  /// write it could mean something else. So there Graph only resolves `$.id` of another POST, which
  /// every successful POST returns.
  init(
    through placeholder: Placeholder, to reference: Reference, at place: ReferencePlace,
    of request: Workflow.Request, on referred: Workflow.Request, isGuarded: Bool = false
  ) {
    var obstacles = BatchObstacles(between: request, and: referred)
    switch place {
    case .expectation: break
    case .condition: obstacles.insert(.condition)
    case .header: obstacles.insert(.header)
    case .file: obstacles.insert(.file)
    case .token: obstacles.insert(.token)
    case .insideJSON: obstacles.insert(.json)
    // If the batch's answer is lost, the confirmation check needs the value, which is lost as well.
    case .confirmation: obstacles.insert(.confirmation)
    case .path, .parameter:
      // The guard must see where the request leads: its path, or `ids`.
      if isGuarded { obstacles.insert(.guarded) }
      if placeholder.defaultValue != nil { obstacles.insert(.defaultValue) }
      obstacles.formUnion(BatchObstacles(in: reference.query))
      let isCertain = reference.query.isIdentifier && referred.method == .post
      guard !isCertain else { break }
      if place == .path {
        // Graph rejects an empty path, but `me/permissions/` without the reference is another path.
        if request.isWrite, request.path.only == nil { obstacles.insert(.writePath) }
      } else if request.method == .post {
        obstacles.insert(.written)
      }
    }
    self.init(
      predecessor: reference.request, origin: .reference(placeholder),
      sharedKind: place == .expectation ? .order : .data, obstacles: obstacles)
  }

  /// Creates the dependency of an explicit `depends_on`.
  init(orderOf request: Workflow.Request, after index: Int, _ referred: Workflow.Request) {
    self.init(
      predecessor: index, origin: .order, sharedKind: .order,
      obstacles: BatchObstacles(between: request, and: referred))
  }
}

extension BatchObstacles {
  /// The obstacles between two requests, whatever the reference is.
  ///
  /// graphflow evaluates a barrier before its dependents start. A request that runs after failures
  /// cannot be left to Graph, which skips what follows a failure. A reference to a group from outside
  /// means all of its items.
  fileprivate init(between request: Workflow.Request, and referred: Workflow.Request) {
    self = []
    if !referred.expect.isEmpty { insert(.expectation) }
    if referred.isReport {
      insert(.report)
    } else {
      if referred.pagination != nil { insert(.pages) }
      if referred.until != nil { insert(.polling) }
    }
    if request.runsAfterFailure { insert(.cleanUp) }
    if referred.group != nil, referred.group != request.group { insert(.group) }
    if request.isWrite, Self.mayBeSentWithEmptyReference(referred) { insert(.uncertain) }
  }

  /// The parts of a query on which Graph's JSONPath and RFC 9535 differ.
  fileprivate init(in query: Query) {
    self = query.segments.isEmpty ? .wholeBody : []
    for segment in query.segments {
      switch segment {
      case .descendant: insert(.descendants)
      case .child(let selectors):
        if selectors.count > 1 { insert(.selectors) }
        for selector in selectors { formUnion(BatchObstacles(in: selector)) }
      }
    }
  }

  private init(in selector: Selector) {
    self =
      switch selector {
      // A name of letters, digits and `_` needs no quoting in any dialect.
      case .name(let name):
        name.utf8.allSatisfy { WorkflowName.isPart($0) && $0 != UInt8(ascii: "-") }
          ? [] : .memberName
      case .index(let index): index >= 0 ? [] : .negativeIndex
      case .wildcard: []
      case .slice: .slice
      case .filter: .filter
      }
  }
}

extension BatchObstacles {
  /// Whether Graph might run a request although a reference in it matches nothing.
  ///
  /// Graph fills in an empty string, answers, and runs what follows in the batch. For graphflow the
  /// request has failed then, so no write may follow it. Graph rejects a path that is empty as a whole,
  /// and in a POST or in a write's path it only resolves references that always match.
  private static func mayBeSentWithEmptyReference(_ request: Workflow.Request) -> Bool {
    var isFound = false
    request.forEachReference { placeholder, reference, place in
      let isResolvedByGraph =
        placeholder.defaultValue == nil && BatchObstacles(in: reference.query).isEmpty
      switch place {
      case .path:
        isFound =
          isFound || (isResolvedByGraph && request.method == .get && request.path.only == nil)
      case .parameter: isFound = isFound || (isResolvedByGraph && request.method != .post)
      default: break
      }
    }
    return isFound
  }
}

extension Query {
  /// Whether the query is `$.id`.
  fileprivate var isIdentifier: Bool {
    guard segments.count == 1, case .child(let selectors) = segments[0], selectors.count == 1,
      case .name("id") = selectors[0]
    else { return false }
    return true
  }

  /// The query in Graph's dialect: `$.data[0].id`, `$.data[*].id`.
  ///
  /// Only for queries without obstacles.
  var graphText: String {
    var text = "$"
    for case .child(let selectors) in segments {
      switch selectors.first {
      case .name(let name): text += ".\(name)"
      case .index(let index): text += "[\(index)]"
      default: text += "[*]"
      }
    }
    return text
  }
}
