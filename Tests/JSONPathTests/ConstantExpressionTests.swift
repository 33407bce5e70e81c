import JSONPath
import Testing

@Suite struct ConstantExpressionTests {
  private static let dialect = LogicalExpression.Dialect(
    functions: [
      "status": 0,
      "header": 1,
    ],
    operand: { text, brace throws(Query.SyntaxError) in
      text[brace...].firstIndex(of: "}").map { end in
        LogicalExpression.HostOperand(
          end: text.index(after: end),
          id: text[brace...end] == "{text}" ? 0 : text[brace...end] == "{flag}" ? 1 : 2,
          isSingular: true)
      }
    })

  private func constant(_ text: String) throws -> Bool? {
    try LogicalExpression(text, dialect: Self.dialect).constant(
      operandType: { [.string, .boolean, nil][$0] },
      functionType: { ["status": .number, "header": .string][$0] })
  }

  @Test(arguments: [
    "1 == 1", "1 < 2 || $.a", "'a' != 1", "status() != '200'", "{text} != 5", "{flag} != 'true'",
    "count($[*]) >= 0", "count($[*]) > -1", "count($[*]) != -1", "match('aa', 'a+')",
    "!search('a', 'b')", "length('abc') == 3", "status() != null", "!($.a && 1 == 2)",
    "header('a') != 1",
  ])
  func `an expression that holds for every document is constantly true`(_ text: String) throws {
    #expect(try constant(text) == true)
  }

  @Test(arguments: [
    "1 == 2", "$.a && 2 < 1", "status() == '200'", "status() < '200'", "{flag} == 'true'",
    "{text} == 1", "count($[*]) < 0", "count($[*]) == -1", "length($.a) == 'x'", "true == 'true'",
    "status() == null", "'b' < 'a'", "header('a') >= 100",
  ])
  func `an expression that holds for no document is constantly false`(_ text: String) throws {
    #expect(try constant(text) == false)
  }

  @Test(arguments: [
    "$.a == 1", "$.a", "$", "$.a == $.a", "status() == 200", "header('a') == 'b'", "{other} == 1",
    "{text} == 'a'", "{text}", "{flag} == true", "count($[*]) > 0", "count($[*]) == 0",
    "length($.a) > 2", "length($.a) == length($.b)", "header('a') == status()",
    "1 == 1 && $.a", "1 == 2 || $.a", "match($.a, 'b')", "{text} == {other}",
    "count($[*]) <= 0",
  ])
  func `an expression that depends on a document is not constant`(_ text: String) throws {
    #expect(try constant(text) == nil)
  }

  /// A constant result must equal the result of evaluation.
  @Test(arguments: ["1 == 1.0", "'a' < 'b'", "1 > 'a'", "null == null", "'10' < '9'", "1e400 > 1"])
  func `constant comparisons equal evaluated ones`(_ text: String) throws {
    let expression = try LogicalExpression(text)
    let evaluated = try expression.evaluate(root: nil).holds
    #expect(expression.constant(operandType: { _ in nil }, functionType: { _ in nil }) == evaluated)
  }
}
