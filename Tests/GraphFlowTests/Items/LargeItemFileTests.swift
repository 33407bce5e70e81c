import GraphFlow
import JSONPath
import Testing

@testable import GraphFlow

/// Memory does not grow with the file: items are released after they are read.
struct LargeItemFileTests {
  @Test(arguments: ItemReader.Format.allCases)
  func `the reader requests no more bytes than its items need`(_ format: ItemReader.Format) throws {
    let row = "x,\"y\n\"\"z\"\"\",0123456789012345678901234567890123456789\n"
    let value = "{\"a\": \"0123456789012345678901234567890123456789\", \"b\": [1, 2]}"
    let (beginning, item) =
      switch format {
      case .csv: ("a,b,c\n", row)
      case .json: ("[1", ",\n" + value)
      case .jsonl: ("", value + "\n")
      }
    let chunk = Array(String(repeating: item, count: 200).utf8)
    var given = 0
    var reader = ItemReader(format) { _ in
      defer { given += 1 }
      return given == 0 ? Array((beginning + item).utf8) : chunk
    }
    var ahead = 0
    for count in 1...5000 {
      #expect(try reader.next() != nil)
      ahead = max(ahead, given * 200 - count)
    }
    #expect(ahead <= 600)
  }

  @Test func `the bytes in memory are those of an item and a chunk`() throws {
    let line = Array("{\"a\": 1}\n".utf8)
    var bytes = ItemBytes { size in Array(repeatElement(line, count: size / line.count).joined()) }
    var most = 0
    for _ in 0..<50_000 {
      #expect(try JSONLines.next(from: &bytes) == ["a": 1])
      most = max(most, bytes.buffer.count)
    }
    #expect(most <= 64 * 1024 + line.count)
  }

  @Test func `the loader knows the formats`() {
    #expect(
      GroupReader.itemFileExtensions == ItemReader.Format.allCases.map { ".\($0.rawValue)" })
  }
}
