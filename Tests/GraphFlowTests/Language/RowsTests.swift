import GraphAPI
import JSONPath
import TestSupport
import Testing

@testable import GraphFlow

/// Outputs with a row for each item.
struct RowsTests {
  private static let audit = """
    graphflow: 1
    requests:
      page: {get: page}
      audit:
        for_each: {file: rows.jsonl}
        key: "{item=$.id}"
        requests:
          read: {get: "{item=$.id}"}
          check: {get: "{item=$.id}-check", on_error: ignore, retry: false}
    outputs:
      posts:
        each: audit.read
        columns:
          n: "{index}"
          key: "{item=$.id}"
          page: "{result=page:$.id}"
          likes: "{result=read:$.likes}"
          check: "{result=check:$.id | none}"
          text: "likes: {result=read:$.likes | 0}"
          none: "{result=read:$.none}"
      page: "{result=page:$.id}"

    """

  private func simulation(_ count: Int) throws -> Simulation {
    var run = try Simulation(workflow(Self.audit), options: RunOptions(concurrency: 4))
    run.items = [0: items(count)]
    run.answering(failing: nil)
    return run
  }

  private func outputs(of run: inout Simulation) throws -> JSON {
    .object(try #require(try run.run()).outputs)
  }

  private func items(_ count: Int) -> [JSON] { (0..<count).map { ["id": .string("x\($0)")] } }

  @Test func `a row has the values of its item, its requests and those outside, with their types`()
    throws
  {
    var run = try simulation(2)
    run.answering(["x0": #"{"id":"x0","likes":3}"#, "x1": #"{"id":"x1","likes":[1,null]}"#])

    let shown = try outputs(of: &run)

    #expect(
      run.rows.map { $0.value.serialized() } == [
        #"{"n":0,"key":"x0","page":"page","likes":3,"check":"x0-check","text":"likes: 3","none":null}"#,
        #"{"n":1,"key":"x1","page":"page","likes":[1,null],"check":"x1-check","#
          + #""text":"likes: [1,null]","none":null}"#,
      ])
    #expect(run.rows.map(\.output) == [0, 0])
    #expect(shown == ["posts": ["rows": 2], "page": "page"])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `rows are in the order of the items, in whatever order they end`(_ seed: UInt64) throws {
    var run = try simulation(500)
    run.arrivals = Simulation.inRandomOrder(seed: seed)

    #expect(try outputs(of: &run)["posts"] == ["rows": 500])
    #expect(run.rows.map { $0.value["n"] } == (0..<500).map { .number(JSON.Number($0)) })
  }

  @Test func `an item whose request is skipped by its condition has no row`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          read: {for_each: [a, b, c], get: "{item}", when: "{item} != 'b'"}
        outputs:
          rows: {each: read, columns: {id: "{result=read:$.id}"}}

        """))
    run.answering([:])

    #expect(try outputs(of: &run) == ["rows": ["rows": 2]])
    #expect(run.rows.map(\.value) == [["id": "a"], ["id": "c"]])
  }

  @Test func `an ignored failure leaves a default, or no row`() throws {
    var run = try simulation(2)
    run.answering(failing: "x1-check")

    #expect(try outputs(of: &run)["posts"] == ["rows": 2])
    #expect(run.rows.map { $0.value["check"]?.string } == ["x0-check", "none"])
  }

  @Test func `if an item fails, the rows are incomplete until the run is resumed`() throws {
    var run = try simulation(60)
    run.answering(failing: "x7")

    #expect(try outputs(of: &run) == ["posts": .null, "page": "page"])
    #expect(run.rows.count <= 7)

    var resumed = try Simulation(
      workflow(Self.audit), replaying: run.events, at: .seconds(60))
    resumed.items = [0: items(60)]
    resumed.answering(failing: nil)
    #expect(try outputs(of: &resumed)["posts"] == ["rows": 60])
    #expect(resumed.rows.map { $0.value["key"] } == items(60).map { $0["id"] })
    #expect(resumed.sent == ["GET x7"])
  }

  @Test(arguments: 1...12)
  func `a killed run is completed with the rows of its journal`(_ call: Int) throws {
    var run = try simulation(300)
    #expect(try run.run(killedAtCall: call) == nil)

    var resumed = try Simulation(
      workflow(Self.audit), replaying: run.events, at: .seconds(60))
    resumed.items = [0: items(300)]
    resumed.answering(failing: nil)

    #expect(try outputs(of: &resumed)["posts"] == ["rows": 300])
    #expect(resumed.rows.map { $0.value["key"] } == items(300).map { $0["id"] })
    #expect(resumed.rows.allSatisfy { $0.value["page"]?.string == "page" })
  }

  @Test func `without items there are no rows, and without a source they are incomplete`() throws {
    let text = """
      graphflow: 1
      requests:
        list: {get: list}
        read: {for_each: "{result=list:$.data}", get: "{item}"}
      outputs:
        rows: {each: read, columns: {id: "{item}"}}

      """
    var empty = try Simulation(workflow(text))
    empty.answering(["list": #"{"data":[]}"#])
    #expect(try outputs(of: &empty) == ["rows": ["rows": 0]])

    var none = try Simulation(workflow(text))
    none.answering(["list": "{}"])
    #expect(try outputs(of: &none) == ["rows": .null])
  }

  @Test func `no token is in a row`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          read: {for_each: [a], get: "{item}"}
        outputs:
          rows: {each: read, columns: {all: "{result=read}", link: "{result=read:$.next}"}}

        """))
    run.answering(["a": #"{"page_token":"secret-of-a-page","next":"x?t=token-of-default"}"#])

    #expect(try outputs(of: &run) == ["rows": ["rows": 1]])
    let row = run.rows.map { $0.value.serialized() }.joined()
    #expect(!row.contains("secret-of-a-page") && !row.contains("token-of-default"))
  }

  private static let lists = """
    graphflow: 1
    requests:
      outside: {get: outside}
      read: {for_each: [x0, x1, x2], get: "{item}"}
    outputs:
      rows:
        each: read
        rows: "{result=read:SOURCE}"
        columns:
          of: "{item}"
          n: "{row=$.n}"
          all: "{row}"
          none: "{row=$.none | -}"
          name: "{result=outside:$.names[?@.n == {row=$.n}].name}"

    """

  @Test(arguments: ["$.data", "$.data[*]", "$.data[?@.n]"])
  func `an answer has a row for each element of its list`(_ source: String) throws {
    var run = try Simulation(workflow(Self.lists.replacing("SOURCE", with: source)))
    run.answering([
      "x0": #"{"data":[{"n":1},{"n":[2]}]}"#, "x1": #"{"data":[]}"#, "x2": #"{"data":[{"n":1}]}"#,
      "outside": #"{"names":[{"n":1,"name":"one"}]}"#,
    ])

    #expect(try outputs(of: &run) == ["rows": ["rows": 3]])
    #expect(
      run.rows.map { $0.value.serialized() } == [
        #"{"of":"x0","n":1,"all":{"n":1},"none":"-","name":"one"}"#,
        #"{"of":"x0","n":[2],"all":{"n":[2]},"none":"-","name":null}"#,
        #"{"of":"x2","n":1,"all":{"n":1},"none":"-","name":"one"}"#,
      ])
  }

  @Test(arguments: [
    ("$.data", nil), ("$.data | []", 2), ("$.data[*]", 2), ("$.none", nil), ("$.none | []", 0),
    ("$.none[*]", 0),
  ])
  func `an answer without a list makes the rows incomplete, without a selection it has none`(
    _ source: String, _ count: Int?
  ) throws {
    var run = try Simulation(workflow(Self.lists.replacing("SOURCE", with: source)))
    run.answering([
      "x0": #"{"data":[{"n":1},{"n":[2]}]}"#, "x1": #"{"id":"no data"}"#, "x2": #"{"data":[]}"#,
      "outside": #"{"names":[]}"#,
    ])

    let shown = try outputs(of: &run)
    #expect(shown == ["rows": count.map { ["rows": .number(JSON.Number($0))] } ?? .null])
    #expect(count == nil || run.rows.count == count)
  }

  @Test func `no token is in a row of an answer`() throws {
    var run = try Simulation(workflow(Self.lists.replacing("SOURCE", with: "$.data[*]")))
    run.answering([
      "x0": #"{"data":[{"n":"token-of-default","page_token":"secret-of-a-page"}]}"#,
      "x1": #"{"data":[]}"#, "x2": #"{"data":[]}"#, "outside": #"{"names":[]}"#,
    ])

    #expect(try outputs(of: &run) == ["rows": ["rows": 1]])
    let row = run.rows.map { $0.value.serialized() }.joined()
    #expect(!row.contains("secret-of-a-page") && !row.contains("token-of-default"), "\(row)")
  }

  @Test func `a killed run is completed with the rows of its answers`() throws {
    let workflow = try workflow(
      Self.lists.replacing("SOURCE", with: "$.data[*]").replacing(
        "get: \"{item}\"", with: "get: \"{item}\", batch: alone"))
    let answers = [
      "x0": #"{"data":[{"n":1}]}"#, "x1": #"{"data":[{"n":2},{"n":3}]}"#, "x2": #"{"data":[]}"#,
      "outside": #"{"names":[]}"#,
    ]
    for call in 1...4 {
      var first = try Simulation(workflow)
      first.answering(answers)
      _ = try first.run(killedAtCall: call)
      var second = try Simulation(workflow, replaying: first.events)
      second.answering(answers)
      #expect(try outputs(of: &second) == ["rows": ["rows": 3]])
      #expect(second.rows.compactMap { $0.value["n"]?.integer } == [1, 2, 3], "\(call)")
    }
  }

  @Test func `while the first item waits, a limited number of others is opened`() throws {
    var rows = CollectedRows(of: try workflow(Self.audit))
    #expect(rows.contains(group: 0) && rows.outputs(ofGroup: 0) == [0])
    // The items of a shard have gaps between them.
    let items = (0...9_999).map { $0 * 3 }
    for item in items {
      #expect(rows.hasPlace(forItemOf: 0))
      rows.open(item, of: 0)
    }
    #expect(!rows.hasPlace(forItemOf: 0) && rows.hasPlace(forItemOf: 1))
    func item(_ index: Int) -> ItemID { ItemID(index: index, key: "") }
    for index in items.dropFirst() { rows.add(.rows([.null]), of: item(index), to: 0) }
    let held = rows.take()
    #expect(held.heldCount == 9_999 && held.rows.isEmpty && !rows.hasPlace(forItemOf: 0))

    rows.add(.nothing, of: item(0), to: 0)
    #expect((held + rows.take()).rows.count == 9_999 && rows.summary(of: 0) == ["rows": 9_999])
    #expect(rows.hasPlace(forItemOf: 0))

    rows.add(.gap, of: item(30_000), to: 0)
    #expect(rows.summary(of: 0) == nil && rows.hasPlace(forItemOf: 0))
  }
}

extension Simulation {
  /// Answers all operations with their path as id, but refuses one.
  mutating func answering(failing path: String?) {
    callFault = { call in
      let items = call.operations.map { operation in
        let body =
          operation.path == path
          ? #"{"error":{"message":"no","code":100}}"# : #"{"id":"\#(operation.path)"}"#
        return OperationAnswer.response(
          OperationResponse(
            code: operation.path == path ? 400 : 200, body: ResponseBody(Array(body.utf8))))
      }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
  }
}
