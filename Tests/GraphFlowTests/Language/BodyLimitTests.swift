import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// An unusable body is a failure, whether or not a request refers to it.
struct BodyLimitTests {
  @Test func `an answer that is nested too deep is a failure`() throws {
    var run = try Simulation(workflow(requests: ["a: {get: a, retry: false}"]))
    let nested = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    run.answering(["a": "{\"x\": \(nested)}"])

    _ = try run.run()

    #expect(run.statuses["a"] == .failed)
    #expect(
      run.outcomes["a"]?.failure?.error.message == "the answer is nested deeper than 512 levels")
  }
}
