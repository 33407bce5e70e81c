import JSONPath
import Testing

@testable import GraphAPI

/// What is held of a large answer while it comes in.
struct AnswerScannerTests {
  private let limit = 10_000

  private func scan(_ parts: [[UInt8]]) -> (held: [UInt8], isUnusable: Bool) {
    var scanner = AnswerScanner(bodyLimit: limit)
    var held = AnswerBuffer()
    for part in parts { part.withUnsafeBufferPointer { scanner.append($0, to: &held) } }
    return (held.joined, scanner.isUnusable)
  }

  @Test(arguments: [
    "", "[]", " [1, {\"a\": \"[[[\"}, \"\\\"\\\\\\u0041\"]", "{\"data\":[]}", "\"text\"",
    "[null,{}]",
  ])
  func `an answer is held as it comes, in whatever pieces`(_ text: String) {
    let bytes = Array(text.utf8)
    let whole = scan([bytes])
    let single = scan(bytes.map { [$0] })

    #expect(whole.held == bytes && !whole.isUnusable)
    #expect(single.held == bytes && !single.isUnusable)
  }

  @Test(arguments: ["<html>", "true", "0", "\0", "}", "\u{FEFF}["])
  func `what does not begin like an answer is hopeless`(_ text: String) {
    #expect(scan([Array(text.utf8)]).isUnusable)
  }

  @Test func `brackets and blanks without end are hopeless`() {
    #expect(scan([[UInt8](repeating: 0x5B, count: 2001)]).isUnusable)
    #expect(!scan([[UInt8](repeating: 0x5B, count: 2000)]).isUnusable)
    #expect(scan([[0x5B], [UInt8](repeating: 0x20, count: 1 << 20 + 1)]).isUnusable)
    #expect(!scan([[0x5B, 0x22], [UInt8](repeating: 0x20, count: 1 << 20 + 1)]).isUnusable)
  }

  @Test func `one body is hopeless beyond its limit, fifty are not`() {
    let text = [[0x22], [UInt8](repeating: 0x61, count: 9000), [0x22, 0x2C]]
    let texts = [[[UInt8]]](repeating: text, count: 49).flatMap { $0 }

    #expect(!scan([[0x5B]] + texts).isUnusable)
    #expect(scan([[0x5B]] + texts + text).isUnusable)
    #expect(scan([[0x7B]] + texts).isUnusable)
  }

  @Test(arguments: [
    [0x61], Array("\\n".utf8), Array("\\u00e9".utf8), Array("\\\\".utf8), Array("a\\\"".utf8),
  ])
  func `the rest of a text that is too long is not held, and what follows is`(
    _ unit: [UInt8]
  ) throws {
    let part = (0..<100).flatMap { _ in unit }
    let beginning = Array("[{\"body\":\"".utf8)
    let end = Array("\"},{\"code\":200}]".utf8)
    let count = 250

    let (held, isUnusable) = scan([beginning] + [[UInt8]](repeating: part, count: count) + [end])

    #expect(!isUnusable)
    #expect(held.count < beginning.count + part.count * count)
    let document = try JSON.Document(parsing: held)
    let elements = try #require(document.value.elements)
    #expect(elements.count == 2)
    let body = try #require(elements[0]["body"]?.unescaped)
    #expect(body.count > limit)
  }
}
