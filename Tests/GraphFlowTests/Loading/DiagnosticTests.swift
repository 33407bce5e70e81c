import JSONPath
import Testing

@testable import GraphFlow

/// The output formats of diagnostics.
struct DiagnosticTests {
  private func text(
    _ line: String, _ columns: Range<Int>, hint: String? = nil, color: Bool = false
  ) -> String {
    let diagnostic = Diagnostic(
      rule: "some-rule", message: "it is wrong", file: "a.yaml",
      location: SourceLocation(line: 1, column: columns.lowerBound, endColumn: columns.upperBound),
      hint: hint)
    return [diagnostic].text(in: SourceFile(path: "a.yaml", bytes: Array(line.utf8)), color: color)
  }

  @Test func `a diagnostic shows place, message, rule, line and caret`() {
    #expect(
      text("get: meh", 6..<9, hint: "did you mean 'me'?") == """
        a.yaml:1:6: error: it is wrong [some-rule]
            1 | get: meh
              |      ^~~ did you mean 'me'?

        """)
  }

  @Test(arguments: [
    ("é: x", 4..<5, "é: x", "   ^"),
    ("日本: x", 5..<6, "日本: x", "      ^"),
    ("e\u{301}: x", 5..<6, "e\u{301}: x", "   ^"),
    ("\ta: x", 2..<3, " a: x", " ^"),
    ("a\u{1b}[31mb: x", 7..<8, "a\\u{1b}[31mb: x", "           ^"),
    ("a\u{202e}b", 2..<3, "a\\u{202e}b", " ^~~~~~~~"),
    ("ab", 9..<12, "ab", "  ^"),
  ])
  func `the caret is in the column of the character on a terminal`(
    _ line: String, _ columns: Range<Int>, _ shown: String, _ caret: String
  ) {
    let lines = text(line, columns).split(separator: "\n")
    #expect(lines[1] == "    1 | " + shown)
    #expect(lines[2] == "      | " + caret)
  }

  @Test func `a long line is shown around the caret`() {
    let line = String(repeating: "a", count: 5000) + "b" + String(repeating: "c", count: 5000)
    let lines = text(line, 5001..<5002).split(separator: "\n")
    #expect(lines[1].unicodeScalars.count < 140)
    #expect(lines[1].contains("…aaa") && lines[1].contains("ccc…"))
    let caret = lines[2].unicodeScalars.count - 1
    #expect(Array(lines[1].unicodeScalars)[caret] == "b")
  }

  @Test func `colours are added on request only`() {
    #expect(!text("get: meh", 6..<9).contains("\u{1b}"))
    let colored = text("get: meh", 6..<9, color: true)
    #expect(colored.contains("\u{1b}[1;31merror:\u{1b}[0m"))
    #expect(colored.contains("\u{1b}[1;31m^~~\u{1b}[0m"))
  }

  @Test func `tokens are masked wherever they come from`() {
    let token = "EAAB" + String(repeating: "x1", count: 20)
    let app = "1234567890|" + String(repeating: "s", count: 27)
    let diagnostic = Diagnostic(
      rule: "some-rule", message: "unknown key '\(token)'", file: "\(token).yaml", location: .start,
      hint: "did you mean \(app)?")
    let source = SourceFile(path: "x", bytes: Array("a: \(token) \(app)".utf8))
    let everything =
      [diagnostic].text(in: source) + [diagnostic].text(in: nil) + [diagnostic].json.serialized()
    #expect(!everything.contains("x1x1") && !everything.contains("sss"))
    #expect(
      TokenShape.masking("EAA is no token, EAAB neither, 12|34 nor 1234567|abc")
        == "EAA is no token, EAAB neither, 12|34 nor 1234567|abc")
    #expect(TokenShape.masking("xEAAB" + String(repeating: "x1", count: 20)).contains("x1"))
  }

  @Test func `without the file there is no line, and the hint joins the message`() {
    let diagnostic = Diagnostic(
      severity: .warning, rule: "r", message: "m", file: "f", location: .start, hint: "h")
    #expect([diagnostic].text(in: nil) == "f:1:1: warning: m; h [r]\n")
  }

  @Test func `the JSON form has its documented members`() {
    let diagnostic = Diagnostic(
      rule: "unknown-key", message: "m", file: "f.yaml",
      location: SourceLocation(line: 3, column: 5, endColumn: 9), hint: "h", fix: "get")
    #expect(
      [diagnostic].json.serialized() == """
        [{"file":"f.yaml","line":3,"column":5,"end_column":9,"severity":"error",\
        "rule":"unknown-key","message":"m; h","fix":"get"}]
        """)
  }

  @Test func `a large number of problems is truncated and counted`() {
    let keys = "graphflow: 1\n" + (0..<20_000).map { "k\($0): 1\n" }.joined()
    let source = SourceFile(path: "a.yaml", bytes: Array(keys.utf8))
    let (workflow, diagnostics) = Workflow.reading(source)
    #expect(workflow == nil)
    #expect(diagnostics.count == Findings.maximumCount + 1)
    #expect(diagnostics.last?.message == "10001 more problems are not shown")
  }

  @Test(arguments: [
    ("a", ["a"]), ("a\n", ["a", ""]), ("a\r\nb", ["a", "b"]), ("a\rb", ["a", "b"]), ("", [""]),
    ("\n\n", ["", "", ""]), ("\n\r\r\n", ["", "", "", ""]),
    ("a\u{85}b\u{2028}c\u{2029}", ["a", "b", "c", ""]),
  ])
  func `lines end as they do in YAML`(_ text: String, _ expected: [String]) {
    let bytes = Array(text.utf8)
    func line(_ number: Int) -> String? { SourceLines(of: bytes, upTo: number).line(number) }
    #expect((1...expected.count).map(line) == expected)
    #expect(line(expected.count + 1) == nil)
    #expect(line(0) == nil)
  }

  @Test func `a digest is the SHA-256 of the bytes`() {
    #expect(
      SourceFile(path: "x", bytes: Array("abc".utf8)).digest
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
