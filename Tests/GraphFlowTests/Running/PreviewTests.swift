import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// `run --preview`: what is shown, and that exactly this is sent.
struct PreviewTests {
  private static let text = """
    graphflow: 1
    requests:
      source: {get: source, params: {fields: message}}
      post: {post: me/feed, params: {message: "{result=source:$.message}"}, idempotent: true}
      like: {post: "{result=post:$.id}/likes", idempotent: true}
      back: {get: "{result=post:$.id}"}
      comment:
        post: "{result=post:$.id}/comments"
        params: {message: "{result=back:$.message}"}
        when: "{result=back:$.message} == 'x'"
        idempotent: true
      never: {post: no, when: "{result=source:$.message} == 'no'", idempotent: true}
      remove: {delete: "{result=source:$.id}"}
    """

  /// A run against a Graph whose object `source` has a message.
  private func simulation(
    _ text: String, _ writes: WriteMode, replaying events: [RunEvent] = [],
    at now: Duration = .zero, message: String = "Hello"
  ) throws -> Simulation {
    var options = RunOptions()
    options.writes = writes
    var run = try Simulation(workflow(text), options: options, replaying: events, at: now)
    run.graph.objects["source"] = message
    return run
  }

  private func preview(of text: String) throws -> (run: Simulation, preview: WritePreview) {
    var run = try simulation(text, .shown)
    _ = try run.run()
    return (run, run.state.preview)
  }

  @Test func `a preview reads, and shows the writes with their values`() throws {
    let (run, preview) = try preview(of: Self.text)

    #expect(run.calls.flatMap(\.operations).map(\.path) == ["source"])
    #expect(
      preview.lines == [
        "post: 1 write", "  POST me/feed", "    message=Hello",
        "like: 1 write", "  POST <id of post>/likes",
        "comment: 1 write, if {result=back:$.message} == 'x'", "  POST <id of post>/comments",
        "    message={result=back:$.message}", "remove: 1 write", "  DELETE source",
      ])
    #expect(preview.count == 4 && preview.approval.count == 4)
  }

  @Test func `exactly what was shown is sent`() throws {
    let (_, preview) = try preview(of: Self.text)

    var run = try simulation(Self.text, .approved(preview.approval))
    let end = try run.run()

    #expect(end?.exitCode == 0)
    #expect(
      run.graph.ledger.filter { !$0.hasPrefix("GET") }.sorted() == [
        "DELETE source", "POST id2/likes", "POST me/feed",
      ])
    let sent = run.calls.flatMap(\.operations).filter { $0.method == .delete }
    #expect(sent.map(\.path) == ["source"], "Graph fills in no value that was shown")
  }

  @Test func `a value that changes after the preview is not sent`() throws {
    let (_, preview) = try preview(of: Self.text)

    var run = try simulation(Self.text, .approved(preview.approval), message: "Changed")
    let end = try run.run()

    #expect(end?.exitCode == 1)
    #expect(run.outcomes["post"]?.failure?.reason == .notApproved)
    #expect(run.statuses["like"] == .skipped)
    #expect(run.statuses["remove"] == .succeeded)
    #expect(run.graph.ledger.filter { $0.hasPrefix("POST") }.isEmpty)
  }

  @Test func `a write that was not shown is not sent`() throws {
    let (_, preview) = try preview(of: Self.text)

    var run = try simulation(Self.text, .approved(preview.approval), message: "no")
    _ = try run.run()

    #expect(run.outcomes["never"]?.failure?.reason == .notApproved)
    #expect(!run.graph.ledger.contains("POST no"))
  }

  @Test func `a resumed run keeps what was approved`() throws {
    let (_, preview) = try preview(of: Self.text)
    var run = try simulation(Self.text, .approved(preview.approval))
    run.graph.fault = { operation, _ in
      operation.method == .get ? nil : .error(.invalidParameter, status: 400)
    }
    #expect(try run.run()?.exitCode == 1)
    let recorded = try #require(run.events.first)
    let read = try RunEvent(kind: recorded.kind, json: recorded.json, body: nil)
    guard case .runStarted(let start) = read else {
      Issue.record("no start")
      return
    }
    #expect(start.options.writes == .approved(preview.approval))

    var changed = try simulation(
      Self.text.replacing("me/feed", with: "me/other"), start.options.writes,
      replaying: run.events, at: .seconds(100))
    _ = try changed.run()
    #expect(changed.outcomes["post"]?.failure?.reason == .notApproved)
    #expect(changed.statuses["remove"] == .succeeded)
  }

  @Test func `the items of a large group are shown as the first, the last and their number`() throws
  {
    let text = """
      graphflow: 1
      requests:
        rows:
          for_each: {file: rows.jsonl}
          key: "{item=$.n}"
          requests:
            look: {get: "{item=$.n}"}
            post: {post: me/feed, params: {message: "{result=look:$.id}"}, idempotent: true}
        after: {delete: x, depends_on: [rows]}
      """
    var options = RunOptions()
    options.writes = .shown
    var run = try Simulation(workflow(text), options: options)
    run.items[0] = (0..<25_000).map { ["n": .string("n\($0)")] }
    _ = try run.run()
    let preview = run.state.preview

    #expect(
      preview.lines == [
        "rows.post: 25000 writes", "  first: POST me/feed [n0]", "    message=n0",
        "  last: POST me/feed [n24999]", "    message=n24999", "after: 1 write", "  DELETE x",
      ])
    #expect(preview.approval.count == 25_001)
    #expect(run.calls.flatMap(\.operations).allSatisfy { $0.method == .get })
    #expect(WriteApproval(rawValue: preview.approval.rawValue) == preview.approval)
    #expect(WriteApproval(rawValue: "0") == nil)
  }

  @Test func `data cannot be taken for what the preview shows`() throws {
    var options = RunOptions()
    options.writes = .shown
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          w: {post: me/feed, idempotent: true}
          rows:
            for_each: {file: rows.jsonl}
            post: me/feed
            params: {message: "{item=$.t}{result=w:$.id}"}
            idempotent: true
        """), options: options)
    run.items[0] = ["a\nb: 1 write", "{result=w:$.id}", "a\0b"].map { ["t": .string($0)] }
    _ = try run.run()
    let preview = run.state.preview

    #expect(
      preview.lines == [
        "w: 1 write", "  POST me/feed", "rows: 2 writes", "  first: POST me/feed [0]",
        #"    message=a\nb: 1 write<id of w>"#, "  last: POST me/feed [1]",
        "    message={result=w:$.id}<id of w>",
      ])
    #expect(run.outcomes["rows[2]"]?.status == .failed)
  }

  @Test func `items that come from a write cannot be shown`() throws {
    let hidden = try workflow(requests: [
      "a: {post: x, idempotent: true}", "b: {get: \"{result=a:$.id}\"}",
      "rows: {for_each: \"{result=b:$.data}\", post: \"{item}\", idempotent: true}",
    ])
    let shown = try workflow(requests: [
      "a: {get: x}", "rows: {for_each: \"{result=a:$.data}\", post: \"{item}\", idempotent: true}",
    ])

    #expect(WritePreview.hiddenGroup(of: hidden) == "rows")
    #expect(WritePreview.hiddenGroup(of: shown) == nil)
  }
}
