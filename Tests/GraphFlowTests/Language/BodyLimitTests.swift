import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// A body that nothing could use is a failure, whether or not anything refers to it.
struct BodyLimitTests {
  @Test func `an answer that is nested too deep is a failure whoever looks`() throws {
    var run = try Simulation(workflow(requests: ["a: {get: a, retry: false}"]))
    let nested = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    run.answering(["a": "{\"x\": \(nested)}"])

    _ = try run.run()

    #expect(run.statuses["a"] == .failed)
  }

  @Test func `a body is kept up to sixty-four mebibytes`() {
    var body = [UInt8](repeating: UInt8(ascii: "a"), count: 64 << 20)
    #expect(BindingFailure(excessOf: body) == nil)
    body.append(UInt8(ascii: "a"))
    #expect(BindingFailure(excessOf: body)?.failure.category == .other)
  }

  @Test func `brackets in a text are no levels`() {
    let text = "{\"a\": \"" + String(repeating: "[\\\"{", count: 1000) + "\"}"
    #expect(BindingFailure(excessOf: Array(text.utf8)) == nil)
  }
}
