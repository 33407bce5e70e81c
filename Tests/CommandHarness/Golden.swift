import TestSupport
package import Testing

/// Expects a text to be what the golden file of this name holds.
package func expectGolden(
  _ actual: String,
  named name: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectGolden(
    actual,
    CommandFixture.root + "/Tests/EndToEndTests/Golden/" + name,
    sourceLocation: sourceLocation
  )
}
