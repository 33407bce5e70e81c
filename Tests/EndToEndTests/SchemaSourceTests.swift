import TestSupport
import Testing

/// The schemas are data files; the command carries a copy of each in its code.
struct SchemaSourceTests {
  /// `make record` writes the Swift files anew.
  @Test(arguments: [("Report", "report"), ("Workflow", "workflow")])
  func `a schema in the code is the schema in the folder`(
    _ name: String,
    _ subject: String
  ) throws {
    let schema = try text(of: GraphFlow.root + "/schemas/\(subject).schema.json")
    let end = "\"\"\"#"
    try #require(!schema.contains(end))
    let lines = schema.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    " + $0 }
    let expected = """
      // Written by `make record` from schemas/\(subject).schema.json; a test compares them.

      /// The published JSON Schema of a \(subject).
      enum \(name)Schema {
        /// The file's text.
        static let text = #\"""
      \(lines.joined(separator: "\n"))
          \(end)
      }

      """

    expectGolden(
      expected,
      GraphFlow.root + "/Sources/GraphFlowCLI/Schema/\(name)Schema+Generated.swift"
    )
  }
}
