import JSONPath
import Testing

struct JSONItemsTests {
  private static let text = #"""
    [{"code":200,"headers":[{"a":"\n"}],"body":"{\"a\":\"\\u00e9\"}\n\ud83d\ude00é\ud83d\/","x":""},
     3, {"body":"one","b\u006fdy":"two"}]
    """#

  @Test func `members of items are found, and their strings are unescaped`() throws {
    let items = try JSONItems(parsing: Array(Self.text.utf8))
    func string(_ name: String, of item: Int) -> String? {
      items.member(name, of: item).flatMap { items.string(of: $0) }
        .map { String(decoding: $0, as: UTF8.self) }
    }
    func written(_ name: String, of item: Int) -> String? {
      items.member(name, of: item).map { String(decoding: items.text(of: $0), as: UTF8.self) }
    }

    #expect(items.count == 3)
    #expect(string("body", of: 0) == "{\"a\":\"\\u00e9\"}\n\u{1f600}é\u{fffd}/")
    #expect(string("x", of: 0) == "" && written("x", of: 0) == "\"\"")
    #expect(string("code", of: 0) == nil && written("code", of: 0) == "200")
    #expect(written("headers", of: 0) == #"[{"a":"\n"}]"#)
    #expect(items.member("body", of: 1) == nil && items.member("none", of: 0) == nil)
    #expect(string("body", of: 2) == "two")
    #expect(try JSONItems(parsing: Array("{}".utf8)).count == 0)
  }

  @Test func `a damaged text has the error of a document`() {
    let bytes = Array(Self.text.utf8)
    for index in bytes.indices {
      for byte in [0, 0x1f, 0x22, 0x5c, 0x75, 0x7a, 0x80, 0xc3, 0xff] as [UInt8] {
        var damaged = bytes
        damaged[index] = byte
        for text in [damaged, Array(damaged[...index])] {
          #expect(error { _ = try JSONItems(parsing: text) } == error { try JSON.check(text) })
        }
      }
    }
  }

  private func error(_ parse: () throws -> Void) -> JSON.SyntaxError? {
    do {
      try parse()
      return nil
    } catch {
      return error as? JSON.SyntaxError
    }
  }
}
