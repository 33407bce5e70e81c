import JSONPath
import Testing

@Suite struct JSONDocumentTests {
  private func document(_ text: String) throws -> JSON.Document {
    try JSON.Document(parsing: Array(text.utf8))
  }

  @Test func `a batch answer is read without creating its bodies`() throws {
    let answer = try document(
      #"[{"code":200,"headers":[{"name":"ETag","value":"\"x\""}],"body":"{\"id\":\"1_2\"}"},null]"#)

    let items = try #require(answer.value.elements)

    #expect(items.count == 2)
    #expect(items[0]["code"]?.integer == 200)
    #expect(items[0]["headers"]?.json == [["name": "ETag", "value": "\"x\""]])
    let body = try #require(items[0]["body"]?.unescaped)
    #expect(try JSON(parsing: body) == ["id": "1_2"])
    #expect(items[1].isNull)
    #expect(items[1]["code"] == nil)
    #expect(items[0]["code"]?.unescaped == nil)
    #expect(items[0]["code"]?.elements == nil)
    #expect(items[0]["body"]?.integer == nil)
  }

  @Test func `below the recorded depth values are checked, and only their ranges are recorded`()
    throws
  {
    let text = #"[{"a":[1,{"b":[[],{}]}],"c":"d"},[[2]],3]"#
    let document = try JSON.Document(parsing: Array(text.utf8), recordedDepth: 2)
    let elements = try #require(document.value.elements)

    #expect(
      elements.map { String(decoding: $0.bytes, as: UTF8.self) }
        == [#"{"a":[1,{"b":[[],{}]}],"c":"d"}"#, "[[2]]", "3"])
    #expect(elements[0].members?.map(\.name) == ["a", "c"])
    #expect(elements[0]["a"].map { Array($0.bytes) } == Array(#"[1,{"b":[[],{}]}]"#.utf8))
    #expect(elements[0]["a"]?.elements?.isEmpty == true)
    #expect(elements[1].elements?.first?.bytes.count == 3)
    for index in 0..<text.utf8.count {
      var broken = Array(text.utf8)
      broken[index] = 0
      #expect(throws: JSON.SyntaxError.self) {
        try JSON.Document(parsing: broken, recordedDepth: 2)
      }
      #expect(throws: JSON.SyntaxError.self) { try JSON.check(broken) }
    }
  }

  @Test func `a value has the range of its text`() throws {
    let text = #" {"a" : [1, "b\n"], "c":{} } "#
    let document = try document(text)
    func written(_ value: JSON.Document.Value?) -> String? {
      value.map { String(decoding: document.text[$0.range], as: UTF8.self) }
    }

    #expect(written(document.value["a"]) == #"[1, "b\n"]"#)
    #expect(written(document.value["a"]?.elements?[0]) == "1")
    #expect(written(document.value["a"]?.elements?[1]) == #""b\n""#)
    #expect(written(document.value["c"]) == "{}")
    #expect(written(document.value) == #"{"a" : [1, "b\n"], "c":{} }"#)
    #expect(document.value["a"]?.elements?[1].string == "b\n")
  }

  @Test func `a document gives the same value as the parser`() throws {
    let text = #"{"a":[1,2.50,"x\u00e9",null,true,false,{"b":{}}],"a\/b":"\"","a":0}"#

    #expect(try document(text).root == JSON(parsing: text))
    #expect(try document(text).root.serialized() == #"{"a":0,"a/b":"\""}"#)
  }

  @Test(arguments: [1, 30])
  func `members with the same name are one member`(others: Int) throws {
    let between = (0..<others).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
    let document = try document("{\"a\":1,\(between),\"\\u0061\":2}")

    let members = try #require(document.value.members)

    #expect(members.count == others + 1)
    #expect(members[0].name == "a")
    #expect(members[0].value.integer == 2)
    #expect(document.value["a"]?.integer == 2)
    #expect(try Query("$.a").values(in: document) == [2])
    #expect(try Query("$.*").values(in: document).first == 2)
    #expect(try Query("$.*").nodes(in: document).first?.location.description == "$['a']")
  }
}
