import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Insufficient system limits are reported before anything is sent, and never by a trap.
struct ProcessLimitTests {
  private static let main = "workflows/post-and-verify.yaml"

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func run(_ limit: String, _ words: String...) throws -> Outcome {
    try graphflow.run(words, limit: limit)
  }

  @Test(arguments: [8, 12, 16, 20, 24])
  func `too few descriptors are reported`(_ count: Int) throws {
    let outcome = try run("-n \(count)", "run", Self.main, "--sandbox")

    #expect(outcome.code == 71, "\(outcome.error)")
    #expect(
      outcome.error.hasPrefix("error: too few files may be open: this process needs ")
        && outcome.error.contains(", the limit is \(count), and "))
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state") })
  }

  @Test func `the reported limit is enough, and a soft limit is raised to it`() throws {
    let raised = try run("-S -n 20", "run", Self.main, "--sandbox")
    #expect(raised.code == 0, "\(raised.error)")

    // Tests that run at the same time may give the process more open files the second time.
    var (limit, refusals) = ("20", 0)
    var outcome = try run("-n \(limit)", "run", Self.main, "--sandbox")
    while outcome.code == 71, refusals < 20 {
      limit = String(try #require(outcome.error.firstMatch(of: /needs (\d+)/)?.1))
      outcome = try run("-n \(limit)", "run", Self.main, "--sandbox")
      refusals += 1
    }
    #expect(outcome.code == 0 && refusals > 0, "\(limit): \(outcome.error)")
  }

  @Test func `inherited open files count`() throws {
    let open = (3...9).map { "\($0)</dev/null" }.joined(separator: " ")

    let outcome = try run("-n 76 && exec \(open)", "run", Self.main, "--sandbox")

    #expect(outcome.code == 71, "\(outcome.error)")
  }

  #if os(Linux)
  @Test(arguments: [200, 250, 300, 350, 400])
  func `too little memory is reported`(_ mebibytes: Int) throws {
    let outcome = try run("-v \(mebibytes * 1024)", "run", Self.main, "--sandbox")

    #expect(outcome.code == 71, "\(outcome.error)")
    #expect(outcome.error.hasPrefix("error: too little memory: this process needs "))
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state") })
  }
  #endif

  @Test func `a command that sends nothing needs less`() throws {
    // A test that runs at the same time may give the process an open file.
    let closing = (3...9).map { "\($0)<&-" }.joined(separator: " ")
    let limits = ["-n 100 && exec \(closing) && ulimit -n 12", "-v 400000"]
    for limit in limits {
      for command in [["validate", "workflows"], ["plan", Self.main]] {
        let outcome = try graphflow.run(command, limit: limit)
        #expect(outcome.code == 0, "\(limit): \(outcome.error)")
      }
    }
  }

  @Test(arguments: ["r.json", "r.jsonl"])
  func `a pipe without a reader is reported before the run`(_ name: String) throws {
    let pipe = graphflow.folder.path + "/" + name
    try #require(mkfifo(pipe, 0o600) == 0)

    let outcome = try graphflow("run", Self.main, "--sandbox", "--report", pipe)

    #expect(outcome.code == 73)
    #expect(
      outcome.error
        == "error: cannot create \(pipe): no program reads from it; start the reader first\n")
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("state") })
  }

  @Test(arguments: ["r.json", "r.jsonl"])
  func `a reader of a pipe receives the whole report`(_ name: String) throws {
    let pipe = graphflow.folder.path + "/" + name
    try #require(mkfifo(pipe, 0o600) == 0)
    let reader = try ChildProcess(
      ["/bin/cat", pipe], environment: [:], input: [], folder: graphflow.folder.path)
    // A pipe opens for writing without blocking only if it has a reader.
    var writer: Int32 = -1
    while writer < 0 { writer = open(pipe, O_WRONLY) }

    let outcome = try graphflow("run", Self.main, "--sandbox", "--report", pipe)
    close(writer)

    #expect(outcome.code == 0, "\(outcome.error)")
    _ = try reader.wait()
    let lines = String(decoding: reader.standardOutput, as: UTF8.self).split(separator: "\n")
    let texts = name == "r.json" ? [lines.joined(separator: "\n")] : lines.map(String.init)
    #expect(!texts.isEmpty)
    for text in texts { #expect(throws: Never.self) { try JSON(parsing: text) } }
  }
}
