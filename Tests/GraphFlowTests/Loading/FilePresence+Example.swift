import GraphFlow

extension FilePresence {
  /// The folder of all examples: a path exists unless it begins with `missing`.
  static func example(_ path: String) -> FilePresence {
    if path.hasPrefix("missing") { return .missing }
    if path.hasPrefix("link") { return .outside }
    return path == "folder" ? .unusable("Is a directory") : .file
  }
}
