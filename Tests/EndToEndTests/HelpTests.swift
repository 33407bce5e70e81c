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

  static let runsCommands = ["list", "show", "watch", "cancel", "rm", "prune"]

  static let permissionsCommands = ["list", "explain", "request", "revoke"]

  static let stateCommands = ["list", "show", "reset", "set", "migrate", "check"]

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

  @Test(arguments: runsCommands)
  func `each command about runs has a worked example`(_ command: String) throws {
    let outcome = try graphflow("runs", command, "--help")

    expectGolden(outcome.output, named: "help/runs-\(command).txt")
    #expect(outcome.output.contains("Example"))
    #expect(outcome.output.contains("graphflow runs \(command)"))
    #expect(outcome.code == 0)
  }

  @Test(arguments: stateCommands)
  func `each command about states has a worked example`(_ command: String) throws {
    let outcome = try graphflow("state", command, "--help")

    expectGolden(outcome.output, named: "help/state-\(command).txt")
    #expect(outcome.output.contains("graphflow state \(command)"))
    #expect(outcome.code == 0)
  }

  @Test(arguments: permissionsCommands)
  func `each command about permissions has a worked example`(_ command: String) throws {
    let outcome = try graphflow("permissions", command, "--help")

    expectGolden(outcome.output, named: "help/permissions-\(command).txt")
    #expect(outcome.output.contains("graphflow permissions \(command)"))
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
