import GraphFlow
import GraphSandbox

/// Files that describe the faults of a sandbox: `--faults FILE`.
enum FaultFile {
  /// The key that such a file begins with.
  static let key = "graphflow-faults"

  /// Whether a line of the file begins with that key.
  static func isFaultFile(_ source: SourceFile) -> Bool {
    WorkflowFiles.hasLine(of: source.bytes, beginningWithKey: key)
  }

  /// Reads and checks one; its diagnostics are printed on standard error.
  ///
  /// - Throws: a ``CommandFailure``: ``ExitStatus/unreadable``, or ``ExitStatus/invalid``
  ///   without a message, because the diagnostics have been printed.
  static func plan(at path: String) throws -> FaultPlan {
    try WorkflowFiles.checked(path) { reading($0) }
  }

  /// Reads a file; returns all its problems as diagnostics.
  static func reading(_ source: SourceFile) -> (plan: FaultPlan?, diagnostics: [Diagnostic]) {
    var reader = FaultReader(FieldReader(source))
    let plan = reader.plan()
    return (reader.fields.hasErrors ? nil : plan, reader.fields.diagnostics)
  }
}
