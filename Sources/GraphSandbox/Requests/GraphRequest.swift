/// One operation with all references resolved, ready to be executed.
struct GraphRequest: Sendable {
  let method: GraphMethod
  var version: String?
  /// Decoded path segments after the version.
  let path: [String]
  let parameters: Parameters
  /// The operation's own token, which its own proof belongs to.
  var token: String?
  var ifNoneMatch: String?
  var files: [UploadedFile] = []
  /// Whether the item of its answer shows headers.
  var wantsHeaders = true

  /// Whether it is a login or a call to the sandbox itself, which need no session.
  var isLogin: Bool {
    switch path.first {
    case "oauth"?, "device"?, "dialog"?, Logins.controlSegment?: true
    default: false
    }
  }

  /// How many ids one `ids=` may hold.
  static let identifierLimit = 50

  /// The names of the objects that it is about: those of `ids`, or one.
  func names() throws(GraphFault) -> [String] {
    if method == .get, let text = parameters.bytes(of: "ids") {
      let ids = text.jsonList ?? String(decoding: text, as: UTF8.self).listed
      guard !ids.contains("") else { throw .emptyIdentifier }
      guard ids.count <= Self.identifierLimit else { throw .tooManyIdentifiers(ids.count) }
      return ids
    }
    guard let name = path.first ?? parameters["id"] else { throw .unsupported(method) }
    // Interfaces that Graph has removed (docs/internals/graph-api.md, decision 38).
    guard !["fql", "method", "search"].contains(name) else { throw .unknownPath(path) }
    guard !name.isEmpty else { throw .emptyIdentifier }
    return [name]
  }

  /// A text parameter, if the request has it, of up to 63,206 characters.
  func text(_ name: String) throws(GraphFault) -> String? {
    let limit = 63_206
    guard let text = parameters[name] else { return nil }
    guard text.utf8.count <= limit || text.unicodeScalars.count <= limit else {
      throw .parameterMalformed(name, "no longer than \(limit) characters")
    }
    return text
  }
}

/// The method of an operation.
package enum GraphMethod: String, Hashable, Sendable, CaseIterable {
  case get = "GET"
  /// Creates or changes; also written `PUT`.
  case post = "POST"
  case delete = "DELETE"

  /// Reads a method in any case; `PUT` is a synonym of `POST` (docs/internals/graph-api.md,
  /// Operations).
  init?(_ text: String) {
    switch text {
    case "GET", "get": self = .get
    case "POST", "post": self = .post
    case "DELETE", "delete": self = .delete
    default:
      switch text.excerpt.uppercased() {
      case "GET": self = .get
      case "POST", "PUT": self = .post
      case "DELETE": self = .delete
      default: return nil
      }
    }
  }

  /// The method as Graph's messages name it.
  var word: String { rawValue.lowercased() }
}
