import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// The value of a reference that the tool resolves, by its place.
struct ReferenceValueTests {
  /// A body with a node of every kind.
  static let body = #"""
    {"s": "a b", "n": 1.50, "t": true, "z": null, "o": {"k": [1]}, "l": [1, "x"],
     "many": [{"id": "1"}, {"id": "2"}]}
    """#

  /// Runs requests after one that answers ``body`` in a call of its own.
  private func run(_ requests: String..., outputs: String = "{}") throws -> (Simulation, RunEnd) {
    var run = try Simulation(
      workflow(
        "graphflow: 1\nrequests:\n  source: {get: source, batch: alone}\n"
          + requests.map { "  \($0)\n" }.joined() + "outputs: \(outputs)\n"))
    run.answering(["source": Self.body])
    let end = try #require(try run.run())
    return (run, end)
  }

  @Test(arguments: [
    ("$.s", "a b"), ("$.n", "1.50"), ("$.t", "true"), ("$.z", ""), ("$.o", #"{"k":[1]}"#),
    ("$.l", #"[1,"x"]"#), ("$.many[*].id", "1,2"), ("$..id", "1,2"), ("$.o.*", "[1]"),
    ("$.many[?@.id == '2'].id", "2"), ("$.many[-1].id", "2"),
  ])
  func `a value inside text becomes text`(_ query: String, _ text: String) throws {
    let reference = "{result=source:\(query)}"
    let (run, _) = try run(
      "p: {post: p, params: {m: \"<\(reference)>\"}}",
      "g: {get: g, headers: {X-A: \"<\(reference)>\"}}")

    #expect(run.sentAfterSource.first == "POST p m=<\(text)>")
    #expect(run.calls.flatMap(\.operations).last?.headers.map(\.value) == ["<\(text)>"])
  }

  @Test(arguments: [
    ("$.s", #""a b""#), ("$.n", "1.50"), ("$.t", "true"), ("$.z", "null"),
    ("$.o", #"{"k":[1]}"#), ("$.l", #"[1,"x"]"#), ("$.many[*].id", #"["1","2"]"#),
    ("$.o.*", "[[1]]"), ("$.many[?@.id == '2'].id", #"["2"]"#),
  ])
  func `a whole text keeps the type, and a query for several nodes gives a list`(
    _ query: String, _ json: String
  ) throws {
    let reference = "\"{result=source:\(query)}\""
    let (run, end) = try run(
      "p: {post: p, params: {deep: {x: \(reference)}}}",
      outputs: "{x: \(reference), y: [\(reference)]}")

    #expect(run.sentAfterSource == [#"POST p deep={"x":\#(json)}"#])
    #expect(end.outputs["x"]?.serialized() == json)
    #expect(end.outputs["y"]?.serialized() == "[\(json)]")
  }

  @Test(arguments: [
    ("g: {get: g, params: {v: \"{result=source:$.many[*].id}\"}}", "GET g v=1,2"),
    ("g: {delete: g, params: {v: \"{result=source:$.many[*].id}\"}}", "DELETE g v=1,2"),
    ("g: {get: g, params: {v: \"{result=source:$.many[0:1].id}\"}}", "GET g v=1"),
    ("g: {get: \"?ids={result=source:$.many[?@.id].id}\"}", "GET ?ids=1%2C2"),
    ("g: {post: g, params: {v: \"{result=source:$.many[*].id}\"}}", #"POST g v=["1","2"]"#),
    ("g: {post: g, params: {v: \"{result=source:$.z}\", w: 1}}", "POST g w=1"),
    ("g: {get: g, params: {v: \"{result=source:$.z}\", w: ~}}", "GET g"),
    ("g: {get: g, params: {v: \"<{result=source:$.z}>\"}}", "GET g v=<>"),
  ])
  func `a query string joins several nodes, and null is left out`(
    _ request: String, _ line: String
  ) throws { #expect(try run(request).0.sentAfterSource == [line]) }

  @Test(arguments: [
    ("$.no | none", #""none""#), ("$.no | 7", "7"), ("$.no | null", "null"),
    (#"$.no | {'a': 1}"#, #"{"a":1}"#), ("$.no | [1, 2]", "[1,2]"),
    ("$.no | two words", #""two words""#),
    ("$.s | none", #""a b""#), ("$.z | none", "null"), ("$.many[?@.id == '9'] | none", #""none""#),
  ])
  func `a default is used if the query selects nothing`(_ reference: String, _ json: String) throws
  {
    let yaml =
      "'{result=source:\(reference.replacing("'a'", with: "\"a\"").replacing("'", with: "''"))}'"
    let (run, end) = try run("g: {get: g, params: {v: \(yaml), w: 1}}", outputs: "{x: \(yaml)}")

    #expect(end.outputs["x"]?.serialized() == json)
    let text = json == "null" ? "" : " v=\((try JSON(parsing: json)).string ?? json)"
    #expect(run.sentAfterSource == ["GET g\(text) w=1"])
  }

  @Test func `without a query a reference is the whole body, as with $`() throws {
    let (run, end) = try run(
      "p: {post: p, params: {a: \"{result=source}\", b: \"{result=source:$}\"}}",
      outputs: "{a: \"{result=source}\", b: \"{result=source:$}\"}")

    let body = try JSON(parsing: Self.body)
    #expect(end.outputs["a"] == body && end.outputs["b"] == body)
    let whole = body.serialized()
    #expect(run.sentAfterSource == ["POST p a=\(whole) b=\(whole)"])
  }

  @Test(arguments: [
    "p: {post: p, params: {m: \"{result=source:$.no}\"}}",
    "p: {post: p, params: {m: \"x{result=source:$.many[?@.id == '9']}\"}}",
    "p: {post: \"{result=source:$.no}\"}", "p: {post: p, headers: {X-A: \"{result=source:$.no}\"}}",
    "p: {post: p, params: {m: [\"{result=source:$.no}\"]}}",
    "p: {post: p, token: \"{result=source:$.no}\"}",
  ])
  func `a request with a query that selects nothing is not sent`(_ request: String) throws {
    let (run, end) = try run(request)

    #expect(run.sent == ["GET source"])
    #expect(run.reason("p") == "unresolved_reference")
    #expect(end.exitCode == 1)
  }

  @Test func `the run's id and start are the same everywhere in a run`() throws {
    let (run, end) = try run(
      "p: {post: p, params: {m: \"{run=id} {run=started_at}\"}}",
      outputs: "{id: \"{run=id}\", at: \"{run=started_at}\"}")
    guard case .runStarted(let start)? = run.events.first else {
      Issue.record("no start")
      return
    }

    #expect(end.outputs == ["id": .string("\(start.id)"), "at": .string("\(start.startedAt)")])
    #expect(end.outputs["at"] == "2025-11-20T09:00:00.000Z")
    #expect(run.sentAfterSource == ["POST p m=\(start.id) \(start.startedAt)"])
  }

  @Test func `values are data and are never expanded again`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {a: string, b: {type: string, default: secret-b}}
        requests:
          source: {get: source, batch: alone}
          in: {post: p1, params: {m: "{input=a}"}}
          body: {post: p2, params: {m: "{result=source:$.s} {{ {input=b}"}}
          each: {for_each: [{t: "{{item} {{input=b} {{result=source}"}], post: p3, params: {m: "{item=$.t}"}}
        """), inputs: [("a", "{input=b} {run=id} {{ {result=source:$.s}")])
    run.answering(["source": #"{"s": "{input=b} {result=in:$.id} {{"}"#])

    _ = try run.run()

    #expect(
      run.sentAfterSource.sorted() == [
        "POST p1 m={input=b} {run=id} {{ {result=source:$.s}",
        "POST p2 m={input=b} {result=in:$.id} {{ { secret-b",
        "POST p3 m={item} {input=b} {result=source}",
      ])
    #expect(run.calls.dropFirst().allSatisfy { $0.isSingle })
  }

  @Test func `a doubled brace is one, and other braces stay`() throws {
    let (run, _) = try run(
      #"p: {post: p, params: {a: "{{result=source}", b: '{"k": {"x": 1}} {name} }}'}}"#)

    #expect(run.sentAfterSource == [#"POST p a={result=source} b={"k": {"x": 1}} {name} }}"#])
  }

  @Test func `a long query stays far below the step limit, and an endless one fails the request`()
    throws
  {
    var run = try Simulation(
      workflow(requests: [
        "source: {get: source, batch: alone}",
        "slow: {post: p, params: {m: \"{result=source:$..[?count(@..*) > count($..*)]}\"}}",
        "when: {get: w, when: \"{result=source:$..[?count(@..*) > count($..*)]}\"}",
        "fine: {post: q, params: {m: \"{result=source:$..x}\"}}",
      ]))
    let nested = (0..<40).reduce("1") { text, _ in "[\(text),\(text.count > 4000 ? "2" : text)]" }
    run.answering(["source": #"{"x": 1, "y": \#(nested)}"#])

    let end = try run.run()

    #expect(run.reason("slow") == "query_limit")
    #expect(run.reason("when") == "query_limit")
    #expect(run.sentAfterSource == ["POST q m=[1]"])
    #expect(end?.exitCode == 1)
  }
}
