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
