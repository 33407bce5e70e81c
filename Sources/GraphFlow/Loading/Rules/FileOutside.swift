/// A path that leaves the workflow's folder, or leads to no file; only files inside it are read.
enum FileOutside {
  /// Whether a path is absolute or leads out of the folder that it is relative to.
  static func leavesFolder(_ path: String) -> Bool {
    if path.hasPrefix("/") || path.hasPrefix("~") || path.contains("\\") { return true }
    if path.utf8.dropFirst().first == UInt8(ascii: ":") || path.utf8.contains(0) { return true }
    var depth = 0
    for segment in path.split(separator: "/") where segment != "." {
      depth += segment == ".." ? -1 : 1
      if depth < 0 { return true }
    }
    return false
  }

  static let fault = RuleFault(
    .fileOutside, "this path leaves the workflow's folder",
    hint: "use a path inside the folder of the workflow file")

  /// What is wrong with a path, given what is there.
  static func fault(of path: String, _ presence: FilePresence) -> RuleFault? {
    let hint = "paths are relative to the folder of the workflow file"
    switch presence {
    case .file: return nil
    case .missing: return RuleFault(.missingFile, "there is no file '\(path.short)'", hint: hint)
    case .unusable(let reason):
      let message = "'\(path.short)' cannot be read as a file: \(reason)"
      return RuleFault(.missingFile, message, hint: hint)
    case .outside:
      let message = "a link on this path leaves the workflow's folder"
      return RuleFault(.fileOutside, message, hint: fault.hint)
    }
  }
}
