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
