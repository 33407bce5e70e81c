import TestSupport
import Testing

/// Expects a text to be what the golden file of this name holds.
func expectGolden(
  _ actual: String,
  named name: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectGolden(
    actual,
    GraphFlow.root + "/Tests/EndToEndTests/Golden/" + name,
    sourceLocation: sourceLocation
  )
}
