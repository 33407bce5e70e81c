import GraphFlow

extension FilePresence {
  /// The folder of all examples: everything is there but what its name says is not.
  static func example(_ path: String) -> FilePresence {
    if path.hasPrefix("missing") { return .missing }
    if path.hasPrefix("link") { return .outside }
    return path == "folder" ? .unusable("Is a directory") : .file
  }
}
