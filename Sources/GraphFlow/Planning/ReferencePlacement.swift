import GraphAPI
import JSONPath

/// Where in a request a reference stands.
enum ReferencePlace: Hashable, Sendable {
  /// In the path, or in a query written into it.
  case path
  /// In the text of a parameter.
  case parameter
  /// Inside a parameter that is sent as JSON.
  case insideJSON
  /// In a header, a file's path or the token.
  case elsewhere
  /// In `when`, which is judged before the request is sent.
  case condition
  /// In `expect`, which is judged here once both answers are known.
  case expectation
}

extension DependencyKind {
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
    of placeholder: Placeholder,
    to reference: Reference,
    at place: ReferencePlace,
    in request: Workflow.Request,
    referringTo referred: Workflow.Request
  ) {
    guard DependencyKind.mayShareBatch(request, referred) else {
      self = .hard
      return
    }
    switch place {
    case .expectation:
      self = .order
    case .condition, .elsewhere, .insideJSON:
      self = .hard
    case .path, .parameter:
      let isCertain = reference.query.isIdentifier && referred.method == .post
      let isHarmless =
        switch place {
        // The empty path is refused; `me/permissions/` with nothing behind it is another thing.
        case .path: !request.isWrite || request.path.only != nil
        default: request.method != .post
        }
      let isAllowed = isHarmless || isCertain
      let isLeft = placeholder.defaultValue == nil && reference.query.isKnownToGraph && isAllowed
      self = isLeft ? .data : .hard
    }
  }

  /// The kind of an explicit `depends_on`.
  init(orderOf request: Workflow.Request, after referred: Workflow.Request) {
    self = DependencyKind.mayShareBatch(request, referred) ? .order : .hard
  }

  /// Whether nothing but a reference could keep two requests out of one batch.
  ///
  /// A barrier is judged here before its dependents start. A request that runs after failures cannot
  /// be left to Graph, which skips what follows a failure. A group is referred to as a whole.
  private static func mayShareBatch(
    _ request: Workflow.Request,
    _ referred: Workflow.Request
  )
    -> Bool
  {
    !referred.isBarrier
      && !request.runsAfterFailure
      && (referred.group == nil || referred.group == request.group)
  }
}

extension Query {
  /// Whether the query is in the subset on which Graph's JSONPath and RFC 9535 agree.
  fileprivate var isKnownToGraph: Bool {
    !segments.isEmpty
      && segments.allSatisfy { segment in
        guard case .child(let selectors) = segment, selectors.count == 1 else { return false }
        switch selectors[0] {
        case .name(let name): return name.utf8.allSatisfy(\.isPlainNameByte)
        case .wildcard: return true
        case .index(let index): return index >= 0
        case .slice, .filter: return false
        }
      }
  }

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
