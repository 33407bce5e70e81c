import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// What is new since the last read: from which second on, and what of it was listed before.
struct NewsTests {
  /// The posts of each page and their comments, the newest first.
  typealias Edges = [String: [(id: String, time: Int)]]

  /// 2025-11-20T09:00:00Z, when every run starts.
  static let now = Int(Simulation.startedAt.milliseconds / 1000)

  private static let posts = [
    ("p4", now - 600), ("p3", now - 2400), ("p2", now - 86_400), ("p1", now - 20 * 86_400),
  ]

  static func file(
    _ edge: String = "posts", params: String = "since: \"{item=$.start}\"", state: String = "{}",
    omits: Bool = false
  ) -> String {
    """
    graphflow: 1
    requests:
      source: {get: source, batch: alone}
      list:
        for_each:
          windows: new
          of: "{result=source:$.data}"
          since: 2025-11-10
          state: \(state)
        key: "{item=$.id}"
        requests:
          edge:
            get: "{item=$.id}/\(edge)"
            params: {limit: 2, \(params)}
            batch: alone
            paginate: true
            omit_response: \(omits)
          after: {get: "{item=$.id}", depends_on: [edge], batch: alone}
    outputs:
      rows:
        each: list.edge
        rows: "{result=edge:$.data[*]}"
        columns: {id: "{row=$.id}"}
        file: "out/{item=$.id}/{item=$.end}.jsonl"

    """
  }

  private static func bookmark(
    _ element: String, _ since: String, _ until: String, isFinished: Bool = true,
    listed: [String] = []
  ) -> Bookmark {
    Bookmark(
      Bookmark.Window(element: element, since: since, until: until), isFinished: isFinished,
      listed: ["edge": listed])
  }

  /// The read that started an hour before.
  private static func lastRead(listed: [String]) -> Bookmark {
    bookmark("a", "2025-11-10T00:00:00Z", "2025-11-20T08:00:00Z", listed: listed)
  }

  /// Answers as Graph does: `since`, `order`, pages of `limit`, and a failure for one path; its clock
  /// may be ahead of the run's.
  static func server(
    _ edges: Edges, source: String = #"["a"]"#, failing: String? = nil, ahead: Int = 0
  ) -> (Call) -> CallResult? {
    { call in
      let answers = call.operations.map { operation -> OperationAnswer in
        func value(_ name: String) -> String? {
          operation.parameters.last { $0.name == name }?.value
        }
        if operation.path == failing { return .error(GraphError(message: "no", code: 100), 400) }
        if operation.path == "source" {
          return .response(
            OperationResponse(
              code: 200, body: ResponseBody(Array(#"{"data": \#(source)}"#.utf8))))
        }
        guard let nodes = edges[operation.path] else { return .ok(["id": .string(operation.path)]) }
        let since = value("since").flatMap { Int($0) }.map { $0 + ahead } ?? 0
        var list = nodes.filter { $0.time >= since }
        if value("order") == "chronological" { list.reverse() }
        let first = value("after").flatMap { Int($0) } ?? 0
        let page = list.dropFirst(first).prefix(2)
        let link = "https://graph.facebook.com/v25.0/x?limit=2&after=\(first + 2)"
        return .ok([
          "data": .array(page.map { ["id": .string($0.id)] }),
          "paging": first + 2 < list.count ? ["next": .string(link)] : [:],
        ])
      }
      return .answered(.items(answers), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
  }

  struct Night {
    var sent: [String]
    var rows: [String: [String]] = [:]
    var bookmarks: [Bookmark] = []

    init(_ runs: [Simulation]) {
      sent = runs.flatMap(\.sent).filter { $0.contains("/") }
      for part in runs.flatMap(\.parts) {
        switch part {
        case .file(let file): rows[file.path] = file.rows.compactMap { $0["id"]?.string }
        case .window(_, let bookmark): bookmarks.append(bookmark)
        case .rows, .held, .released, .dropped: break
        }
      }
    }
  }

  private func night(
    _ text: String = file(), _ edges: Edges = ["a/posts": posts], failing: String? = nil,
    after bookmarks: [Bookmark] = [], _ reprocessing: WindowSelection.Reprocessing = .failed
  ) throws -> Night {
    var options = RunOptions()
    options.windows.reprocessing = reprocessing
    options.windows.isNewestFirst = true
    var run = try Simulation(workflow(text), options: options, bookmarks: bookmarks)
    run.callFault = Self.server(edges, failing: failing)
    _ = try run.run()
    return Night([run])
  }

  @Test func `the first read begins with the day of since`() throws {
    let night = try night()
    #expect(night.sent[0] == "GET a/posts limit=2 since=1762732800", "\(night.sent)")
    #expect(night.rows == ["out/a/\(Self.now).jsonl": ["p4", "p3", "p2"]])
    let listed = ["p4", "p3", "p2"]
    let read = Self.bookmark("a", "2025-11-10T00:00:00Z", "2025-11-20T09:00:00Z", listed: listed)
    #expect(night.bookmarks == [read])
  }

  @Test(arguments: [("{}", 3600), ("{lookback: 0s}", 0), ("{lookback: 20m}", 1200)])
  func `the next one begins with the start of the last one, and leaves out what that listed`(
    _ state: String, _ lookback: Int
  ) throws {
    let night = try night(
      Self.file(state: state), after: [Self.lastRead(listed: ["p3", "p2"])])
    let since = Self.now - 3600 - lookback
    #expect(night.sent[0] == "GET a/posts limit=2 since=\(since)", "\(night.sent)")
    #expect(night.rows == ["out/a/\(Self.now).jsonl": ["p4"]])
    #expect(night.bookmarks.map(\.listed) == [["edge": ["p4", "p3", "p2"]]])
    #expect(night.bookmarks[0].window.until == "2025-11-20T09:00:00Z")
  }

  private static let comments: Edges = [
    "a/comments": (1...9).reversed().map { ("c\($0)", now - 86_400 + $0) }
  ]

  @Test(arguments: [("reverse_chronological", 3), ("chronological", 5), ("ranked", 5)])
  func `the pages end where all is known if the newest come first`(
    _ order: String, _ calls: Int
  ) throws {
    let known = (1...6).reversed().map { "c\($0)" }
    let night = try night(
      Self.file("comments", params: "order: \(order)"), Self.comments,
      after: [Self.lastRead(listed: known)])
    #expect(night.sent.count == calls, "\(night.sent)")
    let rows = night.rows.values.flatMap(\.self)
    #expect(rows.sorted() == ["c7", "c8", "c9"], "\(night.rows)")
  }

  @Test func `a read that has failed loses nothing`() throws {
    let last = Self.lastRead(listed: ["p2"])
    let failed = try night(failing: "a", after: [last])
    #expect(failed.rows.isEmpty)
    #expect(failed.bookmarks.map(\.isFinished) == [false])
    #expect(failed.bookmarks[0].window.since == "2025-11-20T07:00:00Z")

    var earlier = failed.bookmarks[0].window
    earlier = Bookmark.Window(
      element: "a", since: earlier.since, until: "2025-11-20T08:30:00Z")
    let next = try night(after: [last, Bookmark(earlier, isFinished: false)])
    #expect(next.rows == ["out/a/\(Self.now).jsonl": ["p4", "p3"]])
    #expect(next.bookmarks[0].window.since == "2025-11-20T07:00:00Z")
  }

  @Test(arguments: [(false, true), (true, true), (true, false)])
  func `a run that is killed and continued has the files and bookmarks of one that was not`(
    _ omits: Bool, _ hasRows: Bool
  ) throws {
    let text = Self.file("comments", params: "order: chronological", omits: omits)
    let file = try workflow(
      hasRows ? text : String(text.split(separator: "outputs:")[0]))
    let edges: Edges = ["a/comments": Self.comments["a/comments"] ?? [], "b/comments": Self.posts]
    let known = [
      Self.lastRead(listed: ["c2", "c3"]),
      Self.bookmark("b", "2025-11-10T00:00:00Z", "2025-11-20T08:00:00Z", listed: ["p1"]),
    ]
    func simulation(after events: [RunEvent] = []) throws -> Simulation {
      var run = try Simulation(file, replaying: events, bookmarks: known)
      run.callFault = Self.server(edges, source: #"["a", "b"]"#)
      return run
    }
    var whole = try simulation()
    _ = try whole.run()
    let expected = Night([whole])
    #expect(expected.rows.count == (hasRows ? 2 : 0) && expected.bookmarks.count == 2)
    for limit in 1...whole.calls.count {
      var first = try simulation()
      _ = try first.run(killedAtCall: limit)
      var second = try simulation(after: first.events)
      _ = try second.run()
      let both = Night([first, second])
      #expect(both.rows == expected.rows, "\(limit)")
      for bookmark in expected.bookmarks {
        #expect(both.bookmarks.contains(bookmark), "\(limit) \(both.bookmarks)")
      }
      #expect(Set(both.bookmarks) == Set(expected.bookmarks), "\(limit)")
    }
  }

  @Test func `what a later run has read, or one of the same second, is not read again`() throws {
    for time in ["2025-11-20T09:00:00Z", "2025-11-20T09:10:00Z"] {
      let later = Self.bookmark("a", "2025-11-10T00:00:00Z", time)
      #expect(try night(after: [later]).sent.isEmpty)
    }
  }

  @Test func `reprocess all begins with since again, and leaves nothing out`() throws {
    let last = Self.lastRead(listed: ["p3", "p2"])
    let night = try night(after: [last], .all)
    #expect(night.sent[0].hasSuffix("since=1762732800"))
    #expect(night.rows.values.first == ["p4", "p3", "p2"])
    #expect(try self.night(after: [last], .none).rows.values.first == ["p4"])
  }

  @Test func `the newest thousand ids are kept`() throws {
    let old = (1...1000).map { "c-\($0)" }
    let night = try night(
      Self.file("comments", params: "order: reverse_chronological"), Self.comments,
      after: [Self.lastRead(listed: old)])
    let kept = (1...9).reversed().map { "c\($0)" } + old.prefix(991)
    #expect(night.bookmarks.first?.listed == ["edge": kept])
  }

  @Test func `the state is that of the requests, whenever it begins`() throws {
    func definition(_ text: String) throws -> String {
      try workflow(text).definition(ofWindows: 0, InputValues(defaultsOf: workflow(text)))
    }
    let own = try definition(Self.file())
    #expect(try own == definition(Self.file(state: "{lookback: 5m}")))
    #expect(try own != definition(Self.file(params: "fields: id")))
  }
}
