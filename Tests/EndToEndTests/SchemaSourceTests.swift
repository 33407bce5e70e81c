import TestSupport
import Testing

/// The schemas are data files; the command carries a copy of them in its code.
struct SchemaSourceTests {
  /// `make record` writes the Swift file anew.
  @Test func `the schemas in the code are the schemas in the folder`() throws {
    let source = GraphFlow.root + "/Sources/GraphFlowCLI/Schema/Schemas+Generated.swift"
    var members: [String] = []
    for subject in ["report", "workflow"] {
      let schema = try text(of: GraphFlow.root + "/schemas/\(subject).schema.json")
      try #require(!schema.contains("\"\"\"#"))
      let lines = schema.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : "    " + $0 }
      members.append(
        """
          /// `schemas/\(subject).schema.json`.
          static let \(subject) = #\"""
        \(lines.joined(separator: "\n"))
            \"""#
        """
      )
    }
    let expected = """
      // Written by `make record` from the files in schemas/; a test compares them.

      /// The published JSON Schemas.
      enum Schemas {
      \(members.joined(separator: "\n\n"))
      }

      """

    expectGolden(expected, source)
  }
}
