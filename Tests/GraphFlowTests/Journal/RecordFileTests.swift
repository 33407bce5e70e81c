import GraphFlow
import TestSupport
import Testing

/// Files of records: whole or not at all.
struct RecordFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func records(_ file: RecordFile) throws -> [String: String] {
    var found: [String: String] = [:]
    try file.readAll { key, value in found[key] = String(decoding: value, as: UTF8.self) }
    return found
  }

  @Test func `records are still there when the file is opened again`() throws {
    let path = folder.path + "/a.records"
    do {
      let file = try RecordFile(path: path)
      try file.change([("a", Array("1".utf8)), ("b", Array("✓".utf8)), ("c", [])])
      try file.change([("a", Array("2".utf8)), ("c", nil), ("nothing", nil)])
    }

    #expect(try records(RecordFile(path: path)) == ["a": "2", "b": "✓"])
  }

  @Test func `a file belongs to one process at a time`() throws {
    let path = folder.path + "/a.records"
    let file = try RecordFile(path: path)
    try file.change([("a", [])])

    #expect(throws: JournalError.self) { try RecordFile(path: path) }
    #expect(try records(file) == ["a": ""])
  }

  @Test func `a damaged file is an error of its own, and a visitor's error passes through`() throws
  {
    struct Refusal: Error {}
    let path = folder.path + "/c.records"
    do {
      let file = try RecordFile(path: path)
      try file.change((0..<2000).map { ("\($0)", [UInt8](repeating: 7, count: 90)) })
      #expect(throws: Refusal.self) { try file.readAll { _, _ in throw Refusal() } }
      #expect(try records(file).count == 2000)
    }
    let bytes = try contents(of: path)
    let kept = bytes.prefix(3 * 4096)
    try ScratchFolder.write(
      kept + [UInt8](repeating: 0xEE, count: bytes.count - kept.count), to: path)

    let file = try RecordFile(path: path)
    let error = #expect(throws: JournalError.self) { try records(file) }
    #expect(error?.kind == .damaged)
  }

  @Test func `a file without records is refused and unchanged`() throws {
    let path = folder.path + "/b.records"
    try ScratchFolder.write(Array("hello, this is a text and nothing else".utf8), to: path)

    #expect(throws: JournalError.self) { try RecordFile(path: path) }
    #expect(try text(of: path) == "hello, this is a text and nothing else")
  }
}
