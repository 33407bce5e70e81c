import JSONPath
import Testing

@testable import GraphFlow

/// No text of a workflow becomes a command to a CI system that shows the diagnostics.
struct CommandSafetyTests {
  /// A workflow with commands as names, and every character that could end a line.
  private static let hostile = """
    graphflow: 1
    "::error file=x::y": 1
    "a%0A::set-output name=a::b": 1
    "b\\r\\n::stop-commands::t": 1
    "c,line=1::d": 1
    "d\\u2028::e \\u0085::f": 1
    "##[add-mask]g ##vso[task.setvariable]h": 1
    requests:
      a: {get: me, params: {x: "{result=::error::}", y: "{result=a\\n::warning::b:$}"}}
    """

  private func found(path: String) -> (source: SourceFile, diagnostics: [Diagnostic]) {
    let source = SourceFile(path: path, bytes: Array(Self.hostile.utf8))
    return (source, Workflow.reading(source).diagnostics)
  }

  @Test(arguments: [
    "a.yaml", "::error::.yaml", " ::warning file=a::.yaml", "##[group].yaml", "a\n::b",
  ])
  func `diagnostics as text hold no command`(_ path: String) {
    let (source, diagnostics) = found(path: path)
    #expect(diagnostics.count >= 7)
    #expect(RunnerCommand.commands(in: diagnostics.text(in: source)) == [])
    #expect(RunnerCommand.commands(in: diagnostics.text(in: nil)) == [])
  }

  @Test(arguments: ["a.yaml", "a,line=7::b.yaml", "a\r\n::c%0A.yaml"])
  func `each annotation is one line with nothing but its content`(_ path: String) {
    let (_, diagnostics) = found(path: path)
    let lines = diagnostics.gitHubCommands.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == diagnostics.count + 1 && lines.last == "")
    for (line, diagnostic) in zip(lines, diagnostics) {
      #expect(line.hasPrefix("::error file="))
      // The first `::` after the command's own ends its properties.
      let end = line.dropFirst(2).firstRange(of: "::")
      let properties = line.dropFirst(8)[..<(end?.lowerBound ?? line.endIndex)]
      #expect(properties.split(separator: ",").count == 6, "\(line)")
      #expect(properties.contains(",line=\(diagnostic.location.line),"))
      #expect(line.allSatisfy { !$0.isNewline })
      #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) })
    }
  }

  /// The commands that a CI system reads from all output formats for a file.
  private func check(_ file: String, path: String = "::a,b%0A.yaml") -> Set<String> {
    let source = SourceFile(path: path, bytes: Array(file.utf8))
    let diagnostics = Workflow.reading(source).diagnostics
    #expect(RunnerCommand.commands(in: diagnostics.text(in: source)) == [], "\(file)")
    #expect(RunnerCommand.commands(in: diagnostics.text(in: nil)) == [], "\(file)")

    let commands = RunnerCommand.commands(in: diagnostics.gitHubCommands)
    #expect(commands.count == diagnostics.count, "\(file)")
    for (command, diagnostic) in zip(commands, diagnostics) {
      let place = diagnostic.location
      #expect(["error", "warning", "notice"].contains(command.name), "\(file)")
      let properties = [
        "file": path, "line": "\(place.line)", "endLine": "\(place.line)",
        "col": "\(place.column)", "endColumn": "\(place.endColumn)", "title": diagnostic.rule,
      ]
      #expect(command.properties == properties, "\(file)")
      #expect(command.message.hasPrefix(DisplayText.safe(diagnostic.message)), "\(file)")
      #expect(command.message.hasSuffix(" [\(diagnostic.rule)]"), "\(file)")
    }
    for value in [diagnostics.json, diagnostics.sarif(toolVersion: "1")] {
      let text = CommandSafeText.json(Array(value.serialized(pretty: true).utf8))
      #expect(RunnerCommand.commands(inJSON: text) == [], "\(file)")
      #expect((try? JSON(parsing: text)) == value, "\(file)")
    }
    return Set(diagnostics.map(\.rule))
  }

  @Test func `no rule passes on a command from any place of the file`() {
    var testedRules: Set<String> = []
    var number = 0
    for file in HostileTexts.corpus {
      testedRules.formUnion(check(file))
      for hostile in HostileTexts.withLines(of: file) + HostileTexts.withValues(of: file) {
        number += 1
        // A sixth of about twenty thousand places is enough; they differ from file to file.
        if number.isMultiple(of: 6) { testedRules.formUnion(check(hostile)) }
      }
    }
    #expect(number > 3000)
    // The reader does not check whether files exist.
    let untestedRules = Set(RuleID.allCases.map(\.rawValue)).subtracting(testedRules)
    #expect(untestedRules.subtracting(["missing-file"]).isEmpty, "\(untestedRules)")
  }

  @Test(arguments: [
    (###"{"a":"##[b]##vso[c]"}"###, ###"{"a":"##\u005bb]##vso\u005bc]"}"###),
    (###"["#", "##", "#[1]", "a##[[x"]"###, ###"["#", "##", "#[1]", "a##\u005b[x"]"###),
    ("[1, [2]]", "[1, [2]]"),
  ])
  func `escaped JSON has the same value`(_ text: String, _ safe: String) throws {
    let bytes = CommandSafeText.json(Array(text.utf8))
    #expect(String(decoding: bytes, as: UTF8.self) == safe)
    #expect(try JSON(parsing: bytes) == JSON(parsing: text))
  }

  @Test func `percent signs are escaped first`() {
    let diagnostic = Diagnostic(
      severity: .note, rule: "a-rule", message: "100%0A: a, b", file: "a:b,c%.yaml",
      location: SourceLocation(line: 2, column: 3, endColumn: 5), hint: "50 %")
    #expect(
      [diagnostic].gitHubCommands
        == "::notice file=a%3Ab%2Cc%25.yaml,line=2,endLine=2,col=3,endColumn=5,title=a-rule::"
        + "100%250A: a, b; 50 %25 [a-rule]\n")
  }
}
