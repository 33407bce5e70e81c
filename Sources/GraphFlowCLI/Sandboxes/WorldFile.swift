import GraphFlow
import GraphSandbox

/// A world file that the user has named.
enum WorldFile {
  /// Reads a world file; what is wrong with it goes to standard error.
  ///
  /// - Throws: a ``CommandFailure``: 66 for a file that cannot be read, 65 for one that is wrong.
  static func world(at path: String) throws -> WorldDescription {
    try WorkflowFiles.checked(path) { WorldReader.reading($0) }
  }

  /// Whether a line of a file begins with the key of worlds, and none with that of workflows.
  static func isWorldFile(_ source: SourceFile) -> Bool {
    WorkflowFiles.hasLine(of: source.bytes, beginningWithKey: "world")
      && !WorkflowFiles.isWorkflow(source)
  }

  /// Whether a file that nobody has named is a world file: others may hold the word, too.
  static func isCertainlyWorldFile(_ source: SourceFile) -> Bool {
    isWorldFile(source)
      && ["users", "pages", "tokens", "ad_accounts", "application"].contains {
        WorkflowFiles.hasLine(of: source.bytes, beginningWithKey: $0)
      }
  }
}
