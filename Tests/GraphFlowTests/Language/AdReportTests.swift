import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// An ad report is one request: a run is started and polled, and its rows are read.
struct AdReportTests {
  /// Answers like Graph: the runs are 1, 2, …, and each poll takes the next state.
  private final class Script {
    var runs = 0
    var states: [JSON]
    var rows: [OperationAnswer]

    init(_ states: [JSON], rows: [OperationAnswer] = [.ok(["data": [["a": 1]]])]) {
      (self.states, self.rows) = (states, rows)
    }

    func answer(_ operation: BatchOperation) -> OperationAnswer {
      switch (operation.method, operation.path) {
      case (.post, _):
        runs += 1
        return .ok(["report_run_id": .string("\(runs)")])
      case (.get, let path) where path.hasSuffix("/insights"):
        return rows.count > 1 ? rows.removeFirst() : rows[0]
      default:
        let state = states.count > 1 ? states.removeFirst() : states[0]
        return state["error"] == nil
          ? .ok(state) : .error(GraphError(body: state) ?? GraphError(message: ""), 400)
      }
    }
  }

  private static let running: JSON = ["async_status": "Job Running"]
  private static let completed: JSON = ["async_status": "Job Completed"]
  private static let gone: JSON = ["error": ["code": 100, "error_subcode": 33, "message": "gone"]]

  private static func failed(_ code: Int, _ subcode: Int) -> JSON {
    [
      "async_status": "Job Failed", "error_code": .number(JSON.Number(code)),
      "error_subcode": .number(JSON.Number(subcode)), "error_message": "why",
      "error_user_title": "title", "error_user_msg": "text",
    ]
  }

  private func simulation(
    _ keys: String = "", _ script: Script, replaying events: [RunEvent] = [],
    at now: Duration = .zero
  ) throws -> Simulation {
    var run = try Simulation(
      workflow(requests: [
        "i: {report: act_7/insights, params: {level: ad, fields: \"a,b\"}, interval: 1s\(keys)}"
      ]), replaying: events, at: now)
    run.callFault = { call in
      .answered(
        .items(call.operations.map(script.answer)),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
    return run
  }

  private static let poll =
    "GET 1 fields=async_status,async_percent_completion,error_code,error_subcode,error_message,"
    + "error_user_title,error_user_msg"
  private static let start = "POST act_7/insights level=ad fields=a,b"

  private func body(_ run: Simulation) -> String? {
    run.outcomes["i"]?.body.map { String(decoding: $0, as: UTF8.self) }
  }

  private func attempts(_ run: Simulation) -> [AttemptOutcome] {
    run.events.compactMap { if case .attemptEnded(let end) = $0 { end.outcome } else { nil } }
  }

  @Test func `a run is started, polled until it is complete, and all its pages are read`() throws {
    let link: JSON = ["next": "https://x/insights?limit=500&after=c"]
    let script = Script(
      [
        Self.running, ["async_status": "Job Running", "async_percent_completion": 100],
        Self.completed,
      ],
      rows: [.ok(["data": [1], "paging": link]), .ok(["data": [2]])])
    var run = try simulation("", script)

    #expect(try run.run()?.status == .succeeded)

    #expect(
      run.sent == [
        Self.start, Self.poll, Self.poll, Self.poll, "GET 1/insights limit=500",
        "GET 1/insights limit=500 after=c",
      ])
    #expect(body(run) == #"{"data":[1,2]}"#)
    #expect(run.outcomes.count == 1 && attempts(run) == [.succeeded])
    #expect(run.outcomes["i"]?.resolvedPath == "1/insights")
    var text = EventText()
    #expect(run.events.compactMap { text.line(for: $0) }.contains("i is made by the run 1"))
    #expect(run.calls[2].at - run.calls[1].at == .seconds(1))
  }

  @Test func `limit is for the rows, and versions before v25.0 have no errors of runs`() throws {
    var run = try Simulation(
      workflow(requests: [
        "i: {report: act_7/insights, version: v24.0, params: {limit: 50}, paginate: {max_pages: 1}}"
      ]))
    let script = Script([Self.completed])
    run.callFault = { call in
      .answered(
        .items(call.operations.map(script.answer)),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(
      run.sent == [
        "POST act_7/insights", "GET 1 fields=async_status,async_percent_completion",
        "GET 1/insights limit=50",
      ])
  }

  @Test func `it is a read for the limit of writes, a preview and the guard`() throws {
    let rule = RequestGuard.Rule(
      methods: [.get], path: GuardedPaths("act_*/insights"), host: nil, place: "config.yaml:2")
    let request = "i: {report: act_7/insights, interval: 1s}"
    let script = Script([Self.running, Self.completed])
    var options = RunOptions()
    options.writes = .shown
    options.maxWrites = 0
    var run = try Simulation(
      workflow(requests: [request]).under(RequestGuard(allow: [rule], file: "config.yaml")),
      options: options)
    run.callFault = { call in
      .answered(
        .items(call.operations.map(script.answer)),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(body(run) == #"{"data":[{"a":1}]}"#)
    var denied = try Simulation(
      workflow(requests: [request]).under(RequestGuard(deny: [rule], file: "config.yaml")))
    #expect(try denied.run()?.status == .failed)
    #expect(denied.calls.isEmpty)
  }

  @Test func `a lost answer to the start is no doubt`() throws {
    let script = Script([Self.completed])
    var run = try simulation("", script)
    run.loss = { $0.number == 1 ? .afterItIsApplied : nil }
    let answered = run.callFault
    run.callFault = { $0.number == 1 ? nil : answered($0) }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.sent.filter { $0 == Self.start }.count == 2)
  }

  @Test func `runs of many accounts are polled in shared batches, and dependents wait`() throws {
    let script = Script([Self.running, Self.running, Self.completed])
    var run = try Simulation(
      workflow(requests: [
        "i: {for_each: [act_1, act_2], report: \"{item}/insights\", interval: 1s}",
        "n: {get: \"{result=i:$[0].data[0].a}\"}",
      ]))
    run.callFault = { call in
      .answered(
        .items(call.operations.map(script.answer)),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.map(\.operations.count) == [2, 2, 2, 2, 1])
    #expect(run.sent.last == "GET 1")
  }

  @Test func `the error of a failed run is that of the request`() throws {
    var run = try simulation("", Script([Self.running, Self.failed(100, 1_487_534)]))

    #expect(try run.run()?.status == .failed)

    let failure = try #require(run.outcomes["i"]?.failure)
    #expect(failure.error.code == 100 && failure.error.subcode == 1_487_534)
    #expect(failure.error.message == "why" && failure.error.userTitle == "title")
    #expect(failure.category == .other && failure.reason == .parameter)
    #expect(run.sent == [Self.start, Self.poll, Self.poll])
    #expect(run.outcomes["i"]?.resolvedPath == "1")
  }

  @Test func `a transient failure of a run starts another one, within retry`() throws {
    let other = Self.poll.replacing("GET 1 ", with: "GET 2 ")
    var run = try simulation(
      "", Script([Self.failed(-2, 2_490_547), Self.running, Self.completed]))

    #expect(try run.run()?.status == .succeeded)
    #expect(
      run.sent == [Self.start, Self.poll, Self.start, other, other, "GET 2/insights limit=500"])
    #expect(attempts(run) == [.failed, .succeeded])

    var hopeless = try simulation("", Script([Self.failed(-2, 2_490_547)]))
    #expect(try hopeless.run()?.status == .failed)
    #expect(hopeless.sent.filter { $0 == Self.start }.count == 4)
    #expect(hopeless.outcomes["i"]?.failure?.error.subcode == 2_490_547)
  }

  @Test func `a skipped run is started again, and a failed one without a reason is not`() throws {
    let skipped: JSON = ["async_status": "Job Skipped"]
    var run = try simulation("", Script([skipped, Self.completed]))
    #expect(try run.run()?.status == .succeeded)
    #expect(run.sent.filter { $0 == Self.start }.count == 2)

    var failed = try simulation("", Script([["async_status": "Job Failed"]]))
    #expect(try failed.run()?.status == .failed)
    #expect(failed.sent == [Self.start, Self.poll])
    #expect(failed.outcomes["i"]?.failure?.error.message.contains("\"Job Failed\"") == true)
    #expect(failed.reason("i") == "server")
  }

  @Test func `rows that are refused as not completed are asked for again`() throws {
    let early = GraphError(message: "not yet", code: 2601, subcode: 1_815_107, isTransient: true)
    var run = try simulation(
      ", retry: false",
      Script([Self.completed], rows: [.error(early, 400), .ok(["data": [1]])]))

    #expect(try run.run()?.status == .succeeded)
    #expect(
      run.sent == [
        Self.start, Self.poll, "GET 1/insights limit=500", Self.poll, "GET 1/insights limit=500",
      ])

    var endless = try simulation(
      ", within: 10s, retry: false", Script([Self.completed], rows: [.error(early, 400)]))
    #expect(try endless.run()?.status == .failed)
    #expect(endless.outcomes["i"]?.failure?.error.code == 2601)
    #expect(endless.now <= .seconds(12))
  }

  @Test func `a run that does not exist any more fails the request`() throws {
    var run = try simulation("", Script([Self.running, Self.gone]))

    #expect(try run.run()?.status == .failed)
    #expect(run.reason("i") == "not_found")
    #expect(run.sent == [Self.start, Self.poll, Self.poll])
  }

  @Test func `polls that fail temporarily are retried, and each success ends the count`() throws {
    let fault: JSON = ["error": ["code": 2, "message": "later"]]
    let states = (0..<5).flatMap { _ in [fault, fault, Self.running] } + [Self.completed]
    var run = try simulation("", Script(states))

    #expect(try run.run()?.status == .succeeded)
    #expect(run.sent.filter { $0 == Self.start }.count == 1)
  }

  @Test func `a run that takes too long fails with a timeout, and is polled when resumed`() throws {
    var first = try simulation(", within: 5s", Script([Self.running]))
    #expect(try first.run()?.status == .failed)
    #expect(first.reason("i") == "timeout")

    var second = try simulation(
      ", within: 5s", Script([Self.running, Self.completed]), replaying: first.events,
      at: .seconds(60))
    #expect(try second.run()?.status == .succeeded)
    #expect(second.sent == [Self.poll, Self.poll, "GET 1/insights limit=500"])
  }

  @Test(arguments: 2...4)
  func `a killed run is resumed with the same run of the report`(_ call: Int) throws {
    let script = Script([Self.running, Self.completed])
    var first = try simulation("", script)
    #expect(try first.run(killedAtCall: call) == nil)
    var second = try simulation("", script, replaying: first.events, at: .seconds(9))

    #expect(try second.run()?.status == .succeeded)
    #expect(second.sent.contains(Self.start) == false)
    #expect(script.runs == 1)
  }

  @Test func `a resumed run starts another one if the first has failed or is gone`() throws {
    var first = try simulation("", Script([Self.failed(100, 1_487_534)]))
    #expect(try first.run()?.status == .failed)
    var second = try simulation("", Script([Self.completed]), replaying: first.events)
    #expect(try second.run()?.status == .succeeded)
    #expect(second.sent.first == Self.start)

    var killed = try simulation("", Script([Self.running]))
    #expect(try killed.run(killedAtCall: 3) == nil)
    var late = try simulation(
      ", retry: false", Script([Self.gone, Self.completed]), replaying: killed.events,
      at: .seconds(40 * 86_400))
    #expect(try late.run()?.status == .succeeded)
    #expect(late.sent.prefix(2) == [Self.poll, Self.start])
  }

  @Test func `a changed report is started again`() throws {
    var first = try simulation("", Script([Self.running]))
    #expect(try first.run(killedAtCall: 3) == nil)
    let changed = try simulation(", description: same", Script([Self.completed]))
    let other = try Simulation(workflow(requests: ["i: {report: act_8/insights}"]))

    for (workflow, isKept) in [(changed, true), (other, false)] {
      let history = RunHistory(first.events + [.runStarted(workflow.state.progress.facts.start)])
      let runs = history.events.filter { if case .reportRun = $0 { true } else { false } }
      #expect(runs.isEmpty == !isKept)
    }
  }

  @Test func `an answer without the id of a run fails the request`() throws {
    var run = try simulation("", Script([Self.completed]))
    run.callFault = { _ in
      .answered(
        .items([.ok(["success": true])]), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    #expect(try run.run()?.status == .failed)
    #expect(run.outcomes["i"]?.failure?.error.message.contains("report_run_id") == true)
    #expect(run.calls.count == 1)
  }

  @Test func `explain names the report as the reason of a wait`() throws {
    let plan = Plan(
      for: try workflow(requests: [
        "i: {report: act_7/insights}", "n: {get: \"{result=i:$.data[0].a}\"}",
      ]))

    #expect(plan.calls.map { $0.operations.map(\.request) } == [[0], [1]])
    #expect(plan.text().contains("its rows are read when its run is complete"))
    #expect(plan.text().contains("REPORT act_7/insights"))
  }
}
