/// A file, and the folder in which links are followed to it.
struct FilePlace: Hashable, Sendable {
  /// The path for messages.
  let path: String
  let folder: String
  let name: String
}

extension FilePlace {
  init(_ path: String) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    self.init(
      path: path, folder: WorkflowFolder(of: path).path,
      name: slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path)
  }
}
