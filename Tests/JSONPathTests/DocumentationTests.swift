import JSONPath
import TestSupport
import Testing

/// The examples of `docs/reference/jsonpath.md`, line by line.
@Suite struct DocumentationTests {
  @Test func `selecting by a filter`() throws {
    let answer = try JSON(parsing: #"{"data":[{"id":"1_2","likes":12},{"id":"1_3","likes":3}]}"#)
    let query = try Query("$.data[?@.likes > 10].id")

    #expect(try query.values(in: answer) == ["1_2"])
  }

  @Test func `keeping numbers`() throws {
    let value = try JSON(parsing: #"{"price": 1.10, "big": 123456789012345678901234567890}"#)

    #expect(try value["price"] == JSON(parsing: "1.1"))
    #expect(value.serialized() == #"{"price":1.10,"big":123456789012345678901234567890}"#)
  }

  @Test func `reporting an error in a text`() {
    let error = #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: "[1,\n 2,]") }

    #expect(error?.description == "2:4: expected a value")
  }

  @Test func `reading a document`() throws {
    let bytes = Array(#"[{"code":200,"body":"{\"id\":\"1_2\"}"},{"code":404}]"#.utf8)

    let document = try JSON.Document(parsing: bytes)

    #expect(try Query("$[*].code").values(in: document) == [200, 404])

    let body = try #require(document.value.elements?.first?["body"]?.unescaped)

    #expect(try JSON(parsing: body)["id"] == "1_2")
  }

  @Test func `reporting an error in a query`() {
    let error = #expect(throws: Query.SyntaxError.self) { try Query("$.data.0.name") }

    #expect(error?.description == "at 7: expected a name or '*' after '.' (write [0])")
  }

  @Test func `locating nodes`() throws {
    let nodes = try Query("$..id").nodes(in: ["data": [["id": "1"], ["id": "2"]]])

    #expect(nodes.map(\.location.description) == ["$['data'][0]['id']", "$['data'][1]['id']"])
  }

  @Test func `matching without backtracking`() throws {
    let pattern = try IRegexp("(a+)+b")

    #expect(!pattern.matches(String(repeating: "a", count: 10_000)))
    #expect(pattern.isFound(in: "xaab"))
  }

  @Test func `adding operands and functions`() throws {
    let dialect = LogicalExpression.Dialect(
      functions: ["status": 0],
      operand: { text, brace in
        guard text[brace...].hasPrefix("{name}") else { return nil }
        return LogicalExpression.HostOperand(
          end: text.index(brace, offsetBy: 6), id: 0, isSingular: true)
      })
    let expression = try LogicalExpression("status() == 200 && $.name == {name}", dialect: dialect)

    let host = LogicalExpression.Host(
      operand: { _ in ["Ada"] }, function: { name, arguments in name == "status" ? 200 : nil })
    #expect(try expression.evaluate(root: ["name": "Ada"], host: host).holds)
  }

  @Test func `every example of the page is in this file`() throws {
    let root = SharedFiles.packageRoot(of: #filePath)
    let page = try text(of: root + "/docs/reference/jsonpath.md")
    let tests = try code(in: text(of: #filePath))

    let examples = page.split(separator: "```swift\n").dropFirst()

    #expect(examples.count == 9)
    for example in examples {
      let text = String(example.split(separator: "```").first ?? "")
      #expect(tests.contains(code(in: text)), "an example is not executed:\n\(text)")
    }
  }

  /// A text without white space, because the formatter breaks lines by their indentation.
  private func code(in text: String) -> String { text.filter { !$0.isWhitespace } }
}
