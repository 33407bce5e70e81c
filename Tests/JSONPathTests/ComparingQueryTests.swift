import JSONPath
import Testing

/// Queries that compare a document with values from outside of it.
struct ComparingQueryTests {
  @Test(arguments: [
    "$[?@.a == 'x']", "$[?1 < @.a]", "$.a[?!(@.b != null)]", "$..[?@.a && (@.b || @.c == 1)]",
    "$[?search(@.a, 'x')]", "$[?length(@.a) == 3]", "$[?@[?@.b == 'x']]",
    "$[?count(@[?@ > 1]) > count(@.*)]", "$[?@.a == value($.b[?@.c == 1].d)]",
  ])
  func `a literal in a filter is a value from outside`(_ text: String) throws {
    #expect(try Query(text).comparesWithValues)
  }

  @Test(arguments: [
    "$", "$.a['b'][0][:3].*", "$[?@.a]", "$[?!@.a || @.b]", "$[?@.a == @.b]", "$[?@.a == $.b]",
    "$[?match(@.a, @.b)]", "$[?length(@.a) == count(@.*)]",
  ])
  func `a document that is compared with itself needs no value from outside`(_ text: String) throws
  { #expect(try !Query(text).comparesWithValues) }

  @Test func `a host's operand is a value from outside`() throws {
    let dialect = LogicalExpression.Dialect { text, brace in
      LogicalExpression.HostOperand(end: text.index(brace, offsetBy: 3), id: 0, isSingular: true)
    }
    let expression = try LogicalExpression("$[?@.a == {x}]", dialect: dialect)
    #expect(try #require(expression.query).comparesWithValues)
  }
}
