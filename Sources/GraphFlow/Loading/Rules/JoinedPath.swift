/// Queries that select several nodes where a path takes one segment (docs/reference/language.md,
/// "References").
///
/// Joined by commas they would be the id of nothing. In the query of a path they are a list: `?ids=`.
enum JoinedPath {
  /// The placeholders of a path whose values would be joined in a segment.
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

  /// What is wrong with such a placeholder.
  static func message(_ placeholder: Placeholder) -> String {
    "\(placeholder.text) selects several nodes, and a segment of a path takes one"
  }

  /// What to do about it; a request that is sent for each item already cannot nest another group.
  static func hint(_ placeholder: Placeholder, hasItems: Bool) -> String {
    hasItems
      ? "select one of them, such as the first with [0]"
      : "send it for each of them: for_each: \"\(placeholder.text)\", and {item} in the path"
  }
}
