import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The table of exit codes in docs/reference/cli.md: for each code there is a scenario that exits
/// with it.
struct ExitCodeTableTests {
  /// A way to reach an exit code.
  enum Scenario: Int32, CaseIterable {
    case succeeded = 0
    case failed = 1
    case inDoubt = 3
    case usage = 64
    case invalid = 65
    case unreadable = 66
    case unreachable = 69
    case systemLimit = 71
    case cannotCreate = 73
    case cannotWrite = 74
    case tryAgainLater = 75
    case notPermitted = 77
    case misconfigured = 78
    case interrupted = 130
    case terminated = 143
  }

  private static let read = "graphflow: 1\nrequests:\n  a:\n    get: me\n"

  private let graphflow: CommandFixture
  private let token = ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"]

  private let refusing: LoopbackPort

  init() throws {
    graphflow = try CommandFixture()
    refusing = try #require(LoopbackPort())
  }

  @Test func `every documented exit code has a scenario, except the one for bugs`() throws {
    let page = try text(of: CommandFixture.root + "/docs/reference/cli.md")
    let section = page.split(separator: "\n## ").first { $0.hasPrefix("Exit codes\n") }
    let cells = try #require(section).split(separator: "\n").compactMap { line in
      line.hasPrefix("| ") ? line.split(separator: "|").first : nil
    }
    let codes = cells.flatMap { $0.split(separator: "/") }.compactMap { cell in
      Int32(cell.filter { $0 != " " })
    }

    #expect(Set(codes) == Set(Scenario.allCases.map(\.rawValue) + [70]))
    #expect(codes.count == Set(codes).count)
  }

  @Test(arguments: Scenario.allCases)
  func `a scenario ends with its exit code, and the report agrees`(_ scenario: Scenario) throws {
    let outcome = try outcome(of: scenario)

    #expect(outcome.code == scenario.rawValue, "\(outcome.error)")
    #expect(outcome.error.isEmpty == (scenario == .succeeded), "\(outcome.error)")
    let runs = try JSON(parsing: try graphflow("runs", "--format", "json").output)
    // A failure to write the report is not part of the report.
    let isOfTheRun: Set<Scenario> = [.succeeded, .failed, .inDoubt, .unreachable, .notPermitted]
    if isOfTheRun.contains(scenario) {
      #expect(try runs.one("$[0].exit_code").integer == Int(scenario.rawValue))
      let report = try JSON(parsing: try graphflow("report", "latest").output)
      #expect(try report.one("$.run.exit_code").integer == Int(scenario.rawValue))
    }
    let isRefused: Set<Scenario> = [
      .usage, .invalid, .unreadable, .systemLimit, .cannotCreate, .misconfigured,
    ]
    if isRefused.contains(scenario) { #expect(runs == []) }
  }

  private func outcome(of scenario: Scenario) throws -> Outcome {
    switch scenario {
    case .succeeded: try run("workflows/post-and-verify.yaml", "--sandbox")
    case .failed: try run(try file("graphflow: 1\nrequests:\n  a:\n    get: me/no\n"), "--sandbox")
    case .inDoubt:
      try withPort([.cut]) { url in
        try run(try file("graphflow: 1\nrequests:\n  a:\n    post: me/feed\n"), "--graph-url", url)
      }
    case .usage: try run("a.yaml", "--strateg", "fastest")
    case .invalid: try run(try file("graphflow: 1\nrequests:\n  a:\n    gte: me\n"))
    case .unreadable: try run("nowhere.yaml")
    case .unreachable: try run(try file(), "--graph-url", refusing.url)
    case .systemLimit: try graphflow.run(["run", try file(), "--sandbox"], limit: "-n 20")
    case .cannotCreate: try run(try file(), "--report", "/nowhere/report.json")
    case .cannotWrite:
      try run("workflows/post-and-verify.yaml", "--sandbox", "--report", try fullFile())
    case .tryAgainLater: try besideRun(signal: nil)
    case .notPermitted: try graphflow("run", try file(), "--quiet")
    case .misconfigured:
      try graphflow("run", try file(), environment: ["GRAPHFLOW_GRAPH_URL": "nonsense"])
    case .interrupted: try besideRun(signal: SIGINT)
    case .terminated: try besideRun(signal: SIGTERM)
    }
  }

  private func file(_ text: String = ExitCodeTableTests.read) throws -> String {
    try graphflow.folder.write(text, to: "a.yaml")
  }

  /// A file that cannot be written to.
  private func fullFile() throws -> String {
    let path = graphflow.folder.path + "/full.json"
    try #require(symlink("/dev/full", path) == 0)
    return path
  }

  private func run(_ words: String...) throws -> Outcome {
    try graphflow.run(["run"] + words + ["--quiet"], environment: token)
  }

  private func withPort(
    _ fates: [PublishingPort.Fate], _ body: (String) throws -> Outcome
  ) throws -> Outcome {
    let port = try PublishingPort(fates)
    return try body(port.url)
  }

  /// Starts a run while another run of the file is under way; with a signal, it waits for that.
  private func besideRun(signal: Int32?) throws -> Outcome {
    let port = try SilentPort()
    let words = ["run", try file(), "--graph-url", port.url]
    let first = try graphflow.start(words + ["--verbose"], environment: token)
    try first.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }
    defer { first.signal(SIGKILL) }
    guard let signal else { return try graphflow.run(words + ["--quiet"], environment: token) }
    let second = try graphflow.start(words + ["--on-overlap", "wait"], environment: token)
    try second.read { String(decoding: $0.standardError, as: UTF8.self).contains("waiting:") }
    second.signal(signal)
    return try Outcome(of: second)
  }
}
