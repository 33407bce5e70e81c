import GraphAPI

/// The path of one request from the command line.
struct GraphPath {
  /// The path without a leading slash; it may have a query.
  let text: String

  /// Checks a path.
  init(_ argument: String) throws {
    var path = argument[...]
    if path.hasPrefix("/") { path.removeFirst() }
    let node = path.prefix { $0 != "?" }
    let segments = PercentEncoding.decoded(String(node))
      .split(separator: "/", omittingEmptySubsequences: false)
    guard !path.isEmpty, !node.contains("#") else {
      throw CommandFailure(.usage, "'\(argument)' is not a path, such as me/feed")
    }
    if node.contains("://") || node.hasPrefix("/") {
      throw CommandFailure(
        .usage, "'\(argument)' names a host; give the path only, such as me/feed",
        hint: "--graph-url sets the address of the Graph API")
    }
    if let first = segments.first, segments.count > 1, GraphVersion(String(first)) != nil {
      throw CommandFailure(
        .usage, "'\(argument)' names a version", hint: "use --graph-version \(first)")
    }
    guard !segments.contains(where: { $0 == ".." || $0 == "." || $0.isEmpty && segments.count > 1 })
    else { throw CommandFailure(.usage, "'\(argument)' has a segment that is empty, '.' or '..'") }
    for pair in path.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
      let name = PercentEncoding.decoded(String(pair.prefix { $0 != "=" }))
      guard !Redaction.isSecretName(name), !GraphPath.reserved.contains(name) else {
        throw CommandFailure(
          .usage, "the parameter '\(name)' cannot be given in the path",
          hint: "the command sets the method; tokens come from GRAPHFLOW_ACCESS_TOKEN or a profile")
      }
    }
    self.text = String(path)
  }

  /// Parameters that would make Graph do something else than the command means.
  private static let reserved: Set<String> = ["batch", "debug", "method"]
}
