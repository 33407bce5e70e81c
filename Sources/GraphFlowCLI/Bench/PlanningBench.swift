import GraphFlow

/// How long it takes from a file's bytes to a plan.
enum PlanningBench {
  /// The figures: files of 1,000, 10,000 and 100,000 requests.
  static var figures: [BenchFigure] {
    [1000, 10_000, 100_000].map { count in
      BenchFigure(name: "load and plan \(count) requests") { stopwatch in
        let source = BenchData.workflow(requests: count)
        var calls = 0
        let time = try stopwatch.best {
          let (workflow, diagnostics) = Workflow.reading(source)
          guard let workflow else {
            let first = diagnostics.first?.message ?? "no reason"
            throw CommandFailure(.internalError, "the bench's workflow is refused: \(first)")
          }
          calls = Plan(for: workflow).calls.count
        }
        return "\(Stopwatch.milliseconds(time)) (\(calls) calls)"
      }
    }
  }
}
