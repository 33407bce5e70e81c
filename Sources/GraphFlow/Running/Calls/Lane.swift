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
      var path = path
      self = path.withUTF8 { path in
        let segment = path.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        if segment.elementsEqual("me".utf8) { return .me }
        if segment.starts(with: "act_".utf8) {
          return .adAccount(String(decoding: segment.dropFirst(4), as: UTF8.self))
        }
        let id = segment.prefix { $0 != UInt8(ascii: "_") }
        return .node(String(decoding: id, as: UTF8.self))
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
