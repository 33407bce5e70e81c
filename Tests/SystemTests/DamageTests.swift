import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A killed run with damaged files: a sample of what `scripts/try-damage` does.
struct DamageTests {
  static let count = 30

  let graphflow: CommandFixture
  let sandbox: SandboxProcess
  let file: String

  init() throws {
    var graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    graphflow.environment = sandbox.environment
    self.graphflow = graphflow
    let rows = (0..<DamageTests.count).map { "\($0)\n" }
    try graphflow.folder.write("n\n" + rows.joined(), to: "rows.csv")
    file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        posts:
          for_each: {file: rows.csv}
          key: "{item=$.n}"
          requests:
            post:
              post: me/feed
              idempotent: false
              params: {message: "text {item=$.n}"}

      """, to: "posts.yaml")
  }

  /// Kills a run after about half of its posts.
  ///
  /// - Returns: its id.
  func kill() throws -> String {
    let run = try graphflow.start([
      "run", "--verbose", file, "--run-key", "k", "--batch-size", "1", "--concurrency", "1",
    ])
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("\ncall 15:") }
    run.signal(SIGKILL)
    _ = try run.wait()
    // The sandbox answers this after everything that was in flight.
    _ = try graphflow("get", "me")
    return try newestRun()
  }

  /// The id of the newest run that has a folder.
  func newestRun() throws -> String {
    let files = graphflow.folder.files(withFolders: true).filter { $0.hasPrefix("state/runs/") }
    return String(try #require(files.max()).split(separator: "/")[2])
  }

  func posts() throws -> Int {
    try sandbox.calls().flatMap(\.operations).count { $0.method == "POST" }
  }

  /// Damage to the state directory of a run.
  struct Damage: Sendable {
    let name: String
    let hasReadableStart: Bool
    let apply: @Sendable (_ state: String, _ run: String) throws -> Void
  }

  static func remove(_ folder: String) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      if unlink(folder + "/" + name) != 0 { remove(folder + "/" + name) }
    }
    rmdir(folder)
  }

  static func change(_ path: String, _ change: ([UInt8]) throws -> [UInt8]) throws {
    let bytes = try change(try contents(of: path))
    let stream = try #require(fopen(path, "wb"))
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
  }

  static let damages = [
    Damage(name: "log cut", hasReadableStart: true) { state, run in
      try change(state + "/runs/\(run)/journal.sqlite-wal") { Array($0.prefix($0.count / 2)) }
    },
    Damage(name: "bit in the log", hasReadableStart: true) { state, run in
      try change(state + "/runs/\(run)/journal.sqlite-wal") { bytes in
        var bytes = bytes
        bytes[bytes.count / 3] ^= 0x10
        return bytes
      }
    },
    Damage(name: "log deleted", hasReadableStart: true) { state, run in
      unlink(state + "/runs/\(run)/journal.sqlite-wal")
    },
    Damage(name: "journal emptied", hasReadableStart: false) { state, run in
      try change(state + "/runs/\(run)/journal.sqlite") { _ in [] }
      unlink(state + "/runs/\(run)/journal.sqlite-wal")
    },
    Damage(name: "journal emptied, mark deleted", hasReadableStart: false) { state, run in
      try change(state + "/runs/\(run)/journal.sqlite") { _ in [] }
      unlink(state + "/runs/\(run)/journal.sqlite-wal")
      unlink(state + "/intents/\(run)")
    },
    Damage(name: "folder deleted", hasReadableStart: false) { state, run in
      remove(state + "/runs/\(run)")
    },
    Damage(name: "folder, locks and keys deleted", hasReadableStart: false) { state, run in
      for folder in ["/runs", "/locks", "/keys"] { remove(state + folder) }
    },
    Damage(name: "mark deleted", hasReadableStart: true) { state, run in
      remove(state + "/intents")
    },
    Damage(name: "bit in the mark", hasReadableStart: true) { state, run in
      try change(state + "/intents/\(run)") { bytes in
        var bytes = bytes
        bytes[257] ^= 0x01
        return bytes
      }
    },
  ]

  @Test(arguments: damages.indices)
  func `a damaged run is refused, and the suggested command sends nothing twice`(number: Int) throws
  {
    let damage = Self.damages[number]
    let run = try kill()
    let sent = try posts()
    try damage.apply(graphflow.state, run)

    let starts = [
      ["run", file], ["run", file, "--run-key", "k"], ["run", file, "--on-unfinished", "resume"],
      ["resume", run],
    ]
    let resumeHint =
      damage.hasReadableStart
      ? "graphflow resume \(run) --lost-in-doubt" : "--on-unfinished doubt"
    for words in starts {
      let outcome = try graphflow.run(words + ["--quiet"])
      #expect(outcome.code == 65, "\(damage.name): \(words): \(outcome.error)")
      #expect(outcome.error.contains("the run \(run)") && outcome.error.contains(" is damaged: "))
      #expect(outcome.error.contains(resumeHint), "\(outcome.error)")
    }
    #expect(try posts() == sent)

    let begun = try graphflow.run(
      damage.hasReadableStart
        ? ["resume", run, "--lost-in-doubt"] : ["run", file, "--on-unfinished", "doubt"])
    #expect(begun.code == 3, "\(begun.error)")
    #expect(try posts() == sent)
    let report = try JSON(parsing: try graphflow("report", "latest").output)
    let doubtful = try report.all("$.requests[?@.status == 'in_doubt'].item.key")
    let made = Set((0..<sent).map(String.init))
    let words = doubtful.flatMap { key -> [String] in
      let key = key.string ?? ""
      return made.contains(key)
        ? ["--applied", "posts.post[\(key)]=1_\(key)"] : ["--not-applied", "posts.post[\(key)]"]
    }
    let end = try graphflow.run(["resume", "latest"] + words)
    #expect(end.code == 0, "\(end.error)")
    #expect(try posts() == DamageTests.count)
    // The run is intact again.
    #expect(try graphflow("resume", "latest").code == 0)
    #expect(try posts() == DamageTests.count)
  }

  @Test func `without locks and keys the run is still found`() throws {
    let run = try kill()
    let sent = try posts()
    for folder in ["locks", "keys"] { Self.remove(graphflow.state + "/" + folder) }

    let refused = try graphflow("run", file)
    let keyed = try graphflow("run", file, "--run-key", "k")

    #expect([3, 75].contains(refused.code) && refused.error.contains(run))
    #expect(keyed.error.contains("run \(run) of"))
    #expect(try posts() <= DamageTests.count && sent < DamageTests.count)
    _ = try graphflow.onlyRun()
  }

  @Test func `a pruned run does not count as lost`() throws {
    let run = try kill()
    #expect(try graphflow("runs", "prune", "--keep", "0").output.isEmpty)
    #expect(try graphflow("runs", "prune", "--keep", "0", "--unfinished").code == 0)
    #expect(!graphflow.folder.files().contains { $0.contains(run) })

    #expect(try graphflow("run", file, "--run-key", "k", "--dry-run").code == 0)
    let outcome = try graphflow("run", file, "--run-key", "k")

    // The sandbox refuses the same text twice as a duplicate, as Graph does.
    #expect([0, 1].contains(outcome.code), "\(outcome.error)")
  }

  @Test func `a lost run is pruned only on request`() throws {
    let run = try kill()
    Self.remove(graphflow.state + "/runs/\(run)")

    let spared = try graphflow("runs", "prune", "--keep", "0")
    let pruned = try graphflow("runs", "prune", "--keep", "0", "--unfinished")

    #expect(spared.error.hasPrefix("0 runs removed, 1 kept"))
    #expect(pruned.output == "removed \(run) unreadable\n")
    #expect(!graphflow.folder.files().contains { $0.contains("intents/") })
  }

  @Test func `a token is sent only to the configured host`() throws {
    let run = try kill()
    let sent = try posts()
    let elsewhere = ["GRAPHFLOW_GRAPH_URL": "https://graph.example.com"]

    for words in [["resume", run], ["run", file, "--on-unfinished", "resume"]] {
      let outcome = try graphflow.run(words, environment: elsewhere)
      #expect(outcome.code == 65)
      #expect(
        outcome.error.contains(
          "the run \(run) was sent to \(sandbox.url), but https://graph.example.com is configured"))
    }
    #expect(try posts() == sent)
    let outcome = try graphflow.run(
      ["resume", run, "--graph-url", sandbox.url], environment: elsewhere)
    #expect(outcome.code == 3, "\(outcome.error)")
    // The write that was in flight stays in doubt.
    #expect(try posts() >= DamageTests.count - 1)
  }

  @Test func `a journal that others may write to is refused`() throws {
    let run = try kill()
    chmod(graphflow.state + "/runs/\(run)/journal.sqlite", 0o666)
    chmod(graphflow.state + "/runs/\(run)", 0o777)

    let outcome = try graphflow("resume", run)

    #expect(outcome.code == 77)
    #expect(outcome.error.contains("others may write to this (mode 777)"), "\(outcome.error)")
    chmod(graphflow.state + "/runs/\(run)", 0o700)
    #expect(try graphflow("resume", run).code == 77)
    chmod(graphflow.state + "/runs/\(run)/journal.sqlite", 0o600)
    #expect(try graphflow("resume", run).code != 77)
  }

  @Test func `a planted link is not followed`() throws {
    try graphflow.folder.makeFolder("theirs")
    for name in ["runs", "locks", "keys", "intents"] {
      let state = graphflow.folder.path + "/shared-" + name
      mkdir(state, 0o700)
      symlink(graphflow.folder.path + "/theirs", state + "/" + name)
      let outcome = try graphflow("run", file, "--run-key", "k", "--state-dir", state)
      #expect(outcome.code == 77, "\(name): \(outcome.error)")
      #expect(outcome.error.contains("/\(name): this is a symbolic link"), "\(outcome.error)")
    }
    #expect(try posts() == 0)
    #expect(!graphflow.folder.files().contains { $0.hasPrefix("theirs/") })
  }
}
