import CommandHarness
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What is synced before a write is sent, and how often.
@Suite(.enabled(if: Interposer.path != nil, "there is no C compiler here"))
struct SyncOrderTests {
  /// A system call that this suite observes.
  private enum Step: Equatable {
    case journalSynced
    case markSynced
    case sent
  }

  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
  }

  /// A workflow of five requests.
  private func file(_ verb: String) throws -> String {
    var text = "graphflow: 1\nrequests:\n"
    for number in 0..<5 {
      text += "  r\(number):\n    \(verb): me/feed\n    params: {message: text \(number)}\n"
    }
    return try graphflow.folder.write(text, to: "five.yaml")
  }

  /// The steps of a command that sends one request per call.
  private func steps(_ words: String..., on other: SandboxProcess? = nil) throws -> [Step] {
    let log = graphflow.folder.path + "/calls.log"
    let faults = ["LD_PRELOAD": Interposer.path ?? "", "FAULT_LOG": log]
    let outcome = try graphflow.run(
      words, environment: (other ?? sandbox).environment.merging(faults) { $1 })
    #expect(outcome.code == 0, "\(outcome.error)")
    return try TestSupport.text(of: log).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count == 3 else { return nil }
      let isSync = words[1] == "fdatasync" || words[1] == "fsync"
      if isSync && words[2].hasSuffix("-wal") { return .journalSynced }
      if words[1] == "fdatasync" && words[2].contains("/intents/") { return .markSynced }
      return words[2] == "socket" && words[1].hasPrefix("write") ? .sent : nil
    }
  }

  @Test func `before each write the journal is synced, then the mark, once each`() throws {
    let steps = try steps("run", file("post"), "--batch-size", "1", "--concurrency", "1")
    #expect(steps.count { $0 == .markSynced } == 5)
    let parts = steps.split(separator: .markSynced, omittingEmptySubsequences: false)
    #expect(!parts[0].contains(.sent))
    for (index, part) in parts.enumerated() {
      // Each part is sent after a mark; before the next mark the journal is synced.
      if index > 0 { #expect(part.first == .sent) }
      if index < 5 { #expect(part.last == .journalSynced) }
    }
  }

  @Test func `reads sync no mark`() throws {
    #expect(!(try steps("run", file("get")).contains(.markSynced)))
  }

  /// The previous process's mark may be an older copy that someone restored: if it were overwritten
  /// without a sync, the older copy would return after a power failure.
  @Test func `a process that continues a journal syncs its first mark, even for reads`() throws {
    let faults = try graphflow.folder.write(
      "graphflow-faults: 1\nfaults:\n  - {first: 1, call: {delay: 5s}}\n", to: "faults.yaml")
    let sandbox = try SandboxProcess(for: graphflow, ["--faults", faults])
    let run = try graphflow.start(
      ["run", "--verbose", try file("get")], environment: sandbox.environment)
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }
    run.signal(SIGKILL)
    _ = try run.wait()

    let steps = try steps("resume", "latest", on: sandbox)

    #expect(steps.count { $0 == .markSynced } == 1)
    let mark = try #require(steps.firstIndex(of: .markSynced))
    let call = try #require(steps.firstIndex(of: .sent))
    #expect(mark < call)
  }
}
