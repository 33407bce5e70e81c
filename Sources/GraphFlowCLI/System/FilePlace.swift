/// A file, and the folder in which links are followed to it.
struct FilePlace: Hashable, Sendable {
  /// The path for messages.
  let path: String
  let folder: String
  /// The path relative to the folder.
  let name: String

  /// A file that was named.
  init(_ path: String) {
    self.path = path
    folder = WorkflowFolder(of: path).path
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// A file that was found by a search.
  init(_ path: String, named name: String, in folder: String) {
    self.path = path
    self.folder = folder
    self.name = name
  }
}
