import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// Expressions in all places of the language.
struct ExpressionTests {
  static let body = #"""
    {"s": "hello", "n": 5, "t": true, "z": null, "l": [1, 2, 3], "e": [],
     "data": [{"id": "1"}, {"id": "2"}, {"id": "3"}, {"id": "4"}]}
    """#

  /// Whether an expression holds: in `expect` of a request that is answered ``body``, or in `when`
  /// of one that comes after it.
  private func holds(_ expression: String, in key: String, _ input: String = "x") throws -> Bool? {
    let text = expression.replacing("'", with: "''")
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {i: {type: string, default: x}, k: {type: integer, default: 5}}
        requests:
          source: {get: source, batch: alone}
          judged: {get: judged, depends_on: [source], retry: false, \(key): \(key == "expect" ? "['\(text)']" : "'\(text)'")}
        """), inputs: [("i", input)])
    let source = Self.body
    run.callFault = { call in
      .answered(
        .items(
          call.operations.map { _ in
            .response(
              OperationResponse(
                code: 200, headers: [HeaderField("ETag", "\"abc\"")].compactMap(\.self),
                body: ResponseBody(Array(source.utf8))))
          }), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
    _ = try run.run()
    switch run.statuses["judged"] {
    case .succeeded: return true
    case .failed where run.reason("judged") == "expectation": return false
    case .skipped where run.reason("judged") == "condition": return false
    default: return nil
    }
  }

  static let overBody: [(String, Bool)] = [
    ("$.n == 5", true), ("$.n == 6", false), ("$.n != 6", true), ("$.n < 6", true),
    ("$.n <= 5", true),
    ("$.n > 5", false), ("$.n >= 5", true), ("$.s == 'hello'", true), ("$.s < 'i'", true),
    ("$.n == 5 && $.t == true", true), ("$.n == 6 && $.t == true", false),
    ("$.n == 6 || $.t == true", true), ("!($.n == 6)", true), ("!$.none", true), ("$.none", false),
    ("$.z", true), ("$.z == null", true), ("($.n == 6 || $.n == 5) && $.t == true", true),
    ("length($.s) == 5", true), ("length($.l) == 3", true), ("count($.l[*]) == 3", true),
    ("count($.l) == 1", true), ("match($.s, 'h.*o')", true), ("match($.s, 'ell')", false),
    ("search($.s, 'ell')", true), ("value($.data[?@.id == '4'].id) == '4'", true),
    ("value($.data[*].id) == '4'", false), ("count($.data[*]) > 3", true),
    ("status() == 200", true), ("status() == '200'", false), ("header('ETag') == '\"abc\"'", true),
    ("header('etag') == '\"abc\"'", true), ("header('X-No') == 'a'", false),
    ("header('X-No') == header('X-Neither')", true), ("$.none == $.neither", true),
  ]

  @Test(arguments: overBody)
  func `an expectation is an expression over the answer`(
    _ expression: String, _ expected: Bool
  ) throws { #expect(try holds(expression, in: "expect") == expected) }

  static let overReferences: [(expression: String, expected: Bool)] = [
    ("{result=source:$.n} == 5", true), ("{result=source:$.n} == {input=k}", true),
    ("{result=source:$.s} == {input=i}", false), ("{result=source:$.none}", false),
    ("!{result=source:$.none}", true), ("{result=source:$.z}", true), ("{result=source}", true),
    ("count({result=source:$.data[*]}) > 3", true), ("count({result=source:$.data}) == 1", true),
    ("length({result=source:$.data}) == 4", true), ("length({input=i}) == 1", true),
    ("match({result=source:$.s}, 'h.*')", true), ("search({input=i}, 'x')", true),
    ("value({result=source:$.data[?@.id == '2'].id}) == '2'", true),
    ("{result=source:$.none | 7} == 7", true), ("{result=source:$.n | 7} == 7", false),
    ("{run=id} != {run=started_at}", true), ("{input=k} >= 5 && !({input=k} > 5)", true),
    ("{result=source:$.l} == {result=source:$.l}", true),
    ("{result=source:$.data[?@.id == '}'].id}", false),
  ]

  @Test(arguments: overReferences, ["expect", "when"])
  func `a reference may replace a literal or a query`(
    _ example: (expression: String, expected: Bool), _ key: String
  ) throws { #expect(try holds(example.expression, in: key) == example.expected) }

  @Test(arguments: [
    "x' || 'a' == 'a", "x\" || true", "{input=k}", "$.s", "' || $.s || '", "x || 1 == 1",
    "{result=source:$.s}",
  ])
  func `a value never becomes part of the expression`(_ value: String) throws {
    #expect(try holds("{input=i} == 'x'", in: "when", value) == false)
    #expect(try holds("$.s == {input=i}", in: "expect", value) == false)
    #expect(
      try holds("length({input=i}) == \(value.unicodeScalars.count)", in: "when", value) == true)
  }

  @Test(arguments: [
    ("$.data[?@.id == {input=i}]", "2", true), ("$.data[?@.id == {input=i}]", "9", false),
    ("count($.data[?@.id != {input=i}]) == 3", "2", true),
    ("$.data[?match(@.id, {input=i})].id", "[12]", true),
    ("$.data[?@.id == {result=source:$.data[1].id}]", "x", true),
    ("$.data[?@.id == {input=i}]", "2' || '1' == '1", false),
    ("length(value($..[?@.id == {input=i}].id)) == 1", "3", true),
  ])
  func `a reference may be in a filter`(
    _ expression: String, _ input: String, _ expected: Bool
  ) throws { #expect(try holds(expression, in: "expect", input) == expected) }

  @Test(arguments: [("FREE", true), ("so Free!", true), ("fre", false)])
  func `a pattern in brackets matches capital and small letters`(
    _ input: String, _ expected: Bool
  ) throws {
    #expect(try holds("search({input=i}, '[Ff][Rr][Ee][Ee]')", in: "when", input) == expected)
    #expect(try holds("match({input=i}, 'free')", in: "when", input) == false)
  }

  @Test func `a broken expectation shows its author's message`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: me, expect: [\"$.id == 'me'\", {check: \"$.id == 'you'\", message: It is not you.}]}"
      ]))

    _ = try run.run()

    #expect(run.outcomes["a"]?.failure?.error.message == "It is not you.")
    #expect(run.outcomes["a"]?.expectations.map(\.passed) == [true, false])
    #expect(run.outcomes["a"]?.expectations.map(\.message) == [nil, "It is not you."])
    #expect(run.outcomes["a"]?.expectations.map(\.actual) == ["me", "me"])
  }

  @Test(arguments: [
    ("true", "$ == true", true), ("\"hi\"", "$ == 'hi'", true), ("7", "$ > 6", true),
    ("null", "$ == null", true),
    ("false", "$ == true", false), ("[1]", "$[0] == 1", true),
  ])
  func `a body may be any JSON`(_ body: String, _ check: String, _ expected: Bool) throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {delete: x, expect: [\"\(check)\"]}",
        "b: {get: b, params: {v: [\"{result=a}\"]}}",
      ]))
    run.answering(["x": body])

    _ = try run.run()

    #expect(run.statuses["a"] == (expected ? .succeeded : .failed))
    if expected { #expect(run.sent.last == "GET b v=[\(body)]") }
  }

  @Test(arguments: [
    ("when: \"$.x == 1\"", "invalid-expression"), ("when: \"status() == 1\"", "invalid-expression"),
    ("when: \"header('a') == 'b'\"", "invalid-expression"),
    ("expect: [\"$.data[*] == 1\"]", "invalid-expression"),
    ("expect: [\"count($.a) = 1\"]", "invalid-expression"),
    ("expect: [\"length($.data[*]) == 1\"]", "invalid-expression"),
    ("expect: [\"count(1) == 1\"]", "invalid-expression"),
    ("expect: [\"5\"]", "invalid-expression"),
    ("expect: [\"$.a == '{run=id}'\"]", "near-miss-reference"),
    ("expect: [{check: \"$.a\", mesage: x}]", "unknown-key"),
  ])
  func `an invalid expression is an error`(_ keys: String, _ rule: String) {
    let source = SourceFile(
      path: "x.yaml", bytes: Array("graphflow: 1\nrequests: {a: {get: me, \(keys)}}\n".utf8))
    #expect(Workflow.reading(source).diagnostics.map(\.rule) == [rule])
  }
}
