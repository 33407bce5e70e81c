import CommandHarness
import GraphFlow
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A run that another version of graphflow started: its writes cannot be read, so nothing is sent.
@Suite(.serialized)
struct OtherVersionTests {
  private let graphflow: CommandFixture
  private let refusing: LoopbackPort
  private let file: String

  init() throws {
    var graphflow = try CommandFixture()
    graphflow.environment = ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"]
    self.graphflow = graphflow
    refusing = try #require(LoopbackPort())
    file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a:\n    post: me/feed\n", to: "a.yaml")
  }

  /// Kills a run while its only write is in flight, and gives its journal another version.
  ///
  /// - Returns: its id.
  private func kill(_ words: String..., version: UInt8) throws -> String {
    let port = try SilentPort()
    let run = try graphflow.start(["run", "--verbose", file, "--graph-url", port.url] + words)
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }
    run.signal(SIGKILL)
    _ = try run.wait()
    let folder = try graphflow.onlyRun()
    // SQLite's `user_version`, in four bytes from 60 on (https://sqlite.org/fileformat.html#user_version_number).
    try DamageTests.change(folder + "/journal.sqlite") { bytes in
      let changed = Array(bytes[..<63]) + [version] + bytes[64...]
      let writer = try #require(changed.firstRange(of: Array(toolVersion.utf8)))
      return changed[..<writer.lowerBound] + Array("9.9.9".utf8) + changed[writer.upperBound...]
    }
    unlink(folder + "/journal.sqlite-wal")
    unlink(folder + "/journal.sqlite-shm")
    return String(folder.split(separator: "/").last ?? "")
  }

  private func run(_ words: String...) throws -> Outcome {
    try graphflow.run(["run", file, "--graph-url", refusing.url, "--quiet"] + words)
  }

  @Test(arguments: [3, 9] as [UInt8])
  func `a new run of its file is refused, and the message names the alternatives`(
    _ version: UInt8
  ) throws {
    _ = try kill(version: version)
    let writer = version == 9 ? "a later version of graphflow (9.9.9)" : "an unreleased version"

    let plain = try run()
    let resuming = try run("--on-unfinished", "resume")

    for outcome in [plain, resuming] {
      #expect(outcome.code == 65)
      #expect(
        graphflow.stable(outcome.error) == """
          error: the run {run} of '{folder}/a.yaml' cannot be read: \(writer) wrote this journal; only \
          that version can finish the run; nothing was sent
            if it is finished, --on-unfinished ignore starts a new one; otherwise finish it with that \
          version first, or continue without it: graphflow run '{folder}/a.yaml' --on-unfinished doubt, \
          with the run's inputs and key; it sends no write before you have checked whether it happened

          """)
    }
    _ = try graphflow.onlyRun()
  }

  @Test func `it is refused without the lock too, by the names in the mark`() throws {
    _ = try kill(version: 9)
    DamageTests.remove(graphflow.folder.path + "/state/locks")

    #expect(try run().code == 65)
  }

  @Test func `it is refused under its key, even without the key's file`() throws {
    _ = try kill("--run-key", "k", version: 9)

    #expect(try run("--run-key", "k").code == 65)
    DamageTests.remove(graphflow.folder.path + "/state/keys")
    #expect(try run("--run-key", "k").code == 65)
    _ = try graphflow.onlyRun()
  }

  @Test func `doubt continues without it and sends nothing, ignore starts again`() throws {
    _ = try kill(version: 9)

    let doubting = try run("--on-unfinished", "doubt")
    let ignoring = try run("--on-unfinished", "ignore")

    #expect(doubting.code == 3)
    // This one does try to send.
    #expect(ignoring.code == 69)
  }

  @Test func `resume refuses it, with and without its lost writes in doubt`() throws {
    let id = try kill(version: 9)

    for words in [["resume", id], ["resume", id, "--lost-in-doubt"]] {
      let outcome = try graphflow.run(words)
      #expect(outcome.code == 65)
      #expect(outcome.error.contains("only that version can finish the run; nothing was sent"))
    }
  }

  @Test func `it is listed, and pruned only with the flag for it`() throws {
    let id = try kill(version: 9)

    let list = try graphflow("runs")
    let prune = try graphflow("runs", "prune", "--keep", "0")
    let unfinished = try graphflow("runs", "prune", "--keep", "0", "--unfinished")

    #expect(list.output.isEmpty && !list.error.contains("there is no run"))
    #expect(list.error.contains("a later version of graphflow (9.9.9) wrote this journal"))
    #expect(prune.error == "0 runs removed, 1 kept: unfinished, in doubt, or unreadable\n")
    #expect(unfinished.output == "removed \(id) unreadable\n")
    #expect(try run().code == 69)
  }
}
