import TestSupport
import Testing

/// What is synced before a write is sent, and how often.
@Suite(.enabled(if: Interposer.path != nil, "there is no C compiler here"))
struct SyncOrderTests {
  /// A system call that matters here.
  private enum Step: Equatable {
    case journalSynced
    case markSynced
    case sent
  }

  /// The steps of a run of five requests, one in a call.
  private func steps(_ verb: String) throws -> [Step] {
    let graphflow = try GraphFlow()
    let sandbox = try SandboxProcess(for: graphflow)
    var text = "graphflow: 1\nrequests:\n"
    for number in 0..<5 {
      text += "  r\(number):\n    \(verb): me/feed\n    params: {message: text \(number)}\n"
    }
    let file = try graphflow.folder.write(text, to: "five.yaml")
    let log = graphflow.folder.path + "/calls.log"
    let faults = ["LD_PRELOAD": Interposer.path ?? "", "FAULT_LOG": log]
    let outcome = try graphflow(
      "run",
      file,
      "--batch-size",
      "1",
      "--concurrency",
      "1",
      environment: sandbox.environment.merging(faults) { $1 }
    )
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

  @Test func `before each write first the journal is synced, then the mark, once`() throws {
    let steps = try steps("post")
    #expect(steps.count { $0 == .markSynced } == 5)
    let parts = steps.split(separator: .markSynced, omittingEmptySubsequences: false)
    #expect(!parts[0].contains(.sent))
    for (index, part) in parts.enumerated() {
      // What is sent comes after a mark, and before the next mark the journal is synced.
      if index > 0 { #expect(part.first == .sent) }
      if index < 5 { #expect(part.last == .journalSynced) }
    }
  }

  @Test func `for reads no mark is synced`() throws {
    #expect(!(try steps("get").contains(.markSynced)))
  }
}
