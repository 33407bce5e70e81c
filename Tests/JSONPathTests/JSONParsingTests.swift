import JSONPath
import Testing

@Suite struct JSONParsingTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1.10", "1e400", "123456789012345678901234567890", #""""#,
    #""a\"b\\c""#, "[]", "{}", "[[],{}]", #"{"a":[1,2,{"b":null}],"c":"d"}"#,
  ])
  func `what is written compactly comes back as it was`(text: String) throws {
    #expect(try JSON(parsing: text).serialized() == text)
  }

  @Test(arguments: [
    "", " ", "[", "]", "[1,]", "[,1]", "[1 2]", "{", "{]", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
    #"{,"a":1}"#, "01", "-", "1.", ".5", "1e", "+1", "tru", "nul", "TRUE", #""a"#, #""\x""#,
    #""\u12""#, "\"\u{1}\"", "1 1", "[1]]", "{a:1}", "'a'", "NaN",
  ])
  func `what is not JSON is refused`(text: String) {
    #expect(throws: JSON.SyntaxError.self) { try JSON(parsing: text) }
  }
}
