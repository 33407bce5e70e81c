import GraphAPI

/// The path of one request from the command line.
struct GraphPath {
  /// The path without a leading slash; it may carry a query.
  let text: String

  /// Checks a path.
  ///
  /// - Throws: a ``CommandFailure`` with ``ExitStatus/usage``.
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
        .usage,
        "'\(argument)' names a host; give the path only, such as me/feed",
        hint: "--graph-url says where the Graph API is"
      )
    }
    if let first = segments.first, segments.count > 1, GraphVersion(String(first)) != nil {
      throw CommandFailure(
        .usage,
        "'\(argument)' names a version",
        hint: "use --graph-version \(first)"
      )
    }
    guard !segments.contains(where: { $0 == ".." || $0 == "." || $0.isEmpty && segments.count > 1 })
    else {
      throw CommandFailure(.usage, "'\(argument)' has an empty or climbing segment")
    }
    for pair in path.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
      let name = PercentEncoding.decoded(String(pair.prefix { $0 != "=" }))
      guard !Redaction.isSecretName(name), !GraphPath.reserved.contains(name) else {
        throw CommandFailure(
          .usage,
          "'\(name)' does not belong into an address",
          hint: "the verb is the command's; tokens come from GRAPHFLOW_ACCESS_TOKEN or a profile"
        )
      }
    }
    self.text = String(path)
  }

  /// Parameters with which Graph would do something else than the command says.
  private static let reserved: Set<String> = ["batch", "debug", "method"]
}
