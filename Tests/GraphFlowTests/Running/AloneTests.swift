import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Requests that travel alone are due like all others, or they are not sent.
struct AloneTests {
  @Test func `what is skipped is not sent by a plan that was made before`() throws {
    // The course of the run is planned while everything is expected to succeed.
    var run = try Simulation(
      workflow(requests: [
        "gone: {get: gone, retry: false, until: {check: \"$.ready\", interval: 5s}}",
        "after: {post: me/feed, params: {message: hi}, depends_on: [gone], batch: alone}",
        "other: {get: x, until: {check: \"$.ready\", interval: 5s, within: 30s}}",
      ])
    )
    run.loss = { $0.number == 2 ? .beforeItIsApplied : nil }

    _ = try run.run()

    #expect(run.statuses["gone"] == .failed)
    #expect(run.outcomes["after"]?.skipReason == .dependency)
    #expect(run.graph.posts.isEmpty)
  }
}
