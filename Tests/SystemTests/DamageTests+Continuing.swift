import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Recorded damage stays recorded, however the run that continues in spite of it ends.
extension DamageTests {
  /// Replaces the token source by a program that kills graphflow before it sends anything, and adds
  /// a read that needs the token.
  ///
  /// - Returns: the environment of the command that is killed.
  private func killFromTokenSource() throws -> [String: String] {
    let script = try graphflow.folder.write("kill -9 $PPID\n", to: "kill.sh")
    try configure("default: {command: [sh, \(script)]}")
    try Self.change(file) { $0 + Array("  me:\n    get: me\n".utf8) }
    return ["GRAPHFLOW_ACCESS_TOKEN": ""]
  }

  private func configure(_ profile: String) throws {
    try graphflow.folder.makeFolder("home/.config/graphflow")
    try graphflow.folder.write(
      "profiles:\n  \(profile)\n", to: "home/.config/graphflow/config.yaml")
  }

  /// Deletes half of a run's write-ahead log, and changes the workflow file.
  private func cutLogAndChangeFile(_ run: String) throws {
    try Self.change(graphflow.state + "/runs/\(run)/journal.sqlite-wal") {
      Array($0.prefix($0.count / 2))
    }
    try Self.change(file) { $0 + Array("# changed\n".utf8) }
  }

  /// Adds a request that fails, so that a run of the file fails.
  private func addFailure() throws {
    try Self.change(file) { $0 + Array("  bad:\n    get: me/nothing\n".utf8) }
  }

  private func isRefused(_ outcome: Outcome, naming run: String) -> Bool {
    outcome.code == 65 && outcome.error.contains("the run \(run)")
      && outcome.error.contains(" is damaged: ")
  }

  @Test func `a refusal does not alter a run with a truncated journal and a changed file`() throws {
    let run = try kill()
    let sent = try posts()
    try cutLogAndChangeFile(run)

    let refused = try graphflow.run([
      "resume", run, "--lost-in-doubt", "--accept-changed", "--not-applied", "posts.post[29]",
    ])

    #expect(refused.code == 64, "\(refused.error)")
    for words in [["resume", run], ["resume", run, "--accept-changed"], ["run", file]] {
      let outcome = try graphflow.run(words)
      #expect(isRefused(outcome, naming: run), "\(words): \(outcome.error)")
    }
    #expect(try posts() == sent)
  }

  /// Kills a command at each of its file writes, each time with the same state directory.
  ///
  /// - Parameters:
  ///   - words: the command's arguments.
  ///   - check: checks the state after each kill.
  /// - Returns: how often the command was killed.
  /// - Throws: what `check` throws.
  private func killAtEachWrite(
    _ words: [String], check: (_ write: Int) throws -> Void
  ) throws -> Int {
    let files = try graphflow.folder.files().filter { $0.hasPrefix("state/") }
      .map { ($0, try contents(of: graphflow.folder.path + "/" + $0)) }
    for write in 1..<200 {
      Self.remove(graphflow.state)
      for (name, bytes) in files {
        let folder = name.split(separator: "/").dropLast().joined(separator: "/")
        try graphflow.folder.makeFolder(folder)
        try Self.change(try graphflow.folder.write("", to: name, mode: 0o600)) { _ in bytes }
      }
      let faults = Interposer.environment("kill", at: write)
      let outcome = try graphflow.run(
        words, environment: faults.merging(["FAULT_ON": "pwrite pwrite64"]) { $1 })
      guard outcome.end == .killed(SIGKILL) else { return write - 1 }
      try check(write)
    }
    return 200
  }

  @Test(.enabled(if: Interposer.path != nil, "there is no C compiler here"))
  func `a truncated journal stays known wherever a run with a changed file is killed`() throws {
    let run = try kill()
    let sent = try posts()
    try cutLogAndChangeFile(run)

    let kills = try killAtEachWrite(["resume", run, "--lost-in-doubt", "--accept-changed"]) {
      write in
      for words in [["resume", run], ["resume", run, "--accept-changed"]] {
        let outcome = try graphflow.run(words)
        #expect([3, 65].contains(outcome.code), "write \(write): \(outcome.error)")
      }
      #expect(try posts() == sent, "write \(write)")
    }
    #expect(kills > 3)
  }

  @Test func `the command that a refusal suggests for a finished run starts in doubt`() throws {
    try addFailure()
    try configure("shop: {env: SHOP_TOKEN}")
    let environment = ["SHOP_TOKEN": sandbox.pageToken, "GRAPHFLOW_ACCESS_TOKEN": ""]
    let firstRun = [
      "run", file, "--profile", "shop", "--run-key", "k", "--batch-size", "1", "--concurrency", "1",
    ]
    let first = try graphflow.run(firstRun, environment: environment)
    #expect(first.code == 1, "\(first.error)")
    let run = try newestRun()
    let sent = try posts()
    try Self.change(graphflow.state + "/runs/\(run)/journal.sqlite") { bytes in
      let places = Self.places(of: "\"call_ended\"", in: bytes)
      var bytes = bytes
      bytes[places[places.count / 2] + 1] ^= 0x01
      return bytes
    }

    let resumed = try graphflow.run(["resume", run], environment: environment)
    let again = try graphflow.run(firstRun, environment: environment)

    let resumeHint = "graphflow run '\(file)' --profile shop --on-unfinished doubt"
    for refused in [resumed, again] {
      #expect(isRefused(refused, naming: run), "\(refused.error)")
      #expect(refused.error.contains(resumeHint), "\(refused.error)")
    }
    let words = ["run", file, "--profile", "shop", "--on-unfinished", "doubt"]
    for words in [words, words + ["--run-key", "k"]] {
      let outcome = try graphflow.run(words, environment: environment)
      #expect(outcome.code == 3, "\(words): \(outcome.error)")
    }
    #expect(try posts() == sent)
  }

  private static func places(of text: String, in bytes: [UInt8]) -> [Int] {
    let text = Array(text.utf8)
    return bytes.indices.filter { bytes[$0...].starts(with: text) }
  }

  @Test(.enabled(if: Interposer.path != nil, "there is no C compiler here"))
  func `a run that started in doubt refuses the next wherever it is killed`() throws {
    let run = try kill()
    let sent = try posts()
    Self.remove(graphflow.state + "/runs/\(run)")
    var unknown = 0

    let kills = try killAtEachWrite(["run", file, "--on-unfinished", "doubt"]) { write in
      let outcome = try graphflow("run", file)
      #expect([3, 65].contains(outcome.code), "write \(write): \(outcome.error)")
      #expect(try posts() == sent, "write \(write)")
      let isUnknown = outcome.error.contains("without knowing which writes had been sent")
      guard isUnknown else { return }
      unknown += 1
      let pruned = try graphflow("runs", "prune", "--keep", "0")
      #expect(pruned.error.hasPrefix("0 runs removed"), "\(pruned.error)")
    }
    #expect(kills > 3 && unknown > 0)
  }

  @Test func `a run that started in doubt and reached no write refuses the next`() throws {
    let run = try kill()
    let sent = try posts()
    let original = try text(of: file)
    Self.remove(graphflow.state + "/runs/\(run)")
    try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        list: {get: me/nothing}
        posts:
          for_each: "{result=list:$.data}"
          key: "{item=$.id}"
          requests:
            post: {post: me/feed, idempotent: false, params: {message: "text {item=$.id}"}}

      """, to: "posts.yaml")
    let begun = try graphflow("run", file, "--on-unfinished", "doubt")
    #expect(begun.code == 3, "\(begun.error)")
    try graphflow.folder.write(original, to: "posts.yaml")

    let outcome = try graphflow("run", file)

    #expect(outcome.code == 3, "\(outcome.error)")
    #expect(try posts() == sent)
  }

  @Test func `a recreated mark names its lock and its key`() throws {
    let run = try kill()
    let sent = try posts()
    Self.remove(graphflow.state + "/intents")
    let killed = try graphflow.run(
      ["resume", run, "--lost-in-doubt", "--accept-changed"], environment: try killFromTokenSource()
    )
    #expect(killed.end == .killed(SIGKILL), "\(killed.error)")
    for folder in ["/runs/\(run)", "/locks", "/keys"] { Self.remove(graphflow.state + folder) }

    for words in [["run", file], ["run", file, "--run-key", "k"]] {
      let outcome = try graphflow.run(words)
      #expect(isRefused(outcome, naming: run), "\(words): \(outcome.error)")
    }
    #expect(try posts() == sent)
  }

  @Test(arguments: [false, true])
  func `a lock restored from an older copy hides no run`(isPruned: Bool) throws {
    let rows = try text(of: graphflow.folder.path + "/rows.csv")
    try graphflow.folder.write("n\nx\n", to: "rows.csv")
    #expect(try graphflow("run", file).code == 0)
    if isPruned { #expect(try graphflow("runs", "prune", "--keep", "0").code == 0) }
    let lock = try #require(graphflow.folder.files().first { $0.hasSuffix(".lock") })
    let older = try text(of: graphflow.folder.path + "/" + lock)
    try graphflow.folder.write(rows, to: "rows.csv")
    let run = try kill()
    let sent = try posts()
    try Self.change(graphflow.folder.path + "/" + lock) { _ in Array(older.utf8) }

    let outcome = try graphflow("run", file)

    #expect([3, 75].contains(outcome.code) && outcome.error.contains(run), "\(outcome.error)")
    #expect(try posts() == sent)
  }

  @Test(arguments: [(11, UInt8(0x20)), (13, UInt8(0x02))])
  func `a run with a damaged start is refused, and no older run replaces it`(
    place: Int, bit: UInt8
  ) throws {
    try addFailure()
    #expect(try graphflow("run", file).code == 1)
    let sent = try posts()
    #expect(try graphflow("run", file).code == 1)
    let run = try newestRun()
    let all = try posts()
    #expect(all > sent)
    try Self.change(graphflow.state + "/runs/\(run)/journal.sqlite") { bytes in
      var bytes = bytes
      for start in Self.places(of: "\"run_started\"", in: bytes) { bytes[start + place] ^= bit }
      return bytes
    }

    for words in [["resume", run], ["resume", "latest"], ["resume", run, "--lost-in-doubt"]] {
      let outcome = try graphflow.run(words)
      #expect(isRefused(outcome, naming: run), "\(words): \(outcome.error)")
      #expect(outcome.error.contains("--on-unfinished doubt"), "\(outcome.error)")
    }
    Self.remove(graphflow.state + "/runs/\(run)")
    let gone = try graphflow("resume", "latest")
    #expect(isRefused(gone, naming: run), "\(gone.error)")
    #expect(try posts() == all)
  }

  @Test func `a journal that lacks its last session is reported with a warning`() throws {
    try addFailure()
    #expect(try graphflow("run", file).code == 1)
    let run = try newestRun()
    let journal = graphflow.state + "/runs/\(run)/journal.sqlite"
    let older = try contents(of: journal)
    for words in [["report", run], ["runs", "show", run], ["runs"]] {
      #expect(try !graphflow.run(words).error.contains("warning"))
    }
    #expect(try graphflow("resume", run).code == 1)
    try Self.change(journal) { _ in older }

    for words in [
      ["report", run], ["runs", "show", run], ["runs"], ["runs", "--format", "json"],
    ] {
      let outcome = try graphflow.run(words)
      #expect(outcome.code == 0 && !outcome.output.isEmpty)
      #expect(
        outcome.error.contains("warning: the run \(run) is damaged: its journal ends at entry "),
        "\(words): \(outcome.error)")
    }
  }
}
