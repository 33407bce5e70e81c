/// A path that leaves the workflow's folder; only files inside it are read.
enum FileOutside {
  /// Whether a path is absolute or leads out of the folder that it is relative to.
  static func leavesFolder(_ path: String) -> Bool {
    if path.hasPrefix("/") || path.hasPrefix("~") || path.contains("\\") { return true }
    if path.utf8.dropFirst().first == UInt8(ascii: ":") { return true }
    var depth = 0
    for segment in path.split(separator: "/") {
      switch segment {
      case ".": continue
      case "..": depth -= 1
      default: depth += 1
      }
      if depth < 0 { return true }
    }
    return path.utf8.contains(0)
  }

  static let fault = RuleFault(
    .fileOutside, "this path leaves the workflow's folder",
    hint: "use a path inside the folder of the workflow file")
}

/// A file that a workflow names and that does not exist.
enum MissingFile {
  static func fault(of path: String, _ presence: FilePresence) -> RuleFault? {
    let hint = "paths are relative to the folder of the workflow file"
    let shown = YAMLFault.short(path)
    switch presence {
    case .file: return nil
    case .missing: return RuleFault(.missingFile, "there is no file '\(shown)'", hint: hint)
    case .unusable(let reason):
      return RuleFault(.missingFile, "'\(shown)' cannot be read as a file: \(reason)", hint: hint)
    case .outside:
      let message = "a link on this path leaves the workflow's folder"
      return RuleFault(.fileOutside, message, hint: FileOutside.fault.hint)
    }
  }
}
