import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// The effect of outcomes on other requests and on the run.
struct OutcomeTests {
  /// The faults of the requests by their paths.
  private static func fault(_ path: String) -> SimulatedGraph.Fault? {
    switch path {
    case "bad": .error(.invalidParameter, status: 400)
    case "denied": .error(GraphError(message: "(#200) Permissions error", code: 200), status: 403)
    case "doubt": .null
    case "throttled":
      .error(GraphError(message: "(#4) Application request limit reached", code: 4), status: 400)
    default: nil
    }
  }

  static let cases: [(requests: [String], code: Int)] = [
    (["good"], 0), (["bad", "good"], 1), (["throttled", "bad"], 75),
    (["denied", "throttled", "bad"], 77), (["doubt", "denied", "throttled", "bad"], 3),
  ]

  @Test(arguments: cases)
  func `the most severe outcome gives the exit code`(_ requests: [String], _ code: Int) throws {
    func run() throws -> Simulation {
      var run = try Simulation(
        workflow(
          requests: requests.map {
            "\($0): {\($0 == "doubt" ? "post" : "get"): \($0), retry: {max_elapsed: 1ms}}"
          }))
      run.graph.fault = { operation, _ in Self.fault(operation.path) }
      return run
    }

    var plain = try run()
    #expect(try plain.run()?.exitCode == code)
    for signal in [130, 143] {
      var stopped = try run()
      stopped.state.cancel(exitCode: signal)
      #expect(try stopped.run()?.exitCode == signal)
    }
  }

  @Test func `an unreachable server has its own exit code only if it was never reached`() throws {
    for reached in [false, true] {
      var run = try Simulation(
        workflow(requests: [
          "a: {get: a, retry: false}",
          "b: {get: b, depends_on: [a], batch: alone, on_dependency_failure: run, retry: false}",
        ]))
      run.callFault = { call in
        guard !reached || call.operations[0].path == "a" else { return nil }
        return .failed(TransportFailure(kind: .notSent, message: "refused"))
      }
      #expect(try run.run()?.exitCode == (reached ? 1 : 69))
    }
  }

  @Test(arguments: [
    // The keys of one request, the exit code, and the statuses of the request and its dependents.
    ("when: \"1 == 2\"", 0, "skipped skipped succeeded"),
    ("on_error: ignore, expect: [\"1 == 2\"]", 0, "failed skipped succeeded"),
    ("expect: [\"1 == 2\"]", 1, "failed skipped succeeded"),
    ("on_error: stop, expect: [\"1 == 2\"]", 1, "failed skipped skipped"),
  ])
  func `a false condition and an ignored failure are success`(
    _ keys: String, _ code: Int, _ statuses: String
  ) throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: a, \(keys), retry: false}", "b: {get: b, depends_on: [a]}",
        "first: {get: f, batch: alone, expect: [\"$.id\"]}",
        "c: {get: c, depends_on: [first], batch: alone}",
      ]), options: RunOptions(concurrency: 1))

    let end = try run.run()

    #expect(end?.exitCode == code)
    #expect(
      ["a", "b", "c"].map { run.statuses[$0]?.rawValue ?? "" }.joined(separator: " ") == statuses)
    #expect(
      run.outcomes["b"]?.skipReason
        == (statuses.hasSuffix("skipped skipped") ? .stopped : .dependency))
  }

  @Test func `dependents of a request that its condition skipped are skipped`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          a: {get: a, when: "1 == 2"}
          path: {get: "{result=a:$.id}"}
          default: {get: p, params: {x: "{result=a:$.id | none}"}}
          expect: {get: e, expect: ["{result=a:$.id} == 1"]}
          when: {get: w, when: "{result=a:$.id} == 1"}
          each: {for_each: "{result=a:$.data}", get: "{item}"}
          chain: {get: c, depends_on: [path]}
          free: {get: f, depends_on: [a], on_dependency_failure: run}
        outputs: {x: "{result=a:$.id}", y: "{result=a:$.id | none}"}
        """))

    let end = try run.run()

    #expect(run.sent == ["GET f"])
    for name in ["path", "default", "expect", "when", "each", "chain"] {
      #expect(run.outcomes[name]?.skipReason == .dependency, "\(name)")
    }
    #expect(end?.exitCode == 0)
    #expect(end?.outputs == ["x": .null, "y": "none"])
  }

  @Test func `after stop no new request starts`() throws {
    var run = try Simulation(
      workflow(
        requests: (1...9).map { number in
          "r\(number): {get: r\(number), batch: alone, on_error: stop, retry: false}"
        }), options: RunOptions(concurrency: 2))
    run.graph.fault = { operation, _ in
      operation.path == "r3" ? .error(.invalidParameter, status: 400) : nil
    }

    let end = try run.run()

    #expect(run.graph.ledger.count < 8)
    let started = Set(run.calls.flatMap(\.operations).map(\.path))
    for number in 1...9 where !started.contains("r\(number)") {
      #expect(run.outcomes["r\(number)"]?.skipReason == .stopped)
    }
    #expect(end?.exitCode == 1)
  }

  @Test(arguments: [
    ("paginate: true", #"{"data": 5}"#, "parameter"),
    ("expect: [\"$.id == 5\"]", "{}", "expectation"),
    ("until: {check: $.x, within: 1s, interval: 1s}", "{}", "timeout"),
    ("until: {check: $.x, fail: $.y}", #"{"y": 1}"#, "expectation"),
    ("params: {x: \"{result=source:$.no}\"}", "{}", "unresolved_reference"),
    ("params: {x: \"{result=source:$.*}x\"}", "{}", "policy"),
    ("token: \"{result=source:$.l}\"", "{}", "token"),
    ("headers: {X-A: \"{result=source:$.lines}\"}", "{}", "parameter"),
  ])
  func `a failure without a Graph error has a reason of its own`(
    _ keys: String, _ body: String, _ reason: String
  ) throws {
    var run = try Simulation(
      workflow(requests: [
        "source: {get: source, batch: alone}", "a: {get: a, retry: false, \(keys)}",
      ]))
    run.answering([
      "a": body, "source": #"{"access_token": "EAAsecret-token", "l": [1], "lines": "a\nb"}"#,
    ])

    let end = try run.run()

    #expect(run.outcomes["a"]?.status == .failed)
    #expect(run.reason("a") == reason)
    #expect(run.outcomes["a"]?.failure?.hint.isEmpty == false)
    #expect(end?.exitCode == (reason == "token" ? 77 : 1))
  }
}
