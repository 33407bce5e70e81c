/// A query that selects several nodes in a path segment (docs/reference/language.md,
/// "References").
///
/// The values would be joined by commas, which is not an id. In the query string of a path such a
/// list is allowed: `?ids=`.
enum JoinedPath {
  /// The placeholders of a path that select several nodes for one segment.
  static func placeholders(in path: Template) -> [Placeholder] {
    var found: [Placeholder] = []
    for part in path.parts {
      switch part {
      case .text(let text):
        if text.utf8.contains(UInt8(ascii: "?")) { return found }
      case .placeholder(let placeholder):
        if placeholder.selectsSeveral { found.append(placeholder) }
      }
    }
    return found
  }

  static func message(_ placeholder: Placeholder) -> String {
    "\(placeholder.text) selects several nodes, but a path segment takes one"
  }

  /// The hint; groups do not nest, so a request that already has items cannot get a `for_each`.
  static func hint(_ placeholder: Placeholder, hasItems: Bool) -> String {
    hasItems
      ? "select one of them, such as the first with [0]"
      : "send one request for each: for_each: \"\(placeholder.text)\", and {item} in the path"
  }
}
