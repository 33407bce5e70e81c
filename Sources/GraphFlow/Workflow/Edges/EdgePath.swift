internal import GraphAPI
internal import JSONPath

/// The node that a path begins at and the edge that follows, as far as the file shows them.
struct EdgePath {
  /// The text of the first segment: `me`, `act_1` or an id; nil if it is a placeholder.
  private(set) var node: Substring?
  private(set) var placeholder: Placeholder?
  /// The second of exactly two segments.
  private(set) var edge: Substring?

  /// The edges whose answers are about people: form entries, and what they have written in private.
  static let personalEdges: Set<Substring> = ["leads", "messages", "conversations"]
  /// The edges of pages that refuse the token of a user.
  ///
  /// Source: Pages API, "Posts" and "Conversations".
  static let edgesOfPages: [OperationMethod: Set<Substring>] = [
    .get: ["conversations"], .post: ["feed", "photos", "videos"],
  ]
  static let checkedEdges = EdgePermissions.edges.union(personalEdges)

  /// Whether a path may end in one of the edges: a check that is much faster than parsing the path.
  static func mayEnd(_ path: Template, inOneOf edges: Set<Substring>) -> Bool {
    guard case .text(let text)? = path.parts.last else { return false }
    let bytes = text.utf8
    if bytes.contains(UInt8(ascii: "?")) { return true }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return false }
    return edges.contains(Substring(bytes[bytes.index(after: slash)...]))
  }

  init(_ path: Template) {
    switch path.parts.count {
    case 1:
      guard case .text(let text) = path.parts[0] else { return }
      let segments = text.utf8.prefix { $0 != UInt8(ascii: "?") }
        .split(separator: UInt8(ascii: "/"), maxSplits: 2)
      node = segments.first.map(Substring.init)
      if segments.count == 2 { edge = Substring(segments[1]) }
    case 2, 3:
      var rest = path.parts[...]
      var prefix: Substring = ""
      if case .text(let text)? = rest.first {
        // `act_{input=account}/campaigns` begins with half a segment.
        guard !text.holds("/") else { return }
        prefix = text[...]
        rest = rest.dropFirst()
      }
      guard case .placeholder(let placeholder)? = rest.first, rest.count == 2,
        case .text(let text)? = rest.last, text.hasPrefix("/")
      else { return }
      if prefix.isEmpty { self.placeholder = placeholder } else { node = prefix }
      let name = text.utf8.dropFirst().prefix { $0 != UInt8(ascii: "?") }
      if !name.isEmpty, !name.contains(UInt8(ascii: "/")) { edge = Substring(name) }
    default: return
    }
  }

  func begins(at kind: EdgePermissions.Node, in workflow: Workflow) -> Bool {
    switch kind {
    case .me: return node == "me"
    case .adAccount: return node?.hasPrefix("act_") == true
    case .other: return placeholder != nil || node?.utf8.allSatisfy(Self.isIDPart) == true
    case .ownPage:
      guard let reference = placeholder?.reference else { return false }
      return Self.listsPages(workflow.requests[reference.request])
    }
  }

  /// Whether a request reads `me/accounts`, which lists a user's pages.
  static func listsPages(_ request: Workflow.Request) -> Bool {
    guard request.method == .get, mayEnd(request.path, inOneOf: ["accounts"]) else { return false }
    let path = EdgePath(request.path)
    return path.node == "me" && path.edge == "accounts"
  }

  /// Whether a byte may be in an id such as `4` or `4_5`, unlike in a name such as `me` or `act_4`.
  private static func isIDPart(_ byte: UInt8) -> Bool {
    WorkflowName.isDigit(byte) || byte == UInt8(ascii: "_")
  }
}
