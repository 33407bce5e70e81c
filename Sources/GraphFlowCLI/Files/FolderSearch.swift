/// Searches a folder for YAML files, at any depth, in the order of their names.
///
/// It skips hidden entries, `node_modules`, links to folders, everything but files, and what a
/// `.gitignore` or `.graphflowignore` in the folder or below it names.
struct FolderSearch {
  private static let maximumDepth = 64
  private static let ignoreLimit = 1 << 20
  /// The files of patterns; the later one overrides the earlier one.
  private static let ignoreFiles = [".gitignore", ".graphflowignore"]
  private let root: String
  private var found: [WorkflowFiles.Candidate] = []
  /// The patterns of the folders from the root, each with the depth of its folder.
  private var ignored: [(depth: Int, patterns: IgnorePatterns)] = []

  init(of root: String) { self.root = root }

  /// The files, and the folders that could not be read.
  mutating func candidates() throws -> [WorkflowFiles.Candidate] {
    found = []
    try search(root == "." ? "" : root, below: [])
    return found
  }

  private mutating func search(_ folder: String, below names: [String]) throws {
    guard names.count < Self.maximumDepth else { return }
    let entries = try FileReading.entries(of: folder.isEmpty ? "." : folder)
    let prefix = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    let count = ignored.count
    defer { ignored.removeSubrange(count...) }
    for name in Self.ignoreFiles where FileStatus(prefix + name) != nil {
      do {
        let bytes = try FileReading.bytes(of: prefix + name, limit: Self.ignoreLimit)
        ignored.append((names.count, IgnorePatterns(bytes)))
      } catch {
        found.append(.unreadable(CommandFailure(error)))
      }
    }
    for name in entries {
      let path = prefix + name
      switch Self.kind(of: path) {
      case .folder where name != "node_modules":
        guard !isIgnored(names + [name], isFolder: true) else { continue }
        do { try search(path, below: names + [name]) } catch {
          found.append(.unreadable(CommandFailure(error)))
        }
      case .file where name.hasSuffix(".yaml") || name.hasSuffix(".yml"):
        guard !isIgnored(names + [name], isFolder: false) else { continue }
        let name = (names + [name]).joined(separator: "/")
        found.append(.found(FilePlace(path: path, folder: root, name: name)))
      default: continue
      }
    }
  }

  private func isIgnored(_ names: [String], isFolder: Bool) -> Bool {
    for (depth, patterns) in ignored.reversed() {
      if let decision = patterns.ignores(names[depth...], isFolder: isFolder) { return decision }
    }
    return false
  }

  private enum Kind {
    /// A file, or a link to a file or to nothing: reading a broken link reports it.
    case file
    case folder
    case other
  }

  private static func kind(of path: String) -> Kind {
    guard let itself = FileStatus(path, ofLink: true) else { return .other }
    // Links to folders may lead back.
    if itself.isLink { return FileStatus(path)?.isFile != false ? .file : .other }
    return itself.isFile ? .file : itself.isFolder ? .folder : .other
  }
}
