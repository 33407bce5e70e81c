import GraphAPI

/// What a request counts against besides the limits of its app: those of its token, and of the page
/// or ad account that it is about.
///
/// A lane that has to pause does not hold back the others.
struct Lane: Hashable, Sendable {
  /// What a path is about, by its first segment.
  ///
  /// Source: docs/internals/graph-api.md, Rate limits.
  enum Subject: Hashable, Sendable {
    /// `me`: the token's own user or page.
    case me
    /// `act_ID`.
    case adAccount(String)
    /// A node, which may be a page or account or belong to one; a post's id begins with its page's.
    case node(String)

    init(ofPath path: String) {
      let first = path.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      let segment = Substring(first)
      if segment == "me" {
        self = .me
      } else if segment.hasPrefix("act_") {
        self = .adAccount(String(segment.dropFirst(4)))
      } else {
        self = .node(String(Substring(first.prefix { $0 != UInt8(ascii: "_") })))
      }
    }

    /// The id that usage headers give the page or account, if it is one.
    var id: String? {
      switch self {
      case .me: nil
      case .adAccount(let id), .node(let id): id
      }
    }
  }

  let token: AccessToken
  /// Nil for calls that may be about anything.
  var subject: Subject?
}
