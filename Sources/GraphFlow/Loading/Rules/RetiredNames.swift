/// Finds names that Graph no longer has.
enum RetiredNames {
  /// A diagnostic about a retired path.
  struct Warning {
    let severity: Diagnostic.Severity
    let message: String
    let hint: String
  }

  private static let permissions = table(of: RetiredName.permissions)
  private static let edges = table(of: RetiredName.edges)
  private static let certainEdges = RetiredName.edges.filter { $0.source != .general }
    .map { (path: "/\($0.name)", row: $0) }

  private static func table(of rows: [RetiredName]) -> [String: RetiredName] {
    Dictionary(rows.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The entry of a permission; nil if it is not retired.
  static func permission(_ name: String) -> RetiredName? {
    if let row = permissions[name] { return row }
    // v2.0 and the changes of 2018 removed whole families.
    guard name.hasPrefix("friends_") || name.hasPrefix("user_actions.") else { return nil }
    return RetiredName(name)
  }

  /// The warning about a path that leads to something retired.
  static func warning(forPath path: Template) -> Warning? {
    guard case .text(let first)? = path.parts.first else { return warning(forEdgeOf: path) }
    let segments = first.prefix { $0 != "?" }.split(separator: "/")
    if segments.first == "fql" || segments.first == "method" {
      return Warning(
        severity: .warning, message: "Graph has had no '\(segments[0])' since 2016",
        hint: "use field expansion, 'ids' or references between requests")
    }
    guard segments.count == 2, path.parts.count == 1, segments[0] == "me",
      let edge = edges[String(segments[1])]
    else { return nil }
    return Warning(
      severity: edge.severity, message: "Graph no longer has 'me/\(segments[1])'",
      hint: edge.replacement)
  }

  /// The warning about `{…}/links`: an edge that no kind of node has any more.
  private static func warning(forEdgeOf path: Template) -> Warning? {
    guard path.parts.count == 2, case .text(let rest) = path.parts[1],
      let edge = certainEdges.first(where: { $0.path == rest })?.row
    else { return nil }
    return Warning(
      severity: edge.severity, message: "Graph no longer has '…/\(edge.name)'",
      hint: edge.replacement)
  }
}
