import GraphFlow
import JSONPath
import Testing

/// The common behavior of all formats.
struct ItemReaderTests {
  @Test(arguments: [
    ("posts.csv", ItemReader.Format.csv), ("a/b.JSON", .json), ("x.jsonl", .jsonl),
    ("x.json.csv", .csv),
  ])
  func `a format is known by the file's ending`(_ name: String, _ format: ItemReader.Format) {
    #expect(ItemReader.Format(fileName: name) == format)
  }

  @Test(arguments: ["posts", "posts.xml", "csv", "a.csv/b", ""])
  func `another file extension is not a format`(_ name: String) {
    #expect(ItemReader.Format(fileName: name) == nil)
  }

  private static let files: [(ItemReader.Format, String)] = [
    (.csv, "\u{FEFF}a,b\r\n1,\"x \"\"y\"\"\r\nz, \"\r\n\"\",ü€😀\r\n"),
    (.csv, "a\n\n\"\"\nx"),
    (.csv, "a,b\n1,2\n3\n4,5\n"),
    (.csv, "a,b\n1,\"2\n3,4\n"),
    (.csv, "a,b\n1,2\"\n3,4\n"),
    (.json, "\u{FEFF} [ {\"a\": [1, \"],\\\"\"]},\n\"ü€😀\\\\\",\n3 , null,[]\n] \n"),
    (.json, "[1, {\"a\":\n1]}, 3]"),
    (.json, "[1, 2"),
    (.json, "[1] 2"),
    (.jsonl, "\u{FEFF}{\"a\": 1}\r\n\n  \t\r\n\"ü€😀\"\n[1,\n"),
    (.jsonl, "1\n2"),
  ]

  @Test(arguments: files)
  func `the chunk size does not change the items`(
    _ format: ItemReader.Format, _ text: String
  ) throws {
    let whole = try ItemSample.read(format, text, chunkSize: text.utf8.count)
    #expect(!whole.items.isEmpty || whole.problem != nil)
    for size in 1..<text.utf8.count {
      #expect(try ItemSample.read(format, text, chunkSize: size) == whole, "\(size)")
    }
  }

  @Test(arguments: files)
  func `a file that is truncated or has a wrong byte is read or refused`(
    _ format: ItemReader.Format, _ text: String
  ) throws {
    let bytes = Array(text.utf8)
    for length in bytes.indices {
      let short = try ItemSample.read(format, Array(bytes[..<length]), chunkSize: 3)
      #expect(short.items.count <= bytes.count)
      for byte in [0x00, 0x22, 0x2C, 0x0A, 0x0D, 0x5B, 0x5D, 0x5C, 0xFF] as [UInt8] {
        var broken = bytes
        broken[length] = byte
        let outcome = try ItemSample.read(format, broken, chunkSize: 7)
        #expect((outcome.problem?.line ?? 1) <= 1 + broken.count { $0 == 0x0A })
      }
    }
  }

  @Test(arguments: files.filter { $0.0 == .csv }.map(\.1))
  func `fields that are not needed are null, and their faults are found`(_ text: String) throws {
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      for byte in [bytes[place], 0x22, 0x2C, 0x0A, 0x0D, 0xFF] {
        var file = bytes
        file[place] = byte
        let whole = try ItemSample.read(.csv, file)
        for needed in [["a"], ["b"], []] as [Set<String>] {
          let part = try ItemSample.read(.csv, file, needing: needed)
          #expect(part.problem == whole.problem)
          let expected = whole.items.map { item in
            JSON.object(
              JSON.Object((item.object ?? [:]).map { ($0, needed.contains($0) ? $1 : .null) }))
          }
          #expect(part.items == expected)
        }
      }
    }
  }

  @Test(arguments: ItemReader.Format.allCases)
  func `a problem is thrown again`(_ format: ItemReader.Format) {
    var reader = ItemSample.reader(format, Array("\"".utf8), chunkSize: 1)
    for _ in 0..<3 { #expect(throws: ItemProblem.self) { try reader.next() } }
  }

  @Test(arguments: ItemReader.Format.allCases)
  func `there is no item after the last one`(_ format: ItemReader.Format) throws {
    let text = [ItemReader.Format.csv: "a\n1\n", .json: "[1]", .jsonl: "1\n"][format] ?? ""
    var reader = ItemSample.reader(format, Array(text.utf8), chunkSize: 100)
    #expect(try reader.next() != nil)
    for _ in 0..<3 { #expect(try reader.next() == nil) }
  }

  private struct Unreadable: Error {}

  @Test(arguments: ItemReader.Format.allCases)
  func `errors of the source are rethrown`(_ format: ItemReader.Format) {
    var reader = ItemReader(format) { _ in throw Unreadable() }
    #expect(throws: Unreadable.self) { try reader.next() }
  }

  @Test(arguments: [
    (ItemReader.Format.csv, "a\n\""), (.json, "[\""), (.jsonl, "\""),
  ])
  func `an endless item is refused before it fills the memory`(
    _ format: ItemReader.Format, _ beginning: String
  ) {
    let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    var given = 0
    var reader = ItemReader(format) { _ in
      defer { given += 1 }
      return given == 0 ? Array(beginning.utf8) : chunk
    }
    #expect(throws: ItemProblem.self) { try reader.next() }
    #expect(given <= 20)
  }

  @Test func `a problem has its line number`() {
    #expect(
      ItemProblem(line: 3, message: "expected a value").description == "line 3: expected a value")
  }
}
