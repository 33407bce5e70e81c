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

    let refused = try run("-n 20", "run", Self.main, "--sandbox")
    #expect(refused.code == 71)
    let limit = try #require(refused.error.firstMatch(of: /needs (\d+)/)?.1)
    let outcome = try run("-n \(limit)", "run", Self.main, "--sandbox")
    #expect(outcome.code == 0, "\(limit): \(outcome.error)")
  }

  @Test func `inherited open files count`() throws {
    let open = (3...9).map { "\($0)</dev/null" }.joined(separator: " ")
    func needed(_ limit: String) throws -> Int {
      let outcome = try run(limit, "run", Self.main, "--sandbox")
      #expect(outcome.code == 71, "\(outcome.error)")
      return try #require(outcome.error.firstMatch(of: /needs (\d+)/).flatMap { Int($0.1) })
    }

    #expect(try needed("-n 20 && exec \(open)") == needed("-n 20") + 7)
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
    for limit in ["-n 12", "-v 400000"] {
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
