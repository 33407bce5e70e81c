import GraphAPI
import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

/// Rows of answers with several pages are handed over page by page, and written when their item ends.
struct PagedRowsTests {
  private static let flow = """
    graphflow: 1
    requests:
      list:
        for_each: [a, b, c]
        key: "{item}"
        get: "{item}"
        paginate: true
        retry: {initial_delay: 1s, jitter: none, max_attempts: 2}
        KEYS
    outputs:
      rows:
        each: list
        rows: "{result=list:QUERY}"
        columns: {id: "{row=$.id}", from: "{item}"}
        FILE

    """

  private func flow(
    _ keys: String = "", query: String = "$.data[*]", file: String = ""
  ) throws
    -> Workflow
  {
    try workflow(
      Self.flow.replacing("KEYS", with: keys).replacing("QUERY", with: query)
        .replacing("FILE", with: file))
  }

  /// Answers with three pages of two rows, unless `failure` has an error for a page of an item.
  private func answer(
    _ run: inout Simulation,
    failure: @escaping (_ item: String, _ page: Int) -> GraphError? = { _, _ in nil }
  ) {
    run.callFault = { call in
      let answers = call.operations.map { operation -> OperationAnswer in
        let page = operation.parameters.first { $0.name == "after" }.flatMap { Int($0.value) } ?? 1
        if let error = failure(operation.path, page) { return .error(error, 400) }
        let rows: [JSON] = [1, 2].map { ["id": .string("\(operation.path)\(page).\($0)")] }
        let next: JSON = ["next": .string("https://x/\(operation.path)?after=\(page + 1)")]
        return .ok(
          page < 3 ? ["data": .array(rows), "paging": next] : ["data": .array(rows)])
      }
      return .answered(.items(answers), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
  }

  private static func ids(_ item: String) -> [String] {
    [1, 2, 3].flatMap { page in [1, 2].map { "\(item)\(page).\($0)" } }
  }

  private func ids(_ rows: [JSON]) -> [String] { rows.compactMap { $0["id"]?.string } }

  /// The largest number of rows of one part.
  private func largestPart(_ run: Simulation) -> Int {
    run.parts.map { part in
      switch part {
      case .rows(_, let rows), .held(_, _, let rows): rows.count
      case .file(let item): item.rows.count
      case .released, .dropped, .window: 0
      }
    }.max() ?? 0
  }

  @Test(arguments: ["", "omit_response: true"])
  func `pages are handed over one by one, and the rows are in the order of the items`(
    _ keys: String
  ) throws {
    var run = try Simulation(flow(keys))
    answer(&run)

    let end = try #require(try run.run())

    #expect(end.outputs == ["rows": ["rows": 18]])
    #expect(ids(run.rows.map(\.value)) == ["a", "b", "c"].flatMap(Self.ids))
    #expect(largestPart(run) == 2 && run.parts.heldCount == 0)
    let bodies = run.outcomes.values.compactMap(\.body)
    #expect(bodies.count == (keys.isEmpty ? 3 : 0))
    #expect(try bodies.allSatisfy { try JSON(parsing: $0)["data"]?.array?.count == 6 })
  }

  @Test func `the files of items have the rows of all their pages`() throws {
    var run = try Simulation(flow("omit_response: true", file: "file: \"out/{item}.csv\""))
    answer(&run)

    let end = try #require(try run.run())

    #expect(end.outputs == ["rows": ["rows": 18, "files": 3]])
    let files = run.parts.files.mapValues(ids)
    #expect(
      files == ["out/a.csv": Self.ids("a"), "out/b.csv": Self.ids("b"), "out/c.csv": Self.ids("c")])
    #expect(largestPart(run) == 2 && run.parts.heldCount == 0)
  }

  @Test func `a page that is read again has its rows once`() throws {
    var failures = 1
    var run = try Simulation(flow("omit_response: true"))
    answer(&run) { item, page in
      guard item == "b", page == 2, failures > 0 else { return nil }
      failures -= 1
      return GraphError(message: "wait", code: 2)
    }

    #expect(try run.run()?.outputs == ["rows": ["rows": 18]])
    #expect(failures == 0 && ids(run.rows.map(\.value)) == ["a", "b", "c"].flatMap(Self.ids))
  }

  @Test func `the rows of an item that fails at a later page are dropped`() throws {
    let error = GraphError(message: "no", code: 100)
    func failure(_ item: String, _ page: Int) -> GraphError? {
      item == "b" && page == 3 ? error : nil
    }
    var ignoring = try Simulation(flow("omit_response: true\n    on_error: ignore"))
    answer(&ignoring, failure: failure)
    #expect(try ignoring.run()?.outputs == ["rows": ["rows": 12]])
    #expect(ids(ignoring.rows.map(\.value)) == ["a", "c"].flatMap(Self.ids))
    #expect(ignoring.parts.heldCount == 0)

    var failing = try Simulation(flow())
    answer(&failing, failure: failure)
    #expect(try failing.run()?.outputs == ["rows": .null])
    #expect(failing.parts.heldCount == 0)

    var filed = try Simulation(flow(file: "file: \"out/{item}.csv\""))
    answer(&filed, failure: failure)
    #expect(try filed.run()?.outputs == ["rows": ["rows": 12, "files": 2, "missing": 1]])
    #expect(filed.parts.files.keys.sorted() == ["out/a.csv", "out/c.csv"])
    #expect(filed.parts.heldCount == 0)
  }

  @Test func `a broken link gives up the rows that were read`() throws {
    var failures = 1
    var run = try Simulation(flow("omit_response: true"))
    answer(&run)
    let answers = run.callFault
    run.callFault = { call in
      guard case .answered(.items(var items), let facts) = answers(call) else { return nil }
      for (index, operation) in call.operations.enumerated()
      where operation.path == "c" && failures > 0
        && operation.parameters.contains(where: { $0.value == "2" })
      {
        failures -= 1
        items[index] = .ok(["data": [["id": "c2.1"]], "paging": ["next": "nowhere"]])
      }
      return .answered(.items(items), facts)
    }

    let end = try #require(try run.run())
    let expected = failures == 0 && end.status == .succeeded ? ["a", "b", "c"] : []
    #expect(ids(run.rows.map(\.value)) == expected.flatMap(Self.ids))
    #expect(run.parts.heldCount == 0)
  }

  @Test(arguments: ["$.data", "$.data[?@.id != 'x']", "$.data[0:4]", "$..data[*]"])
  func `a query that may need the whole answer gets it`(_ query: String) throws {
    var run = try Simulation(flow("omit_response: true", query: query))
    answer(&run)

    let count = query.contains(":4") ? 4 : 6
    #expect(try run.run()?.outputs == ["rows": ["rows": .number(JSON.Number(3 * count))]])
    #expect(largestPart(run) == count)
    let all = ["a", "b", "c"].flatMap { Self.ids($0).prefix(count) }
    #expect(ids(run.rows.map(\.value)) == all)
  }

  @Test func `limits of pages and expectations hold for the whole answer`() throws {
    for keys in ["paginate: {max_items: 3}", "paginate: {max_pages: 2}"] {
      let file = try workflow(
        Self.flow.replacing("paginate: true", with: keys).replacing("KEYS", with: "")
          .replacing("QUERY", with: "$.data[*]").replacing("FILE", with: ""))
      var run = try Simulation(file)
      answer(&run)
      let count = keys.contains("items") ? 3 : 4
      #expect(try run.run()?.outputs == ["rows": ["rows": .number(JSON.Number(3 * count))]])
    }
    var run = try Simulation(flow("expect: [\"$.data[5].id != 'b3.2'\"]\n    omit_response: true"))
    answer(&run)
    #expect(try run.run()?.outputs == ["rows": .null])
    #expect(run.outcomes.values.count { $0.status == .failed } == 1)
  }

  @Test func `another request of the item sees the whole answer`() throws {
    let file = try workflow(
      """
      graphflow: 1
      requests:
        group:
          for_each: [a, b]
          key: "{item}"
          requests:
            list: {get: "{item}", paginate: true, omit_response: true}
            last: {get: "{result=list:$.data[5].id}", paginate: true}
      outputs:
        rows: {each: group.list, rows: "{result=list:$.data[*]}", columns: {id: "{row=$.id}"}}
      """)
    var run = try Simulation(file)
    answer(&run)
    #expect(try run.run()?.outputs == ["rows": ["rows": 12]])
    #expect(run.sent.contains { $0.hasPrefix("GET b3.2") })
  }

  @Test(arguments: ["", "omit_response: true"], 1...3)
  func `a run that was killed between pages has the same rows when it is resumed`(
    _ keys: String, _ call: Int
  ) throws {
    var first = try Simulation(flow(keys))
    answer(&first)
    _ = try first.run(killedAtCall: call)
    var second = try Simulation(flow(keys), replaying: first.events)
    answer(&second)
    #expect(try second.run()?.outputs == ["rows": ["rows": 18]])
    #expect(ids(second.rows.map(\.value)) == ["a", "b", "c"].flatMap(Self.ids))
    #expect(second.parts.heldCount == 0)
  }

  @Test func `a read that is divided has the rows of its parts, and none of before`() throws {
    let file = try workflow(
      Self.flow.replacing("KEYS", with: "params: {fields: \"x,y\"}\n    split: [fields]")
        .replacing("QUERY", with: "$.data[*]").replacing("FILE", with: ""))
    var run = try Simulation(file)
    let tooMuch = GraphError(message: "too much", code: 100, subcode: 1_487_534)
    run.callFault = { call in
      let answers = call.operations.map { operation -> OperationAnswer in
        let fields = operation.parameters.first { $0.name == "fields" }?.value ?? ""
        let isSecond = operation.parameters.contains { $0.name == "after" }
        if fields == "x,y", isSecond { return .error(tooMuch, 400) }
        let row: JSON = ["id": .string("\(operation.path) \(isSecond ? 2 : 1)")]
        let next: JSON = ["next": "https://x/i?after=2"]
        return .ok(isSecond ? ["data": [row]] : ["data": [row], "paging": next])
      }
      return .answered(.items(answers), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(
      Set(ids(run.rows.map(\.value))) == Set(["a", "b", "c"].flatMap { ["\($0) 1", "\($0) 2"] }))
    #expect(run.parts.heldCount == 0)
  }
}
