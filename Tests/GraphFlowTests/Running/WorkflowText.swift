import Testing

@testable import GraphFlow

/// Parses the workflow of a test; its diagnostics are bugs of the test and are shown.
func workflow(
  _ text: String, named path: String = "test.yaml",
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws -> Workflow {
  let (workflow, diagnostics) = Workflow.reading(SourceFile(path: path, bytes: Array(text.utf8)))
  let problems = diagnostics.filter { $0.severity == .error }.map(\.message)
  return try #require(
    workflow, "\(problems.joined(separator: "\n"))", sourceLocation: sourceLocation)
}

/// The head of a workflow file; requests follow, indented by two spaces.
func workflow(requests: [String]) throws -> Workflow {
  try workflow("graphflow: 1\nrequests:\n" + requests.map { "  \($0)\n" }.joined())
}
