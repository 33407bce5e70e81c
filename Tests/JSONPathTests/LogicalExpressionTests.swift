import JSONPath
import Testing

@Suite struct LogicalExpressionTests {
  private let answer: JSON = ["status": "live", "likes": 12, "data": [["id": "1"], ["id": "2"]]]

  /// A language with `{one}`, `{many}` and `{none}`, `status()` and `header(name)`, as a host adds it.
  private static let dialect = LogicalExpression.Dialect(
    functions: [
      "status": 0,
      "header": 1,
    ],
    operand: { text, brace throws(Query.SyntaxError) in
      guard let end = text[brace...].firstIndex(of: "}") else { return nil }
      guard let id = ["{none}", "{one}", "{many}"].firstIndex(of: text[brace...end]) else {
        throw Query.SyntaxError(
          offset: text.unicodeScalars.distance(from: text.startIndex, to: brace),
          message: "no such operand")
      }
      return LogicalExpression.HostOperand(end: text.index(after: end), id: id, isSingular: id < 2)
    })

  private let host = LogicalExpression.Host(
    operand: { [[], ["live"], [1, 2, 3]][$0] },
    function: { name, arguments in
      switch (name, arguments) {
      case ("status", []): 200
      case ("header", ["etag"]): "abc"
      default: nil
      }
    })

  @Test(arguments: [
    ("$.status == 'live'", true), ("  $.status == 'live'\n", true),
    ("$.likes > 10 && $.data", true),
    ("$.likes>10&&!$.error", true), ("$.error || $.likes <= 11", false),
    ("$.absent == $.error", true),
    ("!($.likes == 12)", false), ("count($.data[*]) == 2", true), ("length($.data) == 2", true),
    ("value($..likes) == 12", true), ("match($.status, 'l.*')", true),
    ("search($.status, 'iv')", true),
    ("$.data[?@.id == '2']", true), ("$.data[?@.id == $.status]", false), ("1 == 1.0", true),
    ("'a' < 'b'", true), ("null == null", true), ("true == false", false), ("2 >= 3", false),
  ])
  func `an expression holds or not`(text: String, holds: Bool) throws {
    let expression = try LogicalExpression(text)

    #expect(try expression.evaluate(root: answer).holds == holds)
    #expect(expression.description == text)
  }

  @Test(
    arguments: [
      ("$.likes == 13", 12), ("$.absent == 13", nil), ("length($.data) > 1", 2),
      ("$.likes == 12 && $.data", nil), ("$.likes", nil), ("'x' != $.status", "x"),
    ] as [(String, JSON?)])
  func `a single comparison returns the value of its left side`(text: String, actual: JSON?) throws
  { #expect(try LogicalExpression(text).evaluate(root: answer).actual == actual) }

  @Test func `without a root its queries select nothing`() throws {
    #expect(try LogicalExpression("$ == 1").evaluate(root: nil) == (false, nil))
    #expect(try LogicalExpression("!$.a").evaluate(root: nil).holds)
    #expect(try LogicalExpression("count($..*) == 0").evaluate(root: nil).holds)
  }

  @Test(arguments: [
    ("$.status == {one}", true), ("{one} == 'live'", true), ("{one}", true), ("{none}", false),
    ("!{none}", true), ("{none} == $.absent", true), ("{many}", true), ("count({many}) == 3", true),
    ("count({one}) == 1", true), ("count({none}) == 0", true), ("value({one}) == 'live'", true),
    ("value({many}) == $.absent", true), ("length({one}) == 4", true), ("status() == 200", true),
    ("status()==200&&{one}!='x'", true), ("header('etag') == 'abc'", true),
    ("header('x') == $.absent", true), ("length(header('etag')) == 3", true),
    ("$.data[?@.id == {one}]", false), ("$[?@ == {one}]", true), ("match({one}, 'l[a-z]+')", true),
  ])
  func `a host adds operands and functions`(text: String, holds: Bool) throws {
    let expression = try LogicalExpression(text, dialect: Self.dialect)

    #expect(try expression.evaluate(root: answer, host: host).holds == holds)
  }

  @Test(arguments: [
    ("{many} == 1", 0, "expected a single value, but this may select several nodes"),
    ("length({many}) == 1", 7, "expected a single value, but this may select several nodes"),
    ("1 == {two}", 5, "no such operand"), ("{one", 0, "expected a query, a literal or a function"),
    ("status()", 0, "the result of this function must be compared"),
    ("status(1) == 1", 0, "status() takes 0 arguments, not 1"),
    ("header() == 1", 0, "header() takes 1 argument, not 0"),
    ("status == 1", 0, "expected a query, a literal or a function"),
    ("@.a == 1", 0, "'@' has no value outside a filter"),
    ("$.a == 1 $", 9, "expected '&&', '||' or the end"), ("", 0, "expected an expression"),
    ("$.a == 1 and $.b", 9, "expected '&&', '||' or the end"),
    ("body() == 1", 0, "unknown function 'body'"),
  ])
  func `an error in an expression is reported with its position`(
    text: String, offset: Int, message: String
  ) {
    let error = #expect(throws: Query.SyntaxError.self) {
      try LogicalExpression(text, dialect: Self.dialect)
    }

    #expect(error?.offset == offset)
    #expect(error?.message == message)
  }

  @Test func `a dialect may leave out the root`() throws {
    let dialect = LogicalExpression.Dialect(allowsRoot: false)

    let error = #expect(throws: Query.SyntaxError.self) {
      try LogicalExpression("1 == 1 && $.a", dialect: dialect)
    }

    #expect(error?.offset == 10)
    #expect(error?.message == "'$' has no value here")
  }

  @Test func `an existence test is a query whose nodes a host can select`() throws {
    let written = "$.data[?@.id == {one}]"
    let query = try #require(try LogicalExpression(written, dialect: Self.dialect).query)
    let twins: JSON = ["data": [["id": "live"], ["id": "dead"], ["id": "live"]]]

    let found = try query.nodes(in: twins, host: host)

    #expect(found.map(\.location.description) == ["$['data'][0]", "$['data'][2]"])
    #expect(try query.nodes(in: answer, host: host).isEmpty)
  }

  @Test(arguments: ["$.a == 1", "!$.a", "$.a && $.b", "count($.a) > 1", "{one}", "1 == 1"])
  func `an expression beyond an existence test is not a query`(text: String) throws {
    #expect(try LogicalExpression(text, dialect: Self.dialect).query == nil)
  }

  @Test func `an operand that ends at its start or outside the text is rejected`() {
    for end in ["", "{one}, and far beyond"].map(\.endIndex) {
      let dialect = LogicalExpression.Dialect(operand: { _, _ in
        LogicalExpression.HostOperand(end: end, id: 0, isSingular: true)
      })
      #expect(throws: Query.SyntaxError.self) { try LogicalExpression("{one}", dialect: dialect) }
    }
  }

  @Test func `the queries from the root are listed in order`() throws {
    let expression = try LogicalExpression(
      "count($.a[?@.x == $.b]) > 1 || !($.c && length($.d) == $.e)")

    #expect(expression.rootQueries.map(\.text) == ["$.a[?@.x == $.b]", "$.b", "$.c", "$.d", "$.e"])
  }

  @Test func `an evaluation ends when the steps are used up`() throws {
    let expression = try LogicalExpression("count($..*) > 0 && $..*")

    #expect(throws: QueryLimitExceeded.self) {
      try expression.evaluate(root: answer, limit: StepLimit(steps: 10))
    }
  }

  @Test func `expressions are equal if their texts are`() throws {
    #expect(try LogicalExpression("$.a") == LogicalExpression("$.a"))
    #expect(try LogicalExpression("$.a") != LogicalExpression(" $.a"))
    #expect(try Set([LogicalExpression("$.a"), LogicalExpression("$.b")]).count == 2)
  }
}
