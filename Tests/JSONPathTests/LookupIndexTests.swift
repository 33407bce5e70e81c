import JSONPath
import Testing

/// Look-ups in the index of a document, and the queries that they stand for.
struct LookupIndexTests {
  private static let document = #"""
    {"data": [{"id": "1", "n": 1, "x": {"y": "a"}}, {"id": "2", "n": 1.0, "x": {"y": "b"}},
      {"id": 2, "n": null}, {"n": true}, "2", {"id": "2", "n": [1]}, {"id": {"k": 1}}],
     "map": {"p": {"id": "1"}, "q": {"id": "3"}}, "none": [], "text": "2"}
    """#

  /// A query with one operand, written `{}`.
  private static func query(_ text: String) throws -> Query {
    let dialect = LogicalExpression.Dialect { text, brace in
      LogicalExpression.HostOperand(end: text.index(brace, offsetBy: 2), id: 0, isSingular: true)
    }
    return try #require(try LogicalExpression(text, dialect: dialect).query)
  }

  @Test(
    arguments: [
      "$.data[?@.id == {}]", "$.data[?{} == @.id].n", "$.data[?@.n == {}].id",
      "$.data[?@.x.y == {}]",
      "$.map[?@.id == {}]", "$.none[?@.id == {}]", "$.missing[?@.id == {}]", "$.text[?@.id == {}]",
      "$.data[?@ == {}]", "$.data[?@.id == {}]..y", "$['data'][?@['id'] == {}].x['y']",
      "$.data[?@.id == {}].x[*]",
    ],
    [#""1""#, #""2""#, "2", "1", "1.0", "10e-1", "null", "true", "[1]", #"{"k":1}"#, #""no""#])
  func `an index gives the nodes of the query`(_ text: String, _ operand: String) throws {
    let query = try Self.query(text)
    let document = try JSON.Document(parsing: Array(Self.document.utf8))
    let value = try JSON(parsing: operand)
    let index = try #require(LookupIndex(of: query, in: document))

    let host = LogicalExpression.Host(operand: { _ in [value] }, function: { _, _ in nil })
    let expected = try query.nodes(in: document, host: host)

    let found = try index.nodes(for: value)
    #expect(found.map(\.value) == expected.map(\.value))
    #expect(found.map(\.location) == expected.map(\.location))
  }

  @Test(arguments: [
    "$.data[?@.id != {}]", "$.data[?@.id == {} && @.n]", "$.data[?!(@.id == {})]",
    "$..[?@.id == {}]",
    "$.data[?@.id == {}, 0]", "$.data[*][?@.id == {}]", "$.data[?count(@.*) == {}]",
    "$.data[?$.text == {}]",
  ])
  func `other forms have no index`(_ text: String) throws {
    let document = try JSON.Document(parsing: Array(Self.document.utf8))
    #expect(LookupIndex(of: try Self.query(text), in: document) == nil)
  }

  @Test func `an index that takes too many steps is not made`() throws {
    let list = (0..<1000).map { #"{"id": \#($0)}"# }.joined(separator: ",")
    let document = try JSON.Document(parsing: Array("[\(list)]".utf8))
    let query = try Self.query("$[?@.id == {}]")
    #expect(LookupIndex(of: query, in: document, limit: StepLimit(steps: 1000)) == nil)
    #expect(LookupIndex(of: query, in: document) != nil)
  }
}
