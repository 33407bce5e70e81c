import GraphFlow
import JSONPath
import Testing

@testable import GraphFlow

/// YAML files as located values.
struct YAMLReadingTests {
  private func read(_ text: String) -> (node: YAMLNode?, diagnostics: [Diagnostic]) {
    YAMLNode.reading(SourceFile(path: "test.yaml", bytes: Array(text.utf8)))
  }

  private func json(_ text: String) -> JSON? {
    let (node, diagnostics) = read(text)
    guard let node, diagnostics.isEmpty else { return nil }
    let reader = FieldReader(SourceFile(path: "test.yaml", bytes: []))
    return reader.value(node, "a value")
  }

  @Test(arguments: [
    ("a: 1\nb: [x, 'y', \"z\\n\"]\n", #"{"a":1,"b":["x","y","z\n"]}"#),
    ("a: yes\nb: NO\nc: true\nd: ~\ne:\n", #"{"a":"yes","b":"NO","c":true,"d":null,"e":null}"#),
    ("a: |\n  one\n  two\nb: >\n  one\n  two\n", #"{"a":"one\ntwo\n","b":"one two\n"}"#),
    ("\u{feff}a: 1\n", #"{"a":1}"#),
    ("a: 1\r\nb: 2\r\n", #"{"a":1,"b":2}"#),
    ("%YAML 1.2\n---\na: 1\n...\n", #"{"a":1}"#),
    ("a: !!str 1\nb: !!int \"2\"\nc: !!float 3\nd: ! 4\n", #"{"a":"1","b":2,"c":3,"d":"4"}"#),
    ("a: !!map {b: c}\nd: !!seq [e]\n", #"{"a":{"b":"c"},"d":["e"]}"#),
    ("{\"a\": {\"b\": [1, 2.50, \"\\u00e9\"]}}", #"{"a":{"b":[1,2.50,"é"]}}"#),
    ("? a\n: 1\n", #"{"a":1}"#),
    ("1: a\ntrue: b\n", #"{"1":"a","true":"b"}"#),
  ])
  func `a file is read as YAML 1.2`(_ text: String, _ expected: String) {
    #expect(json(text)?.serialized() == expected)
  }

  @Test(arguments: [
    ("a: &x [1, 2]\nb: *x\n", #"{"a":[1,2],"b":[1,2]}"#),
    ("a: &x 1\nb: &x 2\nc: *x\n", #"{"a":1,"b":2,"c":2}"#),
    ("a: &x k\nb: {*x : 1}\n", #"{"a":"k","b":{"k":1}}"#),
    ("a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\n", #"{"a":{"p":1,"q":2},"b":{"p":1,"q":3}}"#),
    ("a: &x {p: 1}\nb:\n  z: 0\n  <<: *x\n", #"{"a":{"p":1},"b":{"z":0,"p":1}}"#),
    (
      "a: &x {p: 1}\nb: &y {p: 2, q: 2}\nc: {<<: [*x, *y]}\n",
      #"{"a":{"p":1},"b":{"p":2,"q":2},"c":{"p":1,"q":2}}"#
    ),
    ("a: {\"<<\": 1}\n", #"{"a":{"<<":1}}"#),
    (
      "a: &x {p: 1}\nb: &y {<<: *x, q: 2}\nc: {<<: *y}\n",
      #"{"a":{"p":1},"b":{"p":1,"q":2},"c":{"p":1,"q":2}}"#
    ),
  ])
  func `anchors, aliases and merge keys work`(_ text: String, _ expected: String) {
    #expect(json(text)?.serialized() == expected)
  }

  @Test func `values have their positions`() throws {
    let (node, _) = read("a: 1\nü: \"two\"\nlist: [x, {y: zz}]\ntext: |\n  one\n")
    guard case .mapping(let entries)? = node?.content else {
      Issue.record("no map")
      return
    }
    let places = entries.map { entry -> String in
      let (key, value) = (entry.keyLocation, entry.value.location)
      return "\(key)-\(key.endColumn) \(value)-\(value.endColumn)"
    }
    #expect(
      places == [
        "1:1-2 1:4-5", "2:1-2 2:4-9", "3:1-5 3:7-19", "4:1-5 4:7-8",
      ])
  }

  @Test func `columns are correct after a byte order mark and wide characters`() {
    let (_, diagnostics) = read("\u{feff}🎈é: {a: 1, a: 2}\n")
    #expect(diagnostics.map(\.location) == [SourceLocation(line: 1, column: 12, endColumn: 13)])
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\u{85}", "\u{2028}"])
  func `lines are counted as libyaml counts them`(_ end: String) {
    let text = "a: 1 # x\(end)b: 2\(end)# y\(end)b: 3\(end)"
    let source = SourceFile(path: "test.yaml", bytes: Array(text.utf8))
    let diagnostics = YAMLNode.reading(source).diagnostics
    #expect(diagnostics.map(\.location.line) == [4])
    #expect(diagnostics.text(in: source).contains(" 4 | b: 3\n"))
  }

  @Test func `many keys are compared in linear time`() {
    let keys = (0..<200_000).map { "k\($0): 1\n" }.joined()
    let (node, diagnostics) = read(keys + "k7: 2\nk199999: 3\n")
    #expect(node != nil)
    #expect(
      diagnostics.map(\.hint) == ["the first one is on line 8", "the first one is on line 200000"])
  }

  @Test func `aliases may expand a hundredfold and no more`() {
    // 1 + 2 keys + a list of 100 + 9 written aliases.
    let list = "[" + Array(repeating: "x", count: 100).joined(separator: ", ") + "]"
    let aliases = "[" + Array(repeating: "*a", count: 50).joined(separator: ", ") + "]"
    #expect(json("a: &a \(list)\nb: \(aliases)\n") != nil)
  }

  @Test func `a hundred levels are read`() {
    let text = "a: " + String(repeating: "[", count: 99) + String(repeating: "]", count: 99)
    #expect(read(text).diagnostics.isEmpty)
    #expect(read("a: [" + text.dropFirst(3) + "]").diagnostics.map(\.rule) == ["limit"])
  }

  @Test(arguments: ["[", "{a: ", "- ", "? "])
  func `endless nesting is refused and not followed`(_ opening: String) {
    let (node, diagnostics) = read(String(repeating: opening, count: 100_000))
    #expect(node == nil)
    #expect(diagnostics.count == 1)
  }

  @Test func `a file over the limit is refused before it is parsed`() {
    let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: 64 * 1024 * 1024 + 1)
    let (node, diagnostics) = YAMLNode.reading(SourceFile(path: "big.yaml", bytes: bytes))
    #expect(node == nil)
    #expect(diagnostics.map(\.message) == ["the file is larger than 64 MiB"])
  }
}
