import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// GETs that are sent repeatedly on purpose.
struct RepeatingTests {
  /// Answers page after page; each links to the next one on another host.
  private func pages(_ count: Int, repeating: Bool = false) -> (Call) -> CallResult? {
    { call in
      let operation = call.operations[0]
      guard operation.path == "me/feed" else { return nil }
      let page = operation.parameters.first { $0.name == "after" }.flatMap { Int($0.value) } ?? 0
      let next = repeating ? 1 : page + 1
      var paging: JSON = [:]
      if page + 1 < count {
        paging = [
          "next": .string(
            "https://evil.example/v1.0/steal?access_token=EAAx&limit=2&after=\(next)"
              + "&_fb_batch_sig=1")
        ]
      }
      let body: JSON = [
        "data": [.number(JSON.Number(2 * page)), .number(JSON.Number(2 * page + 1))],
        "paging": paging,
      ]
      return .answered(.items([.ok(body)]), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
  }

  @Test func `pages are followed to the end with the request's own path and token`() throws {
    var run = try Simulation(
      workflow(requests: [
        "feed: {get: me/feed, paginate: true, params: {limit: 9, fields: id}}",
        "count: {get: me, params: {n: \"{result=feed:$.data[3]}\"}}",
      ]))
    run.callFault = pages(3)

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(
      run.outcomes["feed"]?.body.map { String(decoding: $0, as: UTF8.self) }
        == #"{"data":[0,1,2,3,4,5]}"#)
    let sent = run.calls.map { $0.operations[0] }
    #expect(sent.map(\.path) == ["me/feed", "me/feed", "me/feed", "me"])
    #expect(
      sent[1].parameters.map { "\($0.name)=\($0.value)" } == ["fields=id", "limit=2", "after=1"])
    #expect(sent[3].parameters.map(\.value) == ["3"])
    #expect(sent.allSatisfy { $0.accessToken == nil })
    let attempts = run.events.compactMap { event in
      if case .attemptEnded(let end) = event, end.attempt.request == 0 { end } else { nil }
    }
    #expect(attempts.map(\.attempt.number) == [1])
  }

  @Test(arguments: [
    ("{max_pages: 2}", "[0,1,2,3]", 2), ("{max_items: 3}", "[0,1,2]", 2),
    ("{max_pages: 1}", "[0,1]", 1),
  ])
  func `limits end the pages`(_ limits: String, _ data: String, _ calls: Int) throws {
    var run = try Simulation(workflow(requests: ["feed: {get: me/feed, paginate: \(limits)}"]))
    run.callFault = pages(9)

    _ = try run.run()

    #expect(
      run.outcomes["feed"]?.body.map { String(decoding: $0, as: UTF8.self) } == "{\"data\":\(data)}"
    )
    #expect(run.calls.count == calls)
  }

  @Test func `a link that repeats ends the pages`() throws {
    var run = try Simulation(workflow(requests: ["feed: {get: me/feed, paginate: true}"]))
    run.callFault = pages(9, repeating: true)

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.calls.count == 2)
    #expect(run.outcomes["feed"]?.note?.contains("repeats") == true)
    let report = Report(of: run.events)
    #expect(report.text().contains("note: the link to the next page repeats"))
  }

  @Test func `a link back to an earlier page ends the pages with a note`() throws {
    var run = try Simulation(workflow(requests: ["feed: {get: me/feed, paginate: true}"]))
    let pages = pages(9)
    run.callFault = { call in
      let after = call.operations[0].parameters.first { $0.name == "after" }?.value
      guard after == "4" else { return pages(call) }
      let body: JSON = [
        "data": [1], "paging": ["next": "https://graph.facebook.com/me/feed?limit=2&after=1"],
      ]
      let facts = CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
      return .answered(.items([.ok(body)]), facts)
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.count == 5)
    #expect(run.outcomes["feed"]?.note != nil)
  }

  @Test func `an answer that is not a page fails`() throws {
    var run = try Simulation(workflow(requests: ["me: {get: me, paginate: true}"]))

    let end = try run.run()

    #expect(run.outcomes["me"]?.failure?.reason == .parameter)
    #expect(end?.exitCode == 1)
  }

  @Test func `all polling requests share one batch per interval`() throws {
    var run = try Simulation(
      workflow(
        requests: (1...5).map {
          "c\($0): {get: c\($0), until: {check: \"$.message == 'done'\", interval: 5s, within: 1m}}"
        } + ["after: {get: \"{result=c3:$.id}\"}"]))
    run.callFault = { call in
      guard call.number <= 4, call.operations[0].path != "me" else { return nil }
      let items = call.operations.map { operation -> OperationAnswer in
        let isDone = call.number == 4 || operation.path == "c1" && call.number == 2
        return .ok(["id": .string(operation.path), "message": isDone ? "done" : "not yet"])
      }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.calls.map(\.operations.count) == [5, 5, 4, 4, 1])
    #expect(run.calls.map(\.at).prefix(4) == [.zero, .seconds(5), .seconds(10), .seconds(15)])
  }

  @Test func `polling ends after its time limit`() throws {
    var run = try Simulation(
      workflow(requests: ["c: {get: c, until: {check: \"$.x == 1\", interval: 10s, within: 35s}}"]))

    let end = try run.run()

    #expect(run.outcomes["c"]?.failure?.reason == .timeout)
    #expect(run.calls.count == 4)
    #expect(end?.exitCode == 1)
  }

  @Test func `the failure condition ends polling at once`() throws {
    var run = try Simulation(
      workflow(requests: [
        "c: {get: c, until: {check: \"$.x == 1\", fail: \"$.id == 'c'\", interval: 10s, within: 1h}}"
      ]))

    _ = try run.run()

    #expect(run.calls.count == 1)
    #expect(run.outcomes["c"]?.status == .failed)
  }
}
