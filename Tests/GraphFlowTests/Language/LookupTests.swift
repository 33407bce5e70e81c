import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Look-ups: queries whose filters compare with other references.
struct LookupTests {
  static let pages = #"""
    {"data": [{"id": "1", "name": "Bakery", "n": 7, "x": {"y": [1]}, "access_token": "EAAbakery"},
      {"id": "2", "name": "Club", "n": 8, "access_token": "EAAclub"},
      {"id": "3", "name": "it's", "n": 8, "access_token": "EAAits"}, {"id": "4", "name": "a\"]b"}]}
    """#

  /// Runs requests after one that answers ``pages``.
  private func run(
    _ requests: String..., inputs: [(String, String)] = [], outputs: String = "{}"
  ) throws -> (Simulation, RunEnd) {
    var run = try Simulation(
      workflow(
        "graphflow: 1\ninputs: {page: {type: string, default: Club}, n: {type: integer, default: 7}}\n"
          + "requests:\n  source: {get: source, batch: alone}\n"
          + requests.map { "  \($0)\n" }.joined() + "outputs: \(outputs)\n"), inputs: inputs)
    run.answering(["source": Self.pages])
    let end = try #require(try run.run())
    return (run, end)
  }

  @Test(arguments: [
    ("$.data[?@.name == {input=page}].id", #""2""#), ("$.data[?@.n == {input=n}].id", #""1""#),
    ("$.data[?{input=n} == @.n].x", #"{"y":[1]}"#), ("$.data[?@.n == {input=n}].x.y[*]", "1"),
    ("$.data[?@.n > {input=n} && @.name == {input=page}].n", "8"),
    ("$.data[?@.name == {input=page} && @.id != {input=n}].id", #""2""#),
    ("$.data[?search(@.name, {input=page})].id", #""2""#),
    ("$.data[?@.id == {input=n}].id | none", #""none""#),
  ])
  func `a look-up has one value of any type`(_ query: String, _ json: String) throws {
    let reference = "\"{result=source:\(query)}\""
    let (run, end) = try run(
      "p: {post: p, params: {deep: {x: \(reference)}}}", outputs: "{x: \(reference)}")

    #expect(run.sentAfterSource == [#"POST p deep={"x":\#(json)}"#])
    #expect(end.outputs["x"]?.serialized() == json)
  }

  @Test(arguments: [
    ("it's", "3"), (#"a"]b"#, "4"), ("' || @.id == '1", nil), (#"Club" || 1 == 1 || "" == ""#, nil),
    ("{input=n}", nil), ("{item=$.id}", nil), ("$.data[0].name", nil), ("@.name", nil), ("", nil),
    ("'Club'", nil), (#""Club""#, nil), ("Club\u{0}", nil), ("Club'].id | x", nil), ("*", nil),
  ])
  func `a value never changes the query`(_ value: String, _ id: String?) throws {
    let query = "{result=source:$.data[?@.name == {input=page}].id}"
    let (fromInput, _) = try run(
      "p: {post: p, params: {m: \"\(query)\"}}", inputs: [("page", value)])
    #expect(fromInput.sentAfterSource == (id.map { ["POST p m=\($0)"] } ?? []))
    #expect(fromInput.reason("p") == (id == nil ? "unresolved_reference" : nil))

    let item = JSON.object(["page": .string(value.replacing("{", with: "{{"))]).serialized()
    let (fromItem, _) = try run(
      "each: {for_each: [\(item)], post: p, params: {m: '{result=source:$.data[?@.name == {item=$.page}].id}'}}"
    )
    #expect(fromItem.sentAfterSource == fromInput.sentAfterSource)
  }

  @Test func `a look-up of nothing or of several nodes fails the request`() throws {
    let (run, end) = try run(
      "none: {post: a, params: {m: \"{result=source:$.data[?@.n == 9].id}{input=n}\"}}",
      "no: {post: b, params: {m: \"{result=source:$.data[?@.id == {input=n}].id}\"}}",
      "two: {post: c, params: {m: \"{result=source:$.data[?@.n != {input=n}].id}\"}}",
      "three: {post: d, when: \"{result=source:$.data[?@.n != {input=n}].id} == '2'\"}")

    #expect(run.sentAfterSource == [])
    for name in ["none", "no", "two", "three"] {
      #expect(run.reason(name) == "unresolved_reference", "\(name)")
    }
    #expect(
      run.outcomes["two"]?.failure?.error.message
        == "{result=source:$.data[?@.n != {input=n}].id} selects 3 nodes, so it is not clear which one is meant"
    )
    #expect(end.exitCode == 1)
  }

  @Test func `a look-up can be a source of items`() throws {
    let (run, _) = try run(
      "each: {for_each: \"{result=source:$.data[?@.n != {input=n}]}\", get: \"{item=$.id}\"}")

    #expect(run.sentAfterSource == ["GET 2", "GET 3", "GET 4"])
  }

  @Test func `each item is sent with the token that it looks up`() throws {
    let (run, _) = try run(
      "each: {for_each: [{page: Club}, {page: Bakery}, {page: Radio}, {page: Club}], post: feed, "
        + "params: {m: \"{item=$.page} {index}\"}, "
        + "token: \"{result=source:$.data[?@.name == {item=$.page}].access_token}\"}")

    // An operation has a token of its own unless it is that of its call, which is the first one's.
    let sent = run.calls.dropFirst().flatMap(\.operations)
    #expect(sent.map(\.accessToken) == [nil, AccessToken("EAAbakery"), nil])
    #expect(run.outcomes["each[2]"]?.failure?.reason == .unresolvedReference)
    #expect(!run.journaled.contains("EAAclub") && !run.journaled.contains("EAAbakery"))
  }

  @Test func `an item can look up a part of itself`() throws {
    let (run, _) = try run(
      "each: {for_each: [{prices: [{c: EUR, v: 3}, {c: USD, v: 4}], c: USD}], post: p, "
        + "params: {m: \"{item=$.prices[?@.c == {item=$.c}].v}\"}}")

    #expect(run.sentAfterSource == ["POST p m=4"])
  }

  /// 20,000 look-ups would compare 200,000,000 values without an index.
  @Test(.timeLimit(.minutes(2)))
  func `the size of an answer does not slow a look-up`() throws {
    let count = 10_000
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        requests:
          source: {get: source, batch: alone}
          each: {for_each: {file: rows.jsonl}, post: "{result=source:$.data[?@.id == {item=$.id}].path}"}
        """))
    let list = (0..<count).map { #"{"id": "\#($0)", "path": "p\#($0)"}"# }.joined(separator: ",")
    run.answering(["source": "{\"data\": [\(list)]}"])
    run.items = [0: (0..<2 * count).map { ["id": .string(String($0 % count))] }]

    _ = try run.run()

    #expect(run.sentAfterSource.count == 2 * count)
    #expect(run.sentAfterSource.last == "POST p\(count - 1)")
  }
}
