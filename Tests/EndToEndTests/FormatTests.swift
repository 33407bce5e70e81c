import CommandHarness
import JSONPath
import TestSupport
import Testing

/// All four values of `validate --format` report the same.
struct FormatTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  /// A note, a warning and two errors, with every character that a format has to escape.
  private static let file = """
    graphflow: 1
    permissions: [publish_actions]
    requests:
      a: {get: /me}
      b: {gte: me}
      "c, %0A::error::\\"d\\" ü <x>\\n": {get: me}

    """

  /// What every format has to report.
  private struct Finding: Hashable {
    var severity: String
    var rule: String
    var line: Int
    var column: Int
    var message: String
  }

  private func validate(_ format: String) throws -> String {
    try graphflow.folder.write(Self.file, to: "a b.yaml")
    let outcome = try graphflow(
      "validate", "--format", format, "a b.yaml", in: graphflow.folder.path)
    #expect(outcome.code == 65)
    #expect(outcome.error == "")
    return outcome.output
  }

  private func findings() throws -> [Finding] {
    let list = try JSON(parsing: try validate("json"))
    return try #require(list.array).map { item in
      let names = ["file", "line", "column", "end_column", "severity", "rule", "message", "fix"]
      #expect(item.object?.names == names)
      #expect(item["file"] == "a b.yaml")
      return Finding(
        severity: try #require(item["severity"]?.string), rule: try #require(item["rule"]?.string),
        line: try #require(item["line"]?.integer), column: try #require(item["column"]?.integer),
        message: try #require(item["message"]?.string))
    }
  }

  @Test func `the file has every severity`() throws {
    let found = try findings()
    #expect(Set(found.map(\.severity)) == ["error", "warning", "note"])
    #expect(found.map(\.line) == [2, 4, 5, 6])
    #expect(found.last?.message.contains("c, %0A::error::\"d\" ü <x>") == true)
  }

  @Test func `SARIF agrees with JSON`() throws {
    let log = try JSON(parsing: try validate("sarif"))
    let results = try Query("$.runs[*].results[*]").values(in: log).map { result in
      let region = result["locations"]?[0]?["physicalLocation"]?["region"]
      let message = try #require(result["message"]?["text"]?.string)
      return Finding(
        severity: try #require(result["level"]?.string),
        rule: try #require(result["ruleId"]?.string),
        line: try #require(region?["startLine"]?.integer),
        column: try #require(region?["startColumn"]?.integer),
        // A viewer shows the text as it is, so a line break is escaped.
        message: message.replacing("\\u{a}", with: "\n"))
    }
    #expect(results == (try findings()))
  }

  @Test func `GitHub's commands agree with JSON`() throws {
    let pattern =
      /::(\w+) file=a b.yaml,line=(\d+),endLine=\d+,col=(\d+),endColumn=\d+,title=([a-z-]+)::(.*) \[([a-z-]+)\]/
    let found = try validate("github").split(separator: "\n").map { line in
      let match = try #require(try pattern.wholeMatch(in: line), "\(line)")
      #expect(match.4 == match.6)
      return Finding(
        severity: match.1 == "notice" ? "note" : String(match.1), rule: String(match.4),
        line: try #require(Int(match.2)), column: try #require(Int(match.3)),
        message: String(match.5).replacing("%25", with: "%").replacing("\\u{a}", with: "\n"))
    }
    #expect(found == (try findings()))
  }

  @Test func `text agrees with JSON`() throws {
    let pattern = /a b.yaml:(\d+):(\d+): (\w+): (.*) \[([a-z-]+)\]/
    let lines = try validate("text").split(separator: "\n")
    let found = try lines.compactMap { try pattern.wholeMatch(in: $0) }
    let expected = try findings()
    try #require(found.count == expected.count && lines.count == 3 * found.count)
    for (match, finding) in zip(found, expected) {
      #expect(match.1 == "\(finding.line)" && match.2 == "\(finding.column)")
      #expect(match.3 == finding.severity && match.5 == finding.rule)
      #expect(finding.message.hasPrefix(String(match.4).replacing("\\u{a}", with: "\n")))
    }
    for (caret, finding) in zip(lines.enumerated().filter { $0.offset % 3 == 2 }, expected) {
      let hint = caret.element.drop { " |^~".contains($0) }
      #expect(hint.isEmpty || finding.message.hasSuffix("; " + hint), "\(caret.element)")
    }
  }

  @Test func `quiet does not change the diagnostics`() throws {
    for format in ["text", "json", "sarif", "github"] {
      let verbose = try validate(format)
      let quiet = try graphflow(
        "validate", "--quiet", "--format", format, "a b.yaml", in: graphflow.folder.path)
      #expect(quiet.output == verbose)
    }
  }
}
