import GraphFlow
import JSONPath
import Testing

/// CSV files by RFC 4180.
struct CSVTests {
  @Test(arguments: [
    // RFC 4180 §2, rules 1 to 7.
    ("a,b,c\r\n1,2,3\r\n4,5,6\r\n", [["1", "2", "3"], ["4", "5", "6"]]),
    ("a,b,c\r\n1,2,3\r\n4,5,6", [["1", "2", "3"], ["4", "5", "6"]]),
    ("a,b,c\r\n 1 , 2,3 \r\n", [[" 1 ", " 2", "3 "]]),
    ("a,b,c\r\n\"1\",\"2\",3\r\n", [["1", "2", "3"]]),
    (
      "a,b,c\r\n\"1\",\"b\r\nb\",\"c,c\"\r\n4,5,6\r\n", [["1", "b\r\nb", "c,c"], ["4", "5", "6"]]
    ),
    ("a,b,c\r\n1,\"b\"\"bb\",\"\"\"\"\r\n", [["1", "b\"bb", "\""]]),
    // Empty fields, line feeds alone, other characters than ASCII.
    ("a,b,c\n,,\n\"\",\"\",\"\"\n", [["", "", ""], ["", "", ""]]),
    ("a,b,c\n1,2,\n", [["1", "2", ""]]),
    ("a,b,c\n1,2,\"\"", [["1", "2", ""]]),
    ("a,b,c\n\"\n\",\"\r\",\t\n", [["\n", "\r", "\t"]]),
    ("\u{FEFF}a,b,c\n1,2,3\n", [["1", "2", "3"]]),
    ("\u{FEFF}\"a\",b,\"c\"\n1,2,3\n", [["1", "2", "3"]]),
    ("a,b,c\nÄ,e\u{301},😀\n", [["Ä", "e\u{301}", "😀"]]),
    ("a,b,c\n1,007,true\n", [["1", "007", "true"]]),
    ("a,b,c\r\n", []),
    ("a,b,c", []),
  ])
  func `rows become objects of strings`(_ text: String, _ rows: [[String]]) throws {
    let outcome = try ItemSample.read(.csv, text)
    let items = rows.map { row in
      JSON.object(JSON.Object(zip(["a", "b", "c"], row).map { ($0, .string($1)) }))
    }
    #expect(outcome == ItemSample.Outcome(items: items))
    #expect(outcome.items.allSatisfy { $0.object?.names == ["a", "b", "c"] })
  }

  @Test func `in a file with one column an empty line is an empty value`() throws {
    let outcome = try ItemSample.read(.csv, "name\nx\n\n\"\"\n")
    #expect(outcome.items == [["name": "x"], ["name": ""], ["name": ""]])
    #expect(outcome.problem == nil)
  }

  @Test func `names may be any text that is not empty`() throws {
    let outcome = try ItemSample.read(.csv, "\"a, \"\"b\"\"\",a b,\"x\ny\"\n1,2,3\n")
    #expect(outcome.items == [["a, \"b\"": "1", "a b": "2", "x\ny": "3"]])
  }

  @Test(arguments: [
    ("", 0, 1, "the file is empty; it needs a header row"),
    ("\u{FEFF}", 0, 1, "the file is empty; it needs a header row"),
    ("\na,b\n", 0, 1, "column 1 has no name"),
    ("a,,c\n1,2,3\n", 0, 1, "column 2 has no name"),
    ("a,b,\n", 0, 1, "column 3 has no name"),
    ("a,b,a\n1,2,3\n", 0, 1, "two columns are named 'a'"),
    ("a;b\n1;2\n", 0, 1, "the header is separated by semicolons; save the file with commas"),
    ("a\tb\n1\t2\n", 0, 1, "the header is separated by tabs; save the file with commas"),
    ("a, b\n1,2\n", 0, 1, "the name of column 2 begins or ends with a space: ' b'; write 'b'"),
    ("a,b\n1,2\n3\n", 1, 3, "this row has one field, but the header has 2"),
    ("a,b\n1,2\n3,4,5\n", 1, 3, "this row has 3 fields, but the header has 2"),
    ("a,b\n\"1\n\n\",2\n\n3,4\n", 1, 5, "this row is empty, but the header has 2 fields"),
    (
      "a,b\n1,2\"\n", 0, 2,
      "a field that contains quotes must be in quotes, with its quotes doubled"
    ),
    (
      "a,b\n1, \"2\"\n", 0, 2,
      "a field that contains quotes must be in quotes, with its quotes doubled"
    ),
    (
      "a,b\n\"x\ny\",\"2\"3\n", 0, 3, "a comma or the end of the line must follow the closing quote"
    ),
    ("a,b\n1,\"2\" \n", 0, 2, "a comma or the end of the line must follow the closing quote"),
    ("a,b\n1,2\n\"x\ny\",\"2\n3,4\n", 1, 4, "the quote that begins here is never closed"),
    ("a,b\n1,\"", 0, 2, "the quote that begins here is never closed"),
    ("a,b\r1,2\r", 0, 1, "a carriage return must be in quotes, or before a line feed"),
    ("a,b\n1,2\r3\n", 0, 2, "a carriage return must be in quotes, or before a line feed"),
  ])
  func `a malformed file is reported with its line`(
    _ text: String, _ count: Int, _ line: Int, _ message: String
  ) throws {
    let outcome = try ItemSample.read(.csv, text)
    #expect(outcome.items.count == count)
    #expect(outcome.problem == ItemProblem(line: line, message: message))
  }

  @Test(
    arguments: [
      [0x61, 0x0A, 0x31, 0x0A, 0xFF, 0x0A], [0x61, 0x0A, 0x31, 0x0A, 0x22, 0xC3, 0x22, 0x0A],
      [0x61, 0x0A, 0x31, 0x0A, 0xED, 0xA0, 0x80],
    ] as [[UInt8]])
  func `text that is not UTF-8 is refused`(_ bytes: [UInt8]) throws {
    let outcome = try ItemSample.read(.csv, bytes)
    #expect(outcome.items == [["a": "1"]])
    #expect(outcome.problem == ItemProblem(line: 3, message: "this is not UTF-8"))
  }
}
