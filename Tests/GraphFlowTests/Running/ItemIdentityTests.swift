import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Items are identified by their keys, independent of their current position in the source.
struct ItemIdentityTests {
  /// An instance of a report: its status, and the id of its body.
  private func found(_ report: Report) -> [String: String] {
    report.requests.reduce(into: [:]) { found, request in
      let body = request.end?.body.map { String(decoding: $0, as: UTF8.self) } ?? "-"
      #expect(found[request.displayName] == nil, "\(request.displayName) is there twice")
      found[request.displayName] = "\(request.status.map(\.rawValue) ?? "none") \(body)"
    }
  }

  private static let rows = """
    graphflow: 1
    inputs:
      rows: {type: list, default: []}
    requests:
      read: {for_each: "{input=rows}", key: "{item}", get: "x/{item}", retry: false}
    """

  private func rows(_ keys: String) -> [(name: String, value: String)] {
    [("rows", "[\(keys.map { "\"\($0)\"" }.joined(separator: ","))]")]
  }

  /// Refuses the reads of some items, and answers the others with their path as id.
  private func answers(refusing keys: String) -> (Call) -> CallResult? {
    { call in
      let items = call.operations.map { operation in
        let isRefused = keys.contains(String(operation.path.last ?? "?"))
        let body =
          isRefused
          ? #"{"error":{"message":"no","type":"GraphMethodException","code":100}}"#
          : #"{"id":"\#(operation.path)"}"#
        return OperationAnswer.response(
          OperationResponse(code: isRefused ? 400 : 200, body: ResponseBody(Array(body.utf8))))
      }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
  }

  private static let feeding = """
    graphflow: 1
    requests:
      feed: {for_each: [a, b, c], get: "{item}", retry: false}
      post: {for_each: "{result=feed:$[*].id}", post: "{item}", retry: false}
    """

  /// A list from answers grows if a failure is repaired.
  @Test(arguments: ["a", "b", "c"])
  func `without a key each item of a grown list is sent once`(_ repaired: String) throws {
    let workflow = try workflow(Self.feeding)
    var first = try Simulation(workflow)
    first.callFault = answers(refusing: repaired)
    #expect(try first.run()?.exitCode == 1)
    var second = try Simulation(workflow, replaying: first.events)
    second.callFault = answers(refusing: "")

    let end = try second.run()

    #expect(second.sent == ["GET \(repaired)", "POST \(repaired)"])
    #expect(end?.exitCode == 0)
    let others = ["a", "b", "c"].filter { $0 != repaired } + [repaired]
    let report = found(Report(of: first.events + second.events))
    for (key, id) in others.enumerated() {
      #expect(report["post[\(key)]"] == "succeeded {\"id\":\"\(id)\"}")
    }
  }

  /// The answers are requested again because they held a token, and are different.
  @Test func `without a key nothing of a list with other items is sent`() throws {
    let workflow = try workflow(Self.feeding)
    var first = try Simulation(workflow)
    first.callFault = answers(refusing: "b")
    _ = try first.run()
    var list = ItemList(request: 1)
    _ = list.keys(of: ["other", "c"])
    let events = first.events + [.itemsListed(list)]
    var second = try Simulation(workflow, replaying: events)
    second.callFault = answers(refusing: "")

    let end = try second.run()

    #expect(second.sent == ["GET b"])
    #expect(end?.exitCode == 1)
    let report = Report(of: events + second.events)
    let failures = report.requests.compactMap(\.end?.failure?.error.message)
    #expect(failures == ["its list of items has changed"])
  }

  @Test func `equal items keep their order`() throws {
    var list = ItemList(request: 0)
    #expect(list.keys(of: ["a", "b", "a"]) == [0, 1, 2])
    #expect(list.keys(of: ["x", "a", "a", "b", "a"]) == [3, 0, 2, 1, 4])
    #expect(list.keys(of: ["a"]) == [0])
    #expect(list.keys(of: ["a", "new"]) == nil)
    // Items that share an id differ in their other members.
    var rows = ItemList(request: 0)
    #expect(rows.keys(of: [["id": "7", "x": "a"], ["id": "7", "x": "b"]]) == [0, 1])
    #expect(rows.keys(of: [["id": "7", "x": "b"], ["id": "7", "x": "a"]]) == [1, 0])
    // An item with an id of its own is the same whatever its other members are.
    var posts = ItemList(request: 0)
    #expect(posts.keys(of: [["id": "1", "likes": 1]]) == [0])
    #expect(posts.keys(of: [["id": "1", "likes": 2]]) == [0])
  }

  @Test func `rows that moved keep their own bodies in every report`() throws {
    let workflow = try workflow(Self.rows)
    var first = try Simulation(workflow, inputs: rows("abcd"))
    first.callFault = answers(refusing: "bd")
    #expect(try first.run()?.exitCode == 1)
    var second = try Simulation(workflow, inputs: rows("dcXba"), replaying: first.events)
    second.callFault = answers(refusing: "")

    let end = try second.run()

    #expect(second.sent == ["GET x/d", "GET x/X", "GET x/b"])
    #expect(end?.exitCode == 0)
    let report = Report(of: first.events + second.events)
    #expect(
      found(report)
        == Dictionary(
          uniqueKeysWithValues: "abcdX".map { ("read[\($0)]", "succeeded {\"id\":\"x/\($0)\"}") }))
    #expect(report.summary.succeeded == 5 && report.summary.failed == 0)
    #expect(report.exitCode == end?.exitCode)
    #expect(try lines(of: first.events, then: second.events) == found(report).keys.sorted())
  }

  /// The instances in a report as lines of a run that was resumed.
  private func lines(of earlier: [RunEvent], then later: [RunEvent]) throws -> [String] {
    var text: [UInt8] = []
    // The session starts to print lines with its first event.
    var lines = ReportLines(resumingFrom: Report(of: earlier + later.prefix(1)), to: &text)
    for event in later.dropFirst() { lines.apply(event, to: &text) }
    lines.finish(to: &text)
    return try text.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let request = try JSON(parsing: Array(line))["request"]
      guard let name = request?["name"]?.string else { return nil }
      #expect(request?["status"] == "succeeded")
      return request?["item"]?["key"]?.string.map { "\(name)[\($0)]" } ?? name
    }
    .sorted()
  }

  @Test func `a second list that a repair has lengthened keeps items and bodies together`() throws {
    let workflow = try workflow(requests: [
      "first: {for_each: [a, b, c], key: \"{item}\", get: \"p/{item}\", retry: false}",
      "second: {for_each: \"{result=first:$[*].id}\", key: \"{item}\", get: \"{item}\"}",
    ])
    var first = try Simulation(workflow)
    first.callFault = answers(refusing: "b")
    _ = try first.run()
    var second = try Simulation(workflow, replaying: first.events)
    second.callFault = answers(refusing: "")

    #expect(try second.run()?.exitCode == 0)

    #expect(second.sent == ["GET p/b", "GET p/b"])
    let report = Report(of: first.events + second.events)
    let seconds = report.requests.filter { $0.facts.name == "second" }
    #expect(seconds.map { $0.item?.key } == ["p/a", "p/b", "p/c"])
    #expect(found(report).values.allSatisfy { $0.hasPrefix("succeeded") })
    #expect(found(report)["second[p/b]"] == #"succeeded {"id":"p/b"}"#)
    #expect(report.summary.requests == 6 && report.summary.failed == 0)
  }

  @Test func `a group that first reached no item is reported by its items alone`() throws {
    let workflow = try workflow(requests: [
      "list: {get: l, retry: false}",
      "each: {for_each: \"{result=list:$.id}\", key: \"{item}\", get: \"{item}\"}",
      "after: {get: me, depends_on: [each]}",
    ])
    var first = try Simulation(workflow)
    first.callFault = answers(refusing: "l")
    #expect(try first.run()?.exitCode == 1)
    var second = try Simulation(workflow, replaying: first.events)
    second.answering(["l": #"{"id":["u","v"]}"#])

    #expect(try second.run()?.exitCode == 0)

    let report = Report(of: first.events + second.events)
    #expect(Set(found(report).keys) == ["list", "each[u]", "each[v]", "after"])
    #expect(report.summary.skipped == 0)
  }

  @Test func `items that may have been sent are in doubt although their list cannot be read`()
    throws
  {
    let workflow = try workflow(
      """
      graphflow: 1
      requests:
        list: {get: x, retry: false}
        post: {for_each: "{result=list:$.ids}", post: "{item}"}
      """)
    let start = try Simulation(workflow).state.runStart()
    let events: [RunEvent] = [.runStarted(start), .endLost(Simulation.startedAt)]
    var run = try Simulation(workflow, replaying: events)
    run.callFault = answers(refusing: "x")

    #expect(try run.run()?.exitCode == 3)
    #expect(run.statuses["post"] == .inDoubt)

    // After a person's decision it is an ordinary failure.
    let decision = DoubtDecision(request: 1, item: nil, finding: .notApplied)
    var second = try Simulation(workflow, replaying: events + run.events, decisions: [decision])
    second.callFault = answers(refusing: "x")
    #expect(try second.run()?.exitCode == 1)
  }

  @Test func `items with a missing end are in doubt even if the process reaches none of them`()
    throws
  {
    let workflow = try workflow(requests: [
      "post: {for_each: [a, b], key: \"{item}\", post: \"{item}\", retry: false}"
    ])
    var first = try Simulation(workflow)
    first.callFault = answers(refusing: "ab")
    _ = try first.run()
    var state = try Simulation(workflow).state
    var replay = state.beginReplay()
    for event in first.events { replay.record(event) }
    state.resume(after: replay, hasLostEnd: true, at: .seconds(60))
    // The run is killed here.
    let events = first.events + state.takeEvents()

    #expect(found(Report(of: events)) == ["post[a]": "in_doubt -", "post[b]": "in_doubt -"])
    var second = try Simulation(workflow, replaying: events)
    #expect(try second.run()?.exitCode == 3)
    #expect(second.sent == [])
  }

  /// The file has changed: another request is sent first for each item.
  @Test func `a list keeps its keys when a request is put before the others`() throws {
    let old = Self.feeding.replacing("post: {for_each", with: "g: {for_each")
      .replacing("post: \"{item}\", retry: false}", with: "requests: {post: {post: \"{item}\"}}}")
    let new = old.replacing("requests: {post:", with: "requests: {first: {get: x}, post:")
    var first = try Simulation(workflow(old))
    first.callFault = answers(refusing: "b")
    _ = try first.run()
    let changed = try Simulation(workflow(new)).state.runStart()
    let events = RunHistory(first.events + [.runStarted(changed)])
    var second = try Simulation(
      workflow(new), replaying: events.events(ofFirst: changed.requests.count))
    second.callFault = answers(refusing: "")

    _ = try second.run()

    #expect(second.sent.filter { $0.hasPrefix("POST") } == ["POST b"])
  }

  @Test func `a session that ends before it reaches the items reports their results`() throws {
    let workflow = try workflow(
      """
      graphflow: 1
      requests:
        first: {get: me, idempotent: true}
        read: {for_each: "{result=first:$.ids}", get: "{item}"}
      """)
    var first = try Simulation(workflow)
    first.callFault = { call in
      guard call.operations[0].path == "me" else { return nil }
      return .answered(
        .items([.ok(["ids": ["a", "b"], "access_token": "EAAtoken"])]),
        CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
    #expect(try first.run(killedAtCall: 2) == nil)
    // The list held a token, so it is requested again, and a signal comes before that.
    var second = try Simulation(workflow, replaying: first.events)
    second.state.cancel(exitCode: 143)

    #expect(try second.run()?.exitCode == 143)

    let report = Report(of: first.events + second.events)
    let items = report.requests.filter { $0.item != nil }
    #expect(items.map(\.status) == [.cancelled, .cancelled])
  }

  @Test func `a failed item that is no longer in the source is cancelled with a reason`() throws {
    let workflow = try workflow(Self.rows)
    var first = try Simulation(workflow, inputs: rows("abc"))
    first.callFault = answers(refusing: "b")
    _ = try first.run()
    var second = try Simulation(workflow, inputs: rows("ca"), replaying: first.events)

    let end = try second.run()

    let report = Report(of: first.events + second.events)
    #expect(end?.status == .succeeded && report.exitCode == 0)
    #expect(report.summary.failed == 0 && report.summary.cancelled == 1)
    #expect(second.outcomes["read[b]"]?.failure?.error.message == "no")
    // It is reported once.
    var third = try Simulation(
      workflow, inputs: rows("ca"), replaying: first.events + second.events)
    _ = try third.run()
    #expect(third.outcomes.isEmpty)
  }

  @Test func `an item that took effect and failed counts although its row is gone`() throws {
    let workflow = try workflow(
      """
      graphflow: 1
      inputs: {rows: list}
      requests:
        post:
          for_each: "{input=rows}"
          key: "{item}"
          post: me/feed
          params: {message: "{item}"}
          expect: ["$.id == 'never'"]
      """)
    var first = try Simulation(workflow, inputs: rows("ab"))
    #expect(try first.run()?.exitCode == 1)
    var second = try Simulation(workflow, inputs: rows("b"), replaying: first.events)

    let end = try second.run()

    #expect(second.calls.isEmpty)
    #expect(end?.exitCode == 1)
    #expect(Report(of: first.events + second.events).summary.failed == 2)
  }

  @Test func `an item with the key of another is not mixed up with it on resume`() throws {
    let workflow = try workflow(requests: [
      "list: {get: l}",
      "each: {for_each: \"{result=list:$.id}\", key: \"{item}\", post: p, params: {m: \"{item}\"}}",
    ])
    var first = try Simulation(workflow)
    first.callFault = { call in
      call.operations[0].path == "l"
        ? .answered(
          .items([.ok(["id": ["u", "u", ""]])]),
          CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
        : .failed(TransportFailure(kind: .connectionLost, message: "lost"))
    }
    #expect(try first.run()?.exitCode == 3)
    #expect(first.statuses["each[u]"] == .inDoubt)
    #expect(first.statuses["each[#1]"] == .failed && first.statuses["each[#2]"] == .failed)

    var second = try Simulation(workflow, replaying: first.events)
    let end = try second.run()

    #expect(second.calls.isEmpty)
    #expect(end?.exitCode == 3)
  }
}
