import JSONPath
import Testing

@Suite struct NormalizedPathTests {
  @Test(
    arguments: [
      ([], "$"),
      ([.name("a"), .index(0)], "$['a'][0]"),
      ([.name("it's")], #"$['it\'s']"#),
      ([.name("a\\b\"c")], #"$['a\\b"c']"#),
      ([.name("\u{8}\t\n\u{c}\r")], #"$['\b\t\n\f\r']"#),
      ([.name("\0\u{b}\u{1f}\u{7f}")], "$['\\u0000\\u000b\\u001f\u{7f}']"),
      ([.name("é 世")], "$['é 世']"),
      ([.name("")], "$['']"),
    ] as [([NormalizedPath.Element], String)])
  func `a path is written in the canonical form`(
    elements: [NormalizedPath.Element], expected: String
  ) throws {
    let path = NormalizedPath(elements)

    #expect(path.description == expected)
    #expect(try Query(path.description).isSingular)
  }

  @Test func `a path is a query that selects its own node`() throws {
    let value: JSON = ["a": [["b'": 1, "\n": 2]], "c": .null]

    let nodes = try Query("$..*").nodes(in: value)

    #expect(nodes.count == 5)
    for node in nodes { #expect(try Query(node.location.description).nodes(in: value) == [node]) }
  }

  @Test func `paths compare names by scalars`() {
    let composed = NormalizedPath([.name("\u{e9}")])
    let decomposed = NormalizedPath([.name("e\u{301}")])

    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, composed]).count == 2)
    #expect(NormalizedPath([.index(1)]) != NormalizedPath([.name("1")]))
  }
}
