import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Requests with `batch: alone` become ready like all others.
struct AloneTests {
  @Test func `a skipped request is not sent by an earlier plan`() throws {
    // The run is planned on the assumption that everything succeeds.
    var run = try Simulation(
      workflow(requests: [
        "gone: {get: gone, retry: false, until: {check: \"$.ready\", interval: 5s}}",
        "after: {post: me/feed, params: {message: hi}, depends_on: [gone], batch: alone}",
        "other: {get: x, until: {check: \"$.ready\", interval: 5s, within: 30s}}",
      ]))
    run.loss = { $0.number == 2 ? .beforeItIsApplied : nil }

    _ = try run.run()

    #expect(run.statuses["gone"] == .failed)
    #expect(run.outcomes["after"]?.skipReason == .dependency)
    #expect(run.graph.posts.isEmpty)
  }
}
