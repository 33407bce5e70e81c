import TestSupport
import Testing

/// The schemas are data files; the command carries a copy of each in its code.
struct SchemaSourceTests {
  /// `make record` writes the Swift files anew.
  @Test(
    arguments: [
      ("Report", "report"), ("Workflow", "workflow"), ("World", "world"), ("Faults", "faults"),
    ]
  )
  func `a schema in the code is the schema in the folder`(
    _ name: String,
    _ subject: String
  ) throws {
    let kind = subject == "faults" ? "faults file" : subject
    let schema = try text(of: GraphFlow.root + "/schemas/\(subject).schema.json")
    let end = "\"\"\"#"
    try #require(!schema.contains(end))
    let lines = schema.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    " + $0 }
    let expected = """
      // Written by `make record` from schemas/\(subject).schema.json; a test compares them.

      /// The published JSON Schema of a \(kind).
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

  @Test func `the world that is printed is the one in the folder`() throws {
    let world = try text(of: GraphFlow.root + "/workflows/worlds/default.yaml")
    let end = "\"\"\"#"
    try #require(!world.contains(end))
    let lines = world.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    " + $0 }
    let expected = """
      // Written by `make record` from workflows/worlds/default.yaml; a test compares them.

      /// The world that a sandbox starts with, as a world file.
      enum StandardWorld {
        /// The file's text.
        static let text = #\"""
      \(lines.joined(separator: "\n"))
          \(end)
      }

      """

    expectGolden(
      expected,
      GraphFlow.root + "/Sources/GraphFlowCLI/Sandboxes/StandardWorld+Generated.swift"
    )
  }
}
