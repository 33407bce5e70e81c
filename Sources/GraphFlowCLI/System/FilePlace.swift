/// A file, and the folder that whoever named it meant: links inside of it are nobody's business.
struct FilePlace: Hashable, Sendable {
  /// The path as it is shown.
  let path: String
  /// The folder: that of the file, or one that was searched.
  let folder: String
  /// The path from the folder on.
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
