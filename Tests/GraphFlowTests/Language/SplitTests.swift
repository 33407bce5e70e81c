import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// A read that Graph refuses as a whole is read in parts, like one request.
struct SplitTests {
  private static let tooMuch = GraphError(message: "too much", code: 100, subcode: 1_487_534)
  private static let bad = GraphError(message: "(#100) c is not valid", code: 100)

  private func workflow(_ keys: String) throws -> Workflow {
    try GraphFlowTests.workflow(requests: [
      "i: {get: act_7/insights, params: {level: ad, fields: \"ad_id,a,b,c,d\"}, \(keys)}"
    ])
  }

  /// Answers a read with a row for each of its fields, unless `refusal` finds something in its
  /// parameters.
  private func simulation(
    _ workflow: Workflow, replaying events: [RunEvent] = [],
    _ refusal: @escaping (BatchOperation) -> GraphError?
  ) throws -> Simulation {
    var run = try Simulation(workflow, replaying: events)
    run.callFault = { call in
      .answered(
        .items(
          call.operations.map { operation -> OperationAnswer in
            if let error = refusal(operation) { return .error(error, 400) }
            let fields = operation.parameters.first { $0.name == "fields" }?.value ?? ""
            let row = fields.split(separator: ",").map { (String($0), JSON.string("v\($0)")) }
            return .ok(["data": [.object(JSON.Object(row))]])
          }), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
    return run
  }

  private func fields(_ operation: BatchOperation) -> [Substring] {
    operation.parameters.first { $0.name == "fields" }?.value.split(separator: ",") ?? []
  }

  private func refusal(_ word: Substring) -> (BatchOperation) -> GraphError? {
    { self.fields($0).contains(word) ? Self.bad : nil }
  }

  private func body(_ run: Simulation) throws -> JSON? {
    try run.outcomes["i"]?.body.map { try JSON(parsing: String(decoding: $0, as: UTF8.self)) }
  }

  private static let rest: JSON = [
    "data": [["ad_id": "vad_id", "a": "va", "b": "vb", "d": "vd"]]
  ]

  @Test func `one bad field is isolated and named, and the rest is the body`() throws {
    var run = try simulation(workflow("split: [fields]"), refusal("c"))

    #expect(try run.run()?.status == .failed)
    #expect(try body(run) == Self.rest)
    let failure = try #require(run.outcomes["i"]?.failure)
    #expect(
      failure.error.message
        == "4 fields were requested and 1 cannot be read: `c`: (#100) c is not valid; the other rows "
        + "are in the answer")
    #expect(failure.missing == [["fields": ["c"]]])
    #expect(
      run.sent.map { $0.split(separator: "=").last.map(String.init) ?? "" } == [
        "ad_id,a,b,c,d", "ad_id,a,b", "ad_id,c,d", "ad_id,c", "ad_id,d",
      ])
  }

  @Test func `what is too much is halved at once, and nobody notices`() throws {
    var run = try simulation(workflow("split: [fields], expect: [\"$.data[0].d == 'vd'\"]")) {
      self.fields($0).count > 3 ? Self.tooMuch : nil
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(
      try body(run) == ["data": [["ad_id": "vad_id", "a": "va", "b": "vb", "c": "vc", "d": "vd"]]])
    #expect(run.sent.count == 3)
    #expect(run.outcomes["i"]?.failure == nil)
  }

  @Test func `too much data as error 1 is split, not retried`() throws {
    let error = GraphError(
      message: "Please reduce the amount of data you're asking for", code: 1)
    var run = try simulation(workflow("split: [fields]")) {
      self.fields($0).count > 3 ? error : nil
    }
    #expect(try run.run()?.status == .succeeded)
    #expect(run.sent.count == 3)
  }

  @Test func `other failures do not split`() throws {
    for error in [
      GraphError(message: "(#100) requires permission x", code: 100),
      GraphError(message: "no", code: 200), GraphError(message: "gone", code: 100, subcode: 33),
    ] {
      var run = try simulation(workflow("split: [fields]")) { _ in error }
      #expect(try run.run()?.status == .failed)
      #expect(run.sent.count == 1, "\(error)")
    }
  }

  @Test func `a failure of every part is the failure of the request`() throws {
    var run = try simulation(workflow("split: [fields]")) { _ in Self.bad }
    #expect(try run.run()?.status == .failed)
    #expect(run.outcomes["i"]?.failure?.error.message == Self.bad.message)
    #expect(run.outcomes["i"]?.failure?.missing == nil && run.sent.count <= 33)
  }

  @Test func `a part is retried like the whole`() throws {
    var failures = 2
    var run = try simulation(workflow("split: [fields], retry: {initial_delay: 1ms}")) {
      if self.fields($0).count > 3 { return Self.tooMuch }
      failures -= 1
      return failures >= 0 ? GraphError(message: "wait", code: 2) : nil
    }
    #expect(try run.run()?.status == .succeeded)
    #expect(run.sent.count == 5)
  }

  @Test func `the next items know what the first one has found`() throws {
    var hasWaited = false
    let workflow = try GraphFlowTests.workflow(requests: [
      "i: {for_each: [1, 2], get: \"act_{item}/insights\", params: {fields: \"a,b,c,d\"}, "
        + "split: [fields], retry: {initial_delay: 30s, jitter: none}}"
    ])
    var run = try simulation(workflow) { operation in
      if operation.path.hasPrefix("act_2"), !hasWaited {
        hasWaited = true
        return GraphError(message: "wait", code: 2)
      }
      return refusal("c")(operation)
    }
    _ = try run.run()
    let ends = run.events.compactMap { event -> RequestEnd? in
      if case .requestEnded(let end) = event { end } else { nil }
    }
    #expect(ends.count == 2 && ends.allSatisfy { $0.failure?.missing == [["fields": ["c"]]] })
    #expect(run.sent.filter { $0.contains("act_1") }.count == 5)
    #expect(run.sent.filter { $0.contains("act_2") }.count == 2)
  }

  @Test func `a resumed run reads the whole again`() throws {
    var run = try simulation(workflow("split: [fields]"), refusal("c"))
    _ = try run.run()
    let ends = run.events.indices.filter {
      if case .callEnded = run.events[$0] { true } else { false }
    }
    let events = Array(run.events[...ends[2]])
    var resumed = try simulation(workflow("split: [fields]"), replaying: events, refusal("c"))
    #expect(try resumed.run()?.status == .failed)
    #expect(try body(resumed) == Self.rest)
  }

  @Test func `each part of a report is a report of its own, and none is taken for the whole`()
    throws
  {
    var starts = 0
    func answer(_ operation: BatchOperation) -> OperationAnswer {
      if operation.method == .post {
        if fields(operation).count > 3 { return .error(Self.tooMuch, 400) }
        starts += 1
        return .ok(["report_run_id": .string("\(starts)")])
      }
      guard operation.path.hasSuffix("/insights") else {
        return .ok(["async_status": "Job Completed"])
      }
      let names = operation.path.hasPrefix("1") ? ["a", "b"] : ["c", "d"]
      let row = [("ad_id", JSON.string("1"))] + names.map { ($0, JSON.string("v")) }
      return .ok(["data": [.object(JSON.Object(row))]])
    }
    func run(_ events: [RunEvent] = []) throws -> Simulation {
      var run = try Simulation(
        GraphFlowTests.workflow(requests: [
          "i: {report: act_7/insights, params: {fields: \"ad_id,a,b,c,d\"}, interval: 1s, "
            + "split: [fields]}"
        ]), replaying: events)
      run.callFault = { call in
        .answered(
          .items(call.operations.map(answer)),
          CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
      }
      return run
    }
    var whole = try run()

    #expect(try whole.run()?.status == .succeeded)
    #expect(try body(whole) == ["data": [["ad_id": "1", "a": "v", "b": "v", "c": "v", "d": "v"]]])
    #expect(starts == 2)
    let runs = whole.events.filter { if case .reportRun = $0 { true } else { false } }
    #expect(runs.isEmpty)
    let ends = whole.events.indices.filter {
      if case .callEnded = whole.events[$0] { true } else { false }
    }
    starts = 0
    var resumed = try run(Array(whole.events[...ends[2]]))
    #expect(try resumed.run()?.status == .succeeded)
    #expect(try body(resumed) == body(whole))
  }
}
