import TestSupport
package import Testing

/// Expects a text to equal the golden file of this name.
package func expectGolden(
  _ actual: String, named name: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  expectGolden(
    actual, CommandFixture.root + "/Tests/EndToEndTests/Golden/" + name,
    sourceLocation: sourceLocation)
}
