import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Pages and polls are calls, not attempts: neither `retry` nor the retry budget ends them.
struct RepetitionTests {
  @Test func `forty polls use no attempts and no budget`() throws {
    var run = try Simulation(
      workflow(requests: [
        "c: {get: c, retry: false, until: {check: \"$.n == 40\", interval: 1s, within: 2m}}"
      ]))
    run.callFault = { call in
      let body: JSON = ["id": "c", "n": .number(JSON.Number(call.number))]
      return .answered(.items([.ok(body)]), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.calls.count == 40)
    let attempts = run.events.compactMap { event in
      if case .attemptEnded(let end) = event { end.attempt.number } else { nil }
    }
    #expect(attempts == [1])
  }

  @Test func `forty pages use no attempts and no budget`() throws {
    var run = try Simulation(
      workflow(requests: ["feed: {get: feed, retry: false, paginate: true}"]))
    run.callFault = { call in
      let next = "https://graph.facebook.com/v1.0/feed?after=\(call.number)"
      let paging: JSON = call.number < 40 ? ["next": .string(next)] : [:]
      let body: JSON = ["data": [.number(JSON.Number(call.number))], "paging": paging]
      return .answered(.items([.ok(body)]), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.calls.count == 40)
  }

  @Test(arguments: ["paginate: true", "until: {check: $.data}"])
  func `a dependent of a repeated request waits for its last call`(_ key: String) throws {
    let plan = Plan(
      for: try workflow(requests: [
        "a: {get: a, \(key)}", "b: {get: \"{result=a:$.data[0].id}\"}", "c: {get: c}",
        "d: {get: d, depends_on: [a]}",
      ]))

    #expect(plan.calls.map { $0.operations.map(\.request) } == [[0, 2], [1, 3]])
  }

  @Test func `a poll with a transient failure is retried`() throws {
    var run = try Simulation(
      workflow(requests: ["c: {get: c, until: {check: \"$.id == 'c'\", interval: 1s}}"]))
    run.graph.fault = { _, number in number == 0 ? .error(.service, status: 500) : nil }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.count == 2)
  }

  @Test func `a link to the next page that cannot be followed fails its request`() throws {
    var run = try Simulation(
      workflow(requests: [
        "feed: {get: feed, paginate: true}", "n: {get: \"{result=feed:$.data[0]}\"}",
      ]))
    run.callFault = { call in
      let link: JSON =
        call.number < 3 ? .string("https://x/feed?after=\(call.number)") : ["after": 3]
      return .answered(
        .items([.ok(["data": [.number(JSON.Number(call.number))], "paging": ["next": link]])]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    let end = try run.run()

    #expect(end?.exitCode == 1 && run.calls.count == 3)
    #expect(run.statuses == ["feed": .failed, "n": .skipped])
    #expect(run.outcomes["feed"]?.failure?.error.message.contains("cannot be followed") == true)
  }

  @Test func `pages end with the last link, and an empty page is one`() throws {
    var run = try Simulation(workflow(requests: ["feed: {get: feed, paginate: true}"]))
    run.callFault = { call in
      let pages = [
        #"{"data": [], "paging": {"next": "https://x/feed?after=0"}}"#,
        #"{"data": [1], "paging": {"next": "https://x/feed?after=1"}}"#,
        #"{"data": [], "paging": {"next": "https://x/feed?after=2"}}"#,
        #"{"data": [2], "paging": {"previous": "https://x/feed?before=2"}}"#,
      ]
      return .answered(
        .items([
          .response(
            OperationResponse(code: 200, body: ResponseBody(Array(pages[call.number - 1].utf8))))
        ]), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    _ = try run.run()

    #expect(
      run.outcomes["feed"]?.body.map { String(decoding: $0, as: UTF8.self) } == #"{"data":[1,2]}"#)
  }

  @Test func `a failure between pages loses no page, and expectations apply to all of them`() throws
  {
    var run = try Simulation(
      workflow(requests: [
        "feed: {get: feed, paginate: true, expect: [\"$.data[2] == 3\", \"!$.paging\"]}",
        "after: {get: \"{result=feed:$.data[1]}\"}",
      ]))
    run.callFault = { call in
      guard call.operations[0].path == "feed" else { return nil }
      let after = call.operations[0].parameters.first { $0.name == "after" }?.value
      let page = after.flatMap { Int($0) } ?? 0
      let fault = GraphError(message: "Service temporarily unavailable", code: 2)
      let next: JSON = ["next": .string("https://x/feed?after=\(page + 1)")]
      let body: JSON = [
        "data": [.number(JSON.Number(page + 1))], "paging": page < 2 ? next : [:],
      ]
      return .answered(
        .items([call.number == 2 ? .error(fault, 500) : .ok(body)]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(
      run.sent == ["GET feed", "GET feed after=1", "GET feed after=1", "GET feed after=2", "GET 2"])
  }

  @Test(arguments: [
    ("{max_items: 3}", 2, "[1,2,3]"), ("{max_items: 4}", 2, "[1,2,3,4]"),
    ("{max_items: 5}", 3, "[1,2,3,4,5]"), ("{max_items: 1}", 1, "[1]"),
    ("{max_pages: 2, max_items: 9}", 2, "[1,2,3,4]"), ("{max_pages: 9, max_items: 2}", 1, "[1,2]"),
  ])
  func `no page is requested beyond the limits`(
    _ limits: String, _ calls: Int, _ data: String
  ) throws {
    var run = try Simulation(workflow(requests: ["feed: {get: feed, paginate: \(limits)}"]))
    run.callFault = { call in
      let numbers = [2 * call.number - 1, 2 * call.number].map { JSON.number(JSON.Number($0)) }
      let body: JSON = [
        "data": .array(numbers), "paging": ["next": .string("https://x/feed?after=\(call.number)")],
      ]
      return .answered(.items([.ok(body)]), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    _ = try run.run()

    #expect(run.calls.count == calls)
    #expect(
      run.outcomes["feed"]?.body.map { String(decoding: $0, as: UTF8.self) }
        == #"{"data":\#(data)}"#)
  }

  @Test(arguments: [
    ("post: x, paginate: true", "misplaced-key"),
    ("delete: x, until: {check: $.x}", "misplaced-key"),
    ("get: x, paginate: true, until: {check: $.x}", "misplaced-key"),
    ("get: x, until: {check: $.x, interval: 99ms}", "invalid-value"),
    ("get: x, paginate: {max_pages: 0}", "invalid-value"),
    ("get: x, paginate: {max_items: 0}", "invalid-value"), ("get: x, until: {}", "missing-key"),
  ])
  func `only a GET is repeated, within limits`(_ keys: String, _ rule: String) {
    let source = SourceFile(
      path: "x.yaml", bytes: Array("graphflow: 1\nrequests: {a: {\(keys)}}\n".utf8))
    #expect(Workflow.reading(source).diagnostics.map(\.rule) == [rule])
  }
}
