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
