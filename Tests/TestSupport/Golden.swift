public import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Expects `actual` to equal the golden file at `path`; a missing file is a failure.
///
/// With `GRAPHFLOW_RECORD=1` the file is rewritten, and the test still fails: review the difference,
/// then run again without it.
public func expectGolden(
  _ actual: String, _ path: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  if getenv("GRAPHFLOW_RECORD").map({ String(cString: $0) }) == "1" {
    do {
      try write(actual, to: path)
      Issue.record("recorded \(path)", sourceLocation: sourceLocation)
    } catch {
      Issue.record("cannot record: \(error)", sourceLocation: sourceLocation)
    }
    return
  }
  do {
    let expected = try text(of: path)
    #expect(actual == expected, "differs from \(path)", sourceLocation: sourceLocation)
  } catch {
    Issue.record("no golden file: \(error)", sourceLocation: sourceLocation)
  }
}
