import Testing

@testable import GraphFlow

/// References in texts (docs/reference/language.md, "References"), before their names are resolved.
struct TemplateScannerTests {
  /// The parts of a text in a notation for tests: `text`, `<result a $.id>`, `<!fault>`.
  private func shown(_ parts: [TemplateScanner.Part]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): return text
      case .fault: return "<!>"
      case .reference(let reference):
        let pieces = [
          reference.keyword.rawValue, reference.name?.text, reference.query?.text,
          reference.fallback.map { "|" + $0.text },
        ]
        return "<" + pieces.compactMap(\.self).joined(separator: " ") + ">"
      }
    }.joined(separator: "·")
  }

  static let forms: [(text: String, parts: String)] = [
    ("", ""),
    ("plain", "plain"),
    ("{result=a:$.id}", "<result a $.id>"),
    ("{result=a}", "<result a>"),
    ("{result=status-post:$}", "<result status-post $>"),
    ("{input=page_id}/feed", "<input page_id>·/feed"),
    ("{run=id} {run=started_at}", "<run id>· ·<run started_at>"),
    ("{item}{index}{item=$.text}", "<item>·<index>·<item $.text>"),
    ("{result=publish.post:$[0].id}", "<result publish.post $[0].id>"),
    ("?ids={result=friends:$.data[*].id}&x", "?ids=·<result friends $.data[*].id>·&x"),
  ]

  static let ends: [(text: String, parts: String)] = [
    ("{result=a:$.x[?@.n=='}']}", "<result a $.x[?@.n=='}']>"),
    ("{result=a:$.x[?@.n==\"}\"]} }", "<result a $.x[?@.n==\"}\"]>· }"),
    ("{result=a:$['}']['{']}", "<result a $['}']['{']>"),
    (#"{result=a:$['it\'s }']}"#, #"<result a $['it\'s }']>"#),
    ("{result=a:$.x[?(@.n > 1 || @.m < 2)]}", "<result a $.x[?(@.n > 1 || @.m < 2)]>"),
    ("{result=a:$.x[?match(@.n, '[a}]')]}y", "<result a $.x[?match(@.n, '[a}]')]>·y"),
    ("{result=a:$.x}}", "<result a $.x>·}"),
  ]

  static let defaults: [(text: String, parts: String)] = [
    ("{result=a:$.x | none}", "<result a $.x |none>"),
    ("{result=a:$.x|1}", "<result a $.x |1>"),
    ("{result=a | null}", "<result a |null>"),
    (#"{result=a:$.x | {"b": {"c": "}"}}}!"#, #"<result a $.x |{"b": {"c": "}"}}>·!"#),
    (#"{result=a:$.x | [1, "]}"]}"#, #"<result a $.x |[1, "]}"]>"#),
    (#"{result=a:$.x | "a \" } b"}"#, #"<result a $.x |"a \" } b">"#),
    ("{result=a:$.x[?@.a || @.b] | two words }", "<result a $.x[?@.a || @.b] |two words>"),
    ("{result=a:$.x | }", "<result a $.x |>"),
  ]

  static let literals: [(text: String, parts: String)] = [
    ("{{result=a:$.id}", "{result=a:$.id}"),
    ("a {{ b }} c", "a { b }} c"),
    ("{{{input=a}}", "{·<input a>·}"),
    ("{{{{", "{{"),
    ("{", "{"),
    ("a { b", "a { b"),
    (#"{"result": {"input": 1}}"#, #"{"result": {"input": 1}}"#),
    ("{name}", "{name}"),
    ("{}", "{}"),
    ("{0}", "{0}"),
    ("{a=b}", "{a=b}"),
    ("{ x = 1 }", "{ x = 1 }"),
    ("function() { return 1; }", "function() { return 1; }"),
    ("{item, index}", "{item, index}"),
    ("{results and more}", "{results and more}"),
    ("{très}", "{très}"),
    ("}", "}"),
  ]

  static let nearMisses = [
    "{results=a:$.id}", "{resutl=a:$.id}", "{Result=a:$.id}", "{RESULT=a}", "{ result=a:$.id}",
    "{result =a:$.id}", "{result= a:$.id}", "{result:a}", "{result.a}", "{result}",
    "{result=a$.id}", "{result=a.$.id", "{result=:$.id}", "{result=}", "{result=a",
    "{result=a:$.id",
    "{result=a:$.x[?@.n=='}", "{result=a:$[0}", "{result=a:$.x | ", "{result=a:$.x | {\"b\": 1}",
    "{inputs=a}", "{imput=a}", "{input.a}", "{inputs.a}", "{input:a}", "{input}", "{input=}",
    "{input=a b}", "{input=a:$.x}", "{input=a|b}", "{items}", "{Item}", "{ item }", "{item.text}",
    "{Index}", "{ index}", "{run}", "{run.id}", "{Run=id}", "{run=}", "{response=a:$.id}",
    "{x=a:$}", "{itm=$.a}",
  ]

  @Test(arguments: forms + ends + defaults + literals)
  func `a text is split by the rules of the language`(_ text: String, _ parts: String) {
    #expect(shown(TemplateScanner.parts(of: text)) == parts)
  }

  @Test(arguments: nearMisses)
  func `a mistyped reference is never silently text`(_ text: String) {
    let parts = TemplateScanner.parts(of: "before \(text)")
    #expect(parts.contains { if case .fault = $0 { true } else { false } }, "\(shown(parts))")
  }

  @Test func `places count characters, bytes and lines`() throws {
    let text = "é\n🎈 {result=a:$.ü}"
    let parts = TemplateScanner.parts(of: text)
    guard case .reference(let reference)? = parts.last else {
      Issue.record("no reference in \(shown(parts))")
      return
    }
    let query = try #require(reference.query)
    #expect(reference.whole.bytes == 8..<23 && query.bytes == 18..<22)
    let positions = TextPositions(
      of: YAMLNode.Scalar(text: text, style: .literal),
      at: SourceLocation(line: 1, column: 4, endColumn: 5),
      in: SourceLines(of: Array("a: |\n  é\n  🎈 {result=a:$.ü}\n".utf8)))
    let whole = positions.location(of: reference.whole.bytes)
    #expect(whole == SourceLocation(line: 3, column: 5, endColumn: 19))
    let place = positions.location(of: query.bytes)
    #expect(place == SourceLocation(line: 3, column: 15, endColumn: 18))
    #expect(positions.location(ofCharacters: 14..<17) == place)
  }

  @Test func `positions in a long text are found from the index before them`() {
    let text = String(repeating: "é🎈\n", count: 200)
    let positions = TextPositions(
      of: YAMLNode.Scalar(text: text, style: .literal),
      at: SourceLocation(line: 1, column: 4, endColumn: 5),
      in: SourceLines(of: Array(("a: |\n" + text.replacing("é", with: "  é")).utf8)))
    for line in [0, 35, 36, 37, 73, 199] {
      let place = positions.location(of: line * 7 + 2..<line * 7 + 6)
      #expect(place == SourceLocation(line: line + 2, column: 4, endColumn: 5))
      #expect(positions.location(ofCharacter: line * 3 + 1) == place)
      #expect(positions.location(ofCharacter: 1, from: line * 7) == place)
    }
  }

  @Test(arguments: [
    ("{{ inputs.x }}", ["inputs.x"]), ("a ${x} b", ["x"]), ("${{ x }}", ["x"]), ("%{x}", ["x"]),
    ("{x} {y.z}", ["x", "y.z"]), ("{{x} {x}}", ["x"]), ("{{input=x}}", ["input=x"]),
    ("{{result=a:$.id} {}", []), ("{\"a\": 1}", []), ("{{ a, b }}", []), ("${", []), ("{{x", []),
    ("é${x}", ["x"]),
  ])
  func `placeholders of other tools stay text and are noted`(_ text: String, _ names: [String]) {
    let (parts, foreign, _) = TemplateScanner.scan(text)
    #expect(foreign.map(\.name) == names)
    for placeholder in foreign {
      let start = text.utf8.index(text.startIndex, offsetBy: placeholder.whole.bytes.lowerBound)
      let end = text.utf8.index(text.startIndex, offsetBy: placeholder.whole.bytes.upperBound)
      #expect(String(text[start..<end]) == placeholder.whole.text)
    }
    let hasReference = parts.contains { if case .reference = $0 { true } else { false } }
    #expect(!hasReference)
  }

  @Test(arguments: [
    ("{input=a}}", 1), ("{input=a}} {input=b}}", 2), ("{\"x\": {input=a}}", 0), ("{input=a} }", 0),
    ("{{{input=a}}", 0), ("} {input=a}}", 1), ("{ {input=a}} }", 0),
  ])
  func `an unmatched closing brace is noted`(_ text: String, _ count: Int) {
    #expect(TemplateScanner.scan(text).strayBraces.count == count)
  }

  @Test(arguments: [
    ("$.a == {input=a} && {result=b:$.c} > 1", "<input a>·<result b $.c>"),
    ("'{name}' == $.x", ""),
    ("$['{result=a}'] == 1", "<!>"),
    ("$.a == '{input=a}'", "<!>"),
    ("$.a == \"{input=a}\"", "<!>"),
    (#"$.a == 'it\'s {' && {input=a}"#, "<input a>"),
    ("{results=a:$.id} == 1", "<!>"),
    ("'{result=a:' == {input=b}", "<input b>"),
  ])
  func `operands are outside of quotes`(_ expression: String, _ parts: String) {
    #expect(shown(TemplateScanner.operands(of: expression)) == parts)
  }
}
