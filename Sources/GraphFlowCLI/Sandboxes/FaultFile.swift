import GraphFlow
import GraphSandbox

/// Files that describe the faults of a sandbox: `--faults FILE`.
enum FaultFile {
  static let key = "graphflow-faults"

  static func isFaultFile(_ source: SourceFile) -> Bool {
    WorkflowFiles.hasLine(of: source.bytes, beginningWithKey: key)
  }

  static func plan(at path: String) throws -> FaultPlan {
    try WorkflowFiles.checked(path) { reading($0) }
  }

  static func reading(_ source: SourceFile) -> (plan: FaultPlan?, diagnostics: [Diagnostic]) {
    var reader = FaultReader(FieldReader(source))
    let plan = reader.plan()
    return (reader.fields.hasErrors ? nil : plan, reader.fields.diagnostics)
  }
}
