import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// Requests that are sent once for each item.
struct GroupTests {
  static let publish = """
    graphflow: 1
    inputs:
      rows: {type: list, default: []}
    requests:
      publish:
        for_each: "{input=rows}"
        key: "{item=$.sku}"
        requests:
          post: {post: me/feed, params: {message: "{item=$.text}"}}
          verify: {get: "{result=post:$.id}", expect: ["$.message == {item=$.text}"]}
    outputs: {ids: "{result=publish.post:$[*].id}"}
    """

  static func rows(_ count: Int) -> (name: String, value: String) {
    let rows = (0..<count).map { #"{"sku":"s\#($0)","text":"text \#($0)"}"# }
    return ("rows", "[\(rows.joined(separator: ","))]")
  }

  @Test func `a completed item is never packed`() throws {
    var run = try Simulation(workflow(requests: ["g: {for_each: [1, 2], get: me}"]))
    #expect(try run.run()?.status == .succeeded)

    run.state.progress.offer(0)
    run.state.pack()

    #expect(run.state.queue.isEmpty)
  }

  @Test func `each item gets an instance, in as few calls as possible`() throws {
    var run = try Simulation(workflow(Self.publish), inputs: [Self.rows(60)])

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.calls.map(\.operations.count) == [50, 50, 20])
    #expect(end?.callsLowerBound == 3)
    #expect(run.outcomes.count == 120)
    #expect(run.outcomes["publish.post[s7]"]?.status == .succeeded)
    #expect(run.outcomes["publish.verify[s59]"]?.resolvedPath != nil)
    #expect(Set(run.graph.objects.values) == Set((0..<60).map { "text \($0)" }))
    #expect(end?.outputs["ids"]?.array?.count == 60)
  }

  @Test func `an output over no items is an empty list`() throws {
    var run = try Simulation(workflow(Self.publish), inputs: [Self.rows(0)])

    let end = try run.run()

    #expect(end?.status == .succeeded && run.calls.isEmpty)
    #expect(end?.outputs["ids"] == [])
  }

  @Test func `a completed item is never sent again, whatever was planned`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          each:
            for_each: [a, b]
            key: "{item}"
            requests:
              write:
                post: me/feed
                params: {message: "{item}"}
                confirm:
                  get: me/feed
                  params: {fields: "id,message,created_time"}
                  when: "$.data[?@.message == {item}]"
              ready: {get: "r{item}", until: {check: "$.id", within: 5s}}
              last: {get: last, params: {of: "for-{item}"}, depends_on: [ready]}
        """))
    // The write of `a` is lost and checked while the others continue; `b` fails.
    run.graph.lag = { _ in .seconds(20) }
    run.graph.fault = { operation, _ in
      if operation.path == "rb" { return .error(.invalidParameter, status: 400) }
      return operation.method == .post && operation.parameters.contains { $0.value == "a" }
        ? .appliedButNull : nil
    }

    _ = try run.run()

    let sent = run.calls.flatMap(\.operations).filter { $0.path == "last" }
    #expect(sent.flatMap { $0.parameters.map(\.value) } == ["for-a"])
    #expect(run.statuses["each.last[b]"] == .skipped)
    #expect(run.statuses["each.write[a]"] == .succeeded)
  }

  @Test func `references inside a batch name their own item`() throws {
    var run = try Simulation(workflow(Self.publish), inputs: [Self.rows(3)])

    _ = try run.run()

    let operations = run.calls[0].operations
    #expect(
      operations.compactMap(\.name) == ["publish.post.0", "publish.post.1", "publish.post.2"])
    #expect(
      operations.filter { $0.method == .get }.map(\.path)
        == (0..<3).map { "{result=publish.post.\($0):$.id}" })
  }

  @Test func `only a window of items is open at a time`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          read: {get: "{item=$.id}", for_each: {file: rows.jsonl}}
        """))
    run.items = [0: (0..<5000).map { ["id": .string("x\($0)")] }]
    var killed = run
    #expect(try killed.run(killedAtCall: 1) == nil)

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(run.calls.count == 100)
    #expect(killed.items[0]?.count == 4200, "a step of items is open, and more were read")
    #expect(run.graph.ledger.count == 5000 && Set(run.graph.ledger).count == 5000)
  }

  @Test func `a request outside a group waits for all items and has their bodies`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          each: {get: "{item}", for_each: [x1, x2, x3], when: "{index} > 0"}
          after: {get: me, params: {ids: "{result=each:$[*].id}"}}
        """))

    let end = try run.run()

    #expect(run.statuses["each[0]"] == .skipped)
    #expect(run.calls.map { $0.operations.map(\.path) } == [["x2", "x3"], ["me"]])
    #expect(run.calls[1].operations[0].parameters.map(\.value) == ["x2,x3"])
    #expect(end?.status == .succeeded)
  }

  @Test func `a failed item does not affect the others`() throws {
    var run = try Simulation(workflow(Self.publish), inputs: [Self.rows(5)])
    run.graph.fault = { operation, _ in
      operation.parameters.first?.value == "text 2" ? .error(.invalidParameter, status: 400) : nil
    }

    let end = try run.run()

    #expect(run.statuses["publish.post[s2]"] == .failed)
    #expect(run.statuses["publish.verify[s2]"] == .skipped)
    #expect(run.statuses.values.filter { $0 == .succeeded }.count == 8)
    #expect(end?.exitCode == 1)
    #expect(end?.outputs["ids"]?.array?.count == 4)
  }

  @Test func `too many failures keep new items from starting`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          read: {get: "{item=$.id}", for_each: {file: rows.jsonl}, max_failures: 10}
        """))
    run.items = [0: (0..<5000).map { ["id": .string("x\($0)")] }]
    run.graph.fault = { _, _ in .error(.invalidParameter, status: 400) }

    let end = try run.run()

    #expect(run.graph.ledger.isEmpty)
    // Two batches are sent before the first answer.
    #expect(run.calls.count == 2)
    #expect(run.statuses.values.filter { $0 == .skipped }.count == 4900)
    #expect(run.outcomes["read[4999]"]?.skipReason == .stopped)
    #expect(end?.exitCode == 1)
  }

  @Test func `a failure on the way to Graph keeps the rest of its batch from being sent`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          each:
            for_each: [a, b, c]
            max_failures: 1
            requests:
              bad: {get: "{item}", token: dead}
              good: {get: "{item}"}
        """))
    run.giving(["dead": [nil]])

    let end = try run.run()

    #expect(run.graph.ledger.isEmpty)
    #expect(run.statuses["each.bad[0]"] == .failed)
    #expect(end?.exitCode == 77)
  }

  @Test func `items of a result with the same key fail`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          feed: {get: me/feed}
          each: {get: x, for_each: "{result=feed:$['id','id']}", key: "{item}"}
        """))

    _ = try run.run()

    #expect(
      run.events.contains { event in
        if case .requestEnded(let end) = event { end.failure?.reason == .duplicate } else { false }
      })
  }

  @Test func `a group without items is completed at once`() throws {
    var run = try Simulation(workflow(Self.publish))

    let end = try run.run()

    #expect(run.calls.isEmpty)
    #expect(end?.status == .succeeded && end?.outputs["ids"] != nil)
  }

  @Test func `a group whose source is a group without items has none, either`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          lists: {for_each: [], get: "{item}/comments"}
          comments: {for_each: "{result=lists:$[*].data[*] | []}", get: "{item=$.id}"}
          after: {get: me, depends_on: [comments]}
        outputs: {ids: "{result=comments:$[*].id}"}
        """))

    let end = try run.run()

    #expect(end?.status == .succeeded && end?.outputs["ids"] == [])
    #expect(run.statuses == ["after": .succeeded])
  }

  @Test func `a group whose items were all skipped by their condition is success for dependents`()
    throws
  {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          first: {for_each: [1, 2], when: "{item} > 5", get: "{item}"}
          second: {for_each: "{result=first:$[*].id | []}", get: "{item}"}
          both:
            for_each: [a]
            requests:
              read: {get: "{item}"}
              more: {get: more, when: "{item} == 'b'"}
          third: {for_each: "{result=both.more:$[*].id}", get: "{item}"}
          after: {get: me, depends_on: [first]}
        """))

    let end = try run.run()

    #expect(run.calls.flatMap(\.operations).map(\.path) == ["a"])
    #expect(run.outcomes["second"]?.skipReason == .dependency)
    #expect(run.outcomes["third"]?.skipReason == .dependency)
    #expect(run.outcomes["after"]?.skipReason == .dependency)
    #expect(end?.status == .succeeded && end?.exitCode == 0)
  }

  @Test func `a group with skipped and failed items is no success for dependents`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          first:
            for_each: [1, 2]
            when: "{item} > 1"
            get: "{item}"
            permissions: [pages_show_list]
          second: {for_each: "{result=first:$[*].id}", get: "{item}"}
        """))
    run.graph.permissions = [:]

    let end = try run.run()

    #expect(run.outcomes["second"]?.countsAsSuccess == false)
    #expect(end?.exitCode == 77)
  }

  @Test func `a group with a failed source is skipped as a whole`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          feed: {get: me/feed}
          each: {get: "{item}", for_each: "{result=feed:$.*}"}
          after: {get: me, depends_on: [each]}
        """))
    run.graph.fault = { operation, _ in
      operation.path == "me/feed" ? .error(.invalidParameter, status: 400) : nil
    }

    _ = try run.run()

    #expect(run.statuses == ["feed": .failed, "each": .skipped, "after": .skipped])
  }

  @Test(arguments: 1...6)
  func `a killed run continues with the unfinished items`(_ call: Int) throws {
    let workflow = try workflow(Self.publish)
    let options = RunOptions(limits: BatchLimits(width: 7))
    var first = try Simulation(workflow, inputs: [Self.rows(25)], options: options)
    #expect(try first.run(killedAtCall: call) == nil)

    var second = try Simulation(
      workflow, inputs: [Self.rows(25)], options: options, replaying: first.events)
    second.graph = first.graph
    let end = try second.run()

    let messages = second.graph.objects.values
    #expect(Set(messages).count == messages.count)
    let doubtful = (first.events + second.events).compactMap { event -> String? in
      guard case .requestEnded(let end) = event, end.status == .inDoubt else { return nil }
      return end.item?.key
    }
    #expect(messages.count + doubtful.count == 25)
    #expect(end?.exitCode == (doubtful.isEmpty ? 0 : 3))
  }

  @Test func `inserted rows are new items, and known ones stay`() throws {
    let workflow = try workflow(Self.publish)
    var first = try Simulation(workflow, inputs: [Self.rows(3)])
    _ = try first.run()
    let rows = #"[{"sku":"new","text":"new"},{"sku":"s1","text":"text 1"}]"#

    var second = try Simulation(workflow, inputs: [("rows", rows)], replaying: first.events)
    let end = try second.run()

    #expect(second.graph.ledger == ["POST me/feed", "GET id1"])
    #expect(second.graph.objects == ["id1": "new"])
    #expect(end?.status == .succeeded)
  }
}
