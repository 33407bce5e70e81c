import GraphFlow
import JSONPath
import Testing

/// Files other than workflows: faults and worlds of the sandbox.
struct FieldReaderTests {
  private static func reader(_ text: String) -> FieldReader {
    FieldReader(SourceFile(path: "x.yaml", bytes: Array(text.utf8)))
  }

  private enum Word: String, CaseIterable {
    case before
    case after
  }

  @Test func `every kind of value is read`() throws {
    let reader = Self.reader(
      "text: a\nflag: true\ncount: 3\nrate: 0.5\nword: after\nwait: 2s\nany: {a: [1, null]}\n")
    let keys = ["text", "flag", "count", "rate", "word", "wait", "any", "more"]
    let root = try #require(reader.root)
    let found = reader.members(of: root, "the file", known: keys)
    let members = try #require(found)
    func node(_ key: String) throws -> YAMLNode { try #require(members[key]) }
    let text = try reader.filledText(node("text"), "x")
    let flag = try reader.boolean(node("flag"), "x")
    let count = try reader.integer(node("count"), "x", in: 1...3)
    let rate = try reader.number(node("rate"), "x", in: 0...1)
    let word = try reader.choice(node("word"), "x", of: Word.self)
    let wait = try reader.duration(node("wait"), "x")
    let any = try reader.value(node("any"), "x")
    #expect(text == "a" && flag == true && count == 3 && rate == 0.5)
    #expect(word == .after && wait == .seconds(2) && any == ["a": [1, .null]])
    #expect(!members.mentions("more"))
    #expect(members.entries.map(\.key) == Array(keys.dropLast()))
    #expect(reader.diagnostics.isEmpty && !reader.hasErrors)
  }

  @Test(arguments: [
    ("cuont: 1", "1:1: unknown key 'cuont' in the file; did you mean 'count'?"),
    ("colour: 1", "1:1: unknown key 'colour' in the file; expected one of: count, rate, word"),
    ("count: 9", "1:8: 'count' must be 3 or less, not 9"),
    ("count: 0", "1:8: 'count' must be 1 or more, not 0"),
    ("count: many", "1:8: 'count' takes a whole number, but this is text"),
    ("rate: 1.5", "1:7: 'rate' must be from 0 to 1, not 1.5"),
    ("rate: [1]", "1:7: 'rate' takes a number, but this is a list"),
    ("word: befor", "1:7: 'word' must be before or after, not 'befor'; did you mean 'before'?"),
    ("- 1", "1:1: the file takes a map, but this is a list"),
  ])
  func `an error is located and has a hint`(_ text: String, _ expected: String) throws {
    let reader = Self.reader(text)
    let root = try #require(reader.root)
    if let members = reader.members(of: root, "the file", known: ["count", "rate", "word"]) {
      if let node = members["count"] { _ = reader.integer(node, Subject(key: "count"), in: 1...3) }
      if let node = members["rate"] { _ = reader.number(node, Subject(key: "rate"), in: 0...1) }
      if let node = members["word"] { _ = reader.choice(node, Subject(key: "word"), of: Word.self) }
    }
    let found = reader.diagnostics.map {
      "\($0.location.line):\($0.location.column): \($0.message)" + ($0.hint.map { "; \($0)" } ?? "")
    }
    #expect(found == [expected])
    #expect(reader.hasErrors)
  }

  @Test func `a file that is not YAML has no root and a diagnostic`() {
    let reader = Self.reader("a: [1")
    #expect(reader.root == nil)
    #expect(reader.diagnostics.count == 1)
  }
}
