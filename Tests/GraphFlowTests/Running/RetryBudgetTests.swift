import GraphAPI
import GraphFlow
import Testing

/// The number of retry calls of a run, whatever each request's own policy allows.
struct RetryBudgetTests {
  @Test func `a failure beyond the budget is reported and not sent again`() throws {
    var run = try Simulation(
      workflow(requests: (0..<100).map { "r\($0): {get: x\($0)}" }),
      options: RunOptions(limits: BatchLimits(width: 1)))
    // Every second of the first attempts: consecutive failures would be an outage.
    run.graph.fault = { _, number in
      number < 100 && number % 2 == 0 ? .error(.service, status: 500) : nil
    }

    let end = try run.run()

    // A tenth of the hundred calls, and ten.
    #expect(run.calls.count == 120)
    #expect(end?.status == .failed)
    let failures = run.outcomes.values.compactMap(\.failure)
    #expect(failures.count == 30)
    #expect(failures.allSatisfy { $0.hint.contains("graphflow resume RUN") })
    #expect(failures.allSatisfy { $0.category == .transient })
  }
}
