import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The command as schedulers start it: without streams, environment or home.
struct BareProcessTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  /// Starts the command from a shell, which may close streams or empty the environment first.
  private func shell(_ line: String, environment: [String: String] = [:]) throws -> Outcome {
    let process = try ChildProcess(
      ["/bin/sh", "-c", line, try #require(GraphFlowBinary.path)],
      environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }, input: [],
      folder: CommandFixture.root)
    return try Outcome(of: process)
  }

  @Test(
    .enabled(if: access("/dev/full", W_OK) == 0), arguments: ["--help", "run --help", "--version"])
  func `help that cannot be written exits with 74`(_ words: String) throws {
    let outcome = try shell("\"$0\" \(words) >/dev/full")

    #expect(outcome.code == 74)
    #expect(outcome.error.hasPrefix("error: cannot write to standard output: "))
  }

  private static let closings = ["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"]

  @Test(arguments: closings)
  func `closed streams change neither the result nor the exit code`(_ closing: String) throws {
    let words = "workflows/post-and-verify.yaml --sandbox --state-dir '\(graphflow.state)'"
    let bad = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    get: me/nothing\n", to: "bad.yaml")

    let good = try shell("\"$0\" run \(words) \(closing)")
    let failing = try shell(
      "\"$0\" run '\(bad)' --sandbox --state-dir '\(graphflow.state)' \(closing)")

    #expect([good.code, failing.code] == [0, 1])
    // No file was opened as a standard stream: each file has its own content.
    let journals = graphflow.folder.files().filter { $0.hasSuffix("journal.sqlite") }
    #expect(journals.count == 2)
    for journal in journals {
      let bytes = try contents(of: graphflow.folder.path + "/" + journal)
      #expect(bytes.starts(with: Array("SQLite format 3".utf8)))
    }
    for report in graphflow.folder.files() where report.hasSuffix("report.json") {
      #expect(throws: Never.self) {
        try JSON(parsing: try contents(of: graphflow.folder.path + "/" + report))
      }
    }
    #expect(try graphflow("runs", "--format", "json").error == "")
  }

  @Test(.enabled(if: access("/proc/self/fd", R_OK) == 0), arguments: closings)
  func `no file is ever opened as a standard stream`(_ closing: String) throws {
    let port = try SilentPort()
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    post: me/feed\n    timeout: 2s\n", to: "slow.yaml")
    let script = """
      "$0" run '\(file)' --graph-url \(port.url) --state-dir '\(graphflow.state)' \(closing) &
      for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sleep 0.1
        ls '\(graphflow.state)/runs' > /dev/null 2>&1 && break
      done
      sleep 0.3
      for fd in 0 1 2; do readlink /proc/$!/fd/$fd; done
      wait
      """

    let outcome = try shell(script, environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])

    let links = outcome.output.split(separator: "\n").filter {
      $0.contains("/") || $0.contains(":")
    }
    #expect(!links.contains { $0.contains("graphflow") || $0.contains("socket:") }, "\(links)")
  }

  @Test func `a missing command is a usage error`() throws {
    let outcome = try graphflow()

    #expect(outcome.code == 64)
    #expect(
      outcome.error == "error: no command is given\n  `graphflow --help` lists the commands\n")
    #expect(outcome.output == "")
  }

  @Test(.enabled(if: PreloadedLibrary.arguments != nil, "there is no C compiler here"))
  func `no argument is missing after a library moves the environment before main`() throws {
    let file = try graphflow.folder.write("graphflow: 2\n", to: "two words.yaml")
    let library = ["LD_PRELOAD": try #require(PreloadedLibrary.arguments)]

    let outcome = try graphflow("validate", file, "", environment: library)

    #expect(outcome.output.contains(file + ":1:12: error: "), "\(outcome.output)")
    #expect(outcome.error.contains("error: cannot read '': "))
    #expect(outcome.code == 66)
    #expect(try graphflow(environment: library).code == 64)
  }

  @Test func `an empty environment does not change the result`() throws {
    let line = """
      env -i "$0" run workflows/post-and-verify.yaml --sandbox --state-dir '\(graphflow.state)'
      """

    let bare = try shell(line)
    let full = try graphflow("run", "workflows/post-and-verify.yaml", "--sandbox")

    #expect(bare.code == 0, "\(bare.error)")
    #expect(bare.output == full.output)
  }

  @Test func `without HOME the home comes from the user database`() throws {
    let outcome = try shell(
      "env -i XDG_STATE_HOME='\(graphflow.state)' \"$0\" run workflows/cleanup.yaml --sandbox --quiet"
    )

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output + outcome.error == "")
    #expect(graphflow.folder.files().contains { $0.hasPrefix("state/graphflow/runs/") })
  }

  @Test func `a reader that closes its pipe does not end a run`() throws {
    let state = graphflow.state
    let outcome = try shell(
      """
      { "$0" run workflows/post-and-verify.yaml --sandbox --state-dir '\(state)'; echo $? >&2; } \
      2> '\(graphflow.folder.path)/errors' | :
      tail -n 1 '\(graphflow.folder.path)/errors'
      """)

    #expect(["0\n", "74\n"].contains(outcome.output))
    #expect(try contents(of: try graphflow.onlyRun() + "/report.json").count > 0)
  }

  @Test
  func `a state directory that cannot be created exits with 73 before anything is sent`() throws {
    let sandbox = try SandboxProcess(for: graphflow)
    let before = try sandbox.calls().count
    let file = try graphflow.folder.write("x", to: "in-the-way")

    let outcome = try graphflow(
      "run", "workflows/post-and-verify.yaml", "--state-dir", file + "/state",
      environment: sandbox.environment)

    #expect(outcome.code == 73)
    #expect(try sandbox.calls().count == before)
  }
}
