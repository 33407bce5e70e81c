import GraphAPI
import JSONPath

extension Dependency {
  /// The one rule about who resolves a reference.
  ///
  /// Graph evaluates references inside a batch with a JSONPath of its own, we evaluate the others
  /// with RFC 9535. So that packing never changes what a file means, a reference is left to Graph
  /// only where both are known to agree: a query of child names, indices from the front and
  /// wildcards, in the path, or in the text of a parameter of a GET or DELETE. Where nothing
  /// matches, Graph puts in the empty text; in a POST that would be written, and in the path of a
  /// write it could mean something else, so there only `$.id` of another POST, which every
  /// successful one answers, may stay.
  init(
    through placeholder: Placeholder,
    to reference: Reference,
    at place: ReferencePlace,
    of request: Workflow.Request,
    on referred: Workflow.Request
  ) {
    var obstacles = BatchObstacles(between: request, and: referred)
    switch place {
    case .expectation: break
    case .condition: obstacles.insert(.condition)
    case .header: obstacles.insert(.header)
    case .file: obstacles.insert(.file)
    case .token: obstacles.insert(.token)
    case .insideJSON: obstacles.insert(.json)
    // If the batch's answer is lost, the look-up needs the value, and it would be lost, too.
    case .confirmation: obstacles.insert(.confirmation)
    case .path, .parameter:
      if placeholder.defaultValue != nil { obstacles.insert(.defaultValue) }
      obstacles.formUnion(BatchObstacles(in: reference.query))
      let isCertain = reference.query.isIdentifier && referred.method == .post
      guard !isCertain else { break }
      if place == .path {
        // The empty path is refused; `me/permissions/` with nothing behind it is another thing.
        if request.isWrite, request.path.only == nil { obstacles.insert(.writePath) }
      } else if request.method == .post {
        obstacles.insert(.written)
      }
    }
    self.init(
      on: reference.request,
      .reference(placeholder),
      place == .expectation ? .order : .data,
      obstacles: obstacles
    )
  }

  /// An explicit `depends_on`.
  init(
    orderOf request: Workflow.Request,
    after index: Int,
    _ referred: Workflow.Request
  ) {
    let obstacles = BatchObstacles(between: request, and: referred)
    self.init(on: index, .order, .order, obstacles: obstacles)
  }
}

extension BatchObstacles {
  /// What nothing about a reference could change.
  ///
  /// A barrier is judged here before its dependents start. A request that runs after failures cannot
  /// be left to Graph, which skips what follows a failure. A group is referred to as a whole.
  fileprivate init(between request: Workflow.Request, and referred: Workflow.Request) {
    self = []
    if !referred.expect.isEmpty { insert(.expectation) }
    if referred.pagination != nil { insert(.pages) }
    if referred.until != nil { insert(.polling) }
    if request.runsAfterFailure { insert(.cleanUp) }
    if referred.group != nil, referred.group != request.group { insert(.group) }
    if request.isWrite, referred.mayBeSentWithHole { insert(.uncertain) }
  }

  /// What of a query is outside the subset on which Graph's JSONPath and RFC 9535 agree.
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
      case .name(let name): name.utf8.allSatisfy(\.isPlainNameByte) ? [] : .memberName
      case .index(let index): index >= 0 ? [] : .negativeIndex
      case .wildcard: []
      case .slice: .slice
      case .filter: .filter
      }
  }
}

extension Workflow.Request {
  /// Whether Graph might send it although a reference in it selects nothing.
  ///
  /// Graph puts in the empty text and answers, and what follows in the batch is run as well. Here
  /// the request has failed then, and no write may have followed it. A whole path that is empty is
  /// refused; what is written or stands in a write's path is left to Graph only where it is certain.
  fileprivate var mayBeSentWithHole: Bool {
    var isFound = false
    forEachReference { placeholder, reference, place in
      let isLeft = placeholder.defaultValue == nil && BatchObstacles(in: reference.query).isEmpty
      switch place {
      case .path: isFound = isFound || (isLeft && method == .get && path.only == nil)
      case .parameter: isFound = isFound || (isLeft && method != .post)
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

  /// The query as Graph's dialect writes it: `$.data[0].id`, `$.data[*].id`.
  ///
  /// Only for queries of the common subset.
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

extension UInt8 {
  /// Whether a byte may stand in a name that needs no quoting in any dialect.
  fileprivate var isPlainNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default:
      false
    }
  }
}
