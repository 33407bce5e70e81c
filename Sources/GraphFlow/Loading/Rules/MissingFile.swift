/// Files that a workflow names must be there.
enum MissingFile {
  /// What is wrong with a path, by what is there; nil if nothing is.
  static func fault(
    of path: String,
    _ presence: FilePresence
  ) -> (rule: RuleID, message: String, hint: String)? {
    let hint = "paths start from the folder that the workflow file is in"
    let shown = YAMLFault.short(path)
    switch presence {
    case .file: return nil
    case .missing: return (.missingFile, "there is no file '\(shown)'", hint)
    case .unusable(let reason):
      return (.missingFile, "'\(shown)' cannot be read as a file: \(reason)", hint)
    case .outside:
      return (.fileOutside, "a link on this path leaves the workflow's folder", FileOutside.hint)
    }
  }
}
