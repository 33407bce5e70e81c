import GraphFlow
import GraphSandbox

/// World files: `--world FILE`.
enum WorldFile {
  static func world(at path: String) throws -> WorldDescription {
    try WorkflowFiles.checked(path) { WorldReader.reading($0) }
  }

  /// Whether a file has the key of world files, and not that of workflows.
  static func isWorldFile(_ source: SourceFile) -> Bool {
    WorkflowFiles.hasLine(of: source.bytes, beginningWithKey: "world")
      && !WorkflowFiles.isWorkflow(source)
  }

  /// Whether a file in a folder is a world file; other files may have the same key.
  static func isCertainlyWorldFile(_ source: SourceFile) -> Bool {
    isWorldFile(source)
      && ["users", "pages", "tokens", "ad_accounts", "application"].contains {
        WorkflowFiles.hasLine(of: source.bytes, beginningWithKey: $0)
      }
  }
}
