import GraphFlow
import JSONPath
import Testing

/// JSON files that are one list, and files with one value per line.
struct JSONItemTests {
  @Test(
    arguments: [
      ("[]", []), (" [\n] \r\n\t", []), ("[1]", [1]),
      ("[1, \"a\", null, true, [], {}]", [1, "a", .null, true, [], [:]]),
      ("[[1, [2]], {\"a\": {\"b\": [3, \"]\"]}}]", [[1, [2]], ["a": ["b": [3, "]"]]]]),
      ("[\"\\\"\", \"\\\\\", \"a,b]\"]", ["\"", "\\", "a,b]"]),
      ("[\r\n  \"ü\",\r\n  \"😀\"\r\n]\r\n", ["ü", "😀"]),
      ("\u{FEFF}[1]", [1]),
    ] as [(String, [JSON])])
  func `the elements of a list are items`(_ text: String, _ items: [JSON]) throws {
    #expect(try ItemSample.read(.json, text) == ItemSample.Outcome(items: items))
  }

  @Test(arguments: [
    ("", 0, 1, "a JSON file of items must be one list: […]"),
    ("\n {\"a\": []}", 0, 2, "a JSON file of items must be one list: […]"),
    ("[1,\n2,\n", 2, 3, "the file ends inside its list"),
    ("[1,\n{\"a\": [", 1, 2, "the file ends inside its list"),
    ("[", 0, 1, "the file ends inside its list"),
    ("[1,]", 1, 1, "expected a value"),
    ("[,1]", 0, 1, "expected a value"),
    ("[1,\n\n,2]", 1, 3, "expected a value"),
    ("[1\n2]", 0, 2, nil),
    ("[1,\n{\"a\":\n\n tru}]", 1, 4, "expected a value"),
    ("[1,\n{\"a\": 1]]", 1, 2, nil),
    ("[1]\n,2", 1, 2, "nothing may follow the list"),
    ("[1]]", 1, 1, "nothing may follow the list"),
    ("[1\n}", 0, 2, "expected ',' or ']'"),
    ("[1}", 0, 1, "expected ',' or ']'"),
    ("[1,}", 1, 1, "expected a value"),
    ("[] []", 0, 1, "nothing may follow the list"),
    ("[\u{FEFF}1]", 0, 1, "expected a value"),
  ])
  func `a malformed list is reported with its line`(
    _ text: String, _ count: Int, _ line: Int, _ message: String?
  ) throws {
    let outcome = try ItemSample.read(.json, text)
    #expect(outcome.items.count == count)
    #expect(outcome.problem?.line == line)
    #expect(message == nil || outcome.problem?.message == message)
  }

  @Test(
    arguments: [
      ("", []), ("\n\r\n \t\n", []), ("{\"a\": 1}\n", [["a": 1]]), ("1\n\n2\r\n3", [1, 2, 3]),
      ("\u{FEFF}[1, 2]\n\"x\"\n null \n", [[1, 2], "x", .null]),
    ] as [(String, [JSON])])
  func `the lines are items`(_ text: String, _ items: [JSON]) throws {
    #expect(try ItemSample.read(.jsonl, text) == ItemSample.Outcome(items: items))
  }

  @Test(arguments: [
    ("1\n\n{\"a\": }\n4", 1, 3), ("1 2\n", 0, 1), ("{\n}\n", 0, 1), ("1\n\u{FEFF}2\n", 1, 2),
    ("[1,\n", 0, 1),
  ])
  func `a malformed line is reported`(_ text: String, _ count: Int, _ line: Int) throws {
    let outcome = try ItemSample.read(.jsonl, text)
    #expect(outcome.items.count == count)
    #expect(outcome.problem?.line == line)
  }

  @Test(arguments: [ItemReader.Format.json, .jsonl])
  func `text that is not UTF-8 is refused`(_ format: ItemReader.Format) throws {
    let bytes = Array((format == .json ? "[1,\n\"" : "1\n\"").utf8) + [0xFF] + Array("\"]".utf8)
    let outcome = try ItemSample.read(format, bytes)
    #expect(outcome.items == [1])
    #expect(outcome.problem?.line == 2)
  }

  @Test func `an element may be nested to the depth limit of JSON`() throws {
    let depth = JSON.depthLimit
    let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(try ItemSample.read(.json, "[\(deep)]").items.count == 1)
    #expect(try ItemSample.read(.json, "[[\(deep)]]").problem?.line == 1)
    #expect(try ItemSample.read(.json, "[" + deep.prefix(depth)).problem?.line == 1)
  }
}
