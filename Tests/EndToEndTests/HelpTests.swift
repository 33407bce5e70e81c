import CommandHarness
import Testing

/// The help is part of the interface, so a golden file shows each change.
struct HelpTests {
  static let commands = [
    "run", "plan", "explain", "curl", "validate", "fmt", "test", "resume", "init", "get", "post",
    "delete", "sandbox",
    "query", "explain-error", "doctor", "schema", "completions", "runs", "report", "bundle",
    "schedule", "export",
    "login", "logout", "whoami", "permissions", "state",
  ]

  /// The commands that others have.
  static let nested: [(command: String, of: String)] = [
    ("runs", ["list", "show", "watch", "cancel", "rm", "prune"]),
    ("permissions", ["list", "explain", "request", "revoke"]),
    ("state", ["list", "show", "reset", "set", "migrate", "check"]),
  ].flatMap { group, commands in commands.map { ($0, group) } }

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  @Test func `the overview names every command`() throws {
    let outcome = try graphflow("--help")

    expectGolden(outcome.output, named: "help/graphflow.txt")
    for command in HelpTests.commands { #expect(outcome.output.contains("\n  \(command) ")) }
    #expect(!outcome.output.contains("bench"))
    #expect(outcome.code == 0)
  }

  @Test(arguments: commands)
  func `a command's help has a worked example`(_ command: String) throws {
    let outcome = try graphflow(command, "--help")

    expectGolden(outcome.output, named: "help/\(command).txt")
    #expect(outcome.output.contains("Example"))
    #expect(outcome.output.contains("graphflow \(command)"))
    #expect(outcome.error == "")
    #expect(outcome.code == 0)
  }

  @Test(arguments: nested)
  func `a nested command's help has a worked example`(_ command: String, of group: String) throws {
    let outcome = try graphflow(group, command, "--help")

    expectGolden(outcome.output, named: "help/\(group)-\(command).txt")
    #expect(outcome.output.contains("Example"))
    #expect(outcome.output.contains("graphflow \(group) \(command)"))
    #expect(outcome.code == 0)
  }

  @Test func `the export for Airflow has a worked example`() throws {
    let outcome = try graphflow("export", "airflow", "--help")

    expectGolden(outcome.output, named: "help/export-airflow.txt")
    #expect(outcome.output.contains("Example"))
  }

  @Test func `the version is one line`() throws {
    let outcome = try graphflow("--version")

    #expect(outcome.output.wholeMatch(of: /graphflow \d+\.\d+\.\d+\n/) != nil)
    #expect(outcome.error == "")
    #expect(outcome.code == 0)
  }
}
