import CommandHarness
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Two runs of the same file with the same profile do not overlap, however the first one ends.
struct OverlapTests {
  private let graphflow: CommandFixture
  private let refusing: LoopbackPort
  private let port: SilentPort

  init() throws {
    var graphflow = try CommandFixture()
    port = try SilentPort()
    graphflow.environment = [
      "GRAPHFLOW_ACCESS_TOKEN": "t0ken", "GRAPHFLOW_GRAPH_URL": port.url,
    ]
    self.graphflow = graphflow
    refusing = try #require(LoopbackPort())
  }

  private func file(_ name: String = "busy.yaml") throws -> String {
    try graphflow.folder.write("graphflow: 1\nrequests:\n  a:\n    get: me\n", to: name)
  }

  /// A run that has sent its call and never gets an answer.
  private func runUnderWay(_ file: String) throws -> ChildProcess {
    let run = try graphflow.start(["run", "--verbose", file])
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }
    return run
  }

  @Test func `of fifty simultaneous starts one runs and the others exit with 75`() throws {
    let file = try file()
    let starts = try (0..<50).map { _ in try graphflow.start(["run", "--verbose", file]) }
    defer { for start in starts { start.signal(SIGKILL) } }

    // The run that has the lock is the one that sent its call; it continues until it is killed.
    var running: [ChildProcess] = []
    for start in starts {
      try start.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }
      let text = String(decoding: start.standardError, as: UTF8.self)
      if text.contains("call 1") {
        running.append(start)
      } else {
        #expect(try start.wait() == .exited(75))
        #expect(text.contains("is active"))
      }
    }

    #expect(running.count == 1)
    #expect(graphflow.folder.files().filter { $0.hasSuffix("journal.sqlite") }.count == 1)
  }

  @Test func `a killed run leaves no lock behind`() throws {
    let file = try file()
    let first = try runUnderWay(file)
    first.signal(SIGKILL)
    _ = try first.wait()

    let second = try runUnderWay(file)

    second.signal(SIGKILL)
    _ = try second.wait()
  }

  @Test(arguments: ["file", "link", "profile", "copy"])
  func `there is one lock for each file and profile`(_ difference: String) throws {
    let file = try file()
    let first = try runUnderWay(file)
    defer { first.signal(SIGKILL) }
    var words = ["run", file]
    switch difference {
    case "link":
      #expect(symlink(file, graphflow.folder.path + "/link.yaml") == 0)
      words = ["run", graphflow.folder.path + "/link.yaml"]
    case "profile":
      words += ["--profile", "nobody"]
    case "copy":
      words = ["run", try self.file("copy.yaml"), "--graph-url", refusing.url]
    default: break
    }

    let second = try graphflow.run(words)

    let codes: [String: Int32] = ["file": 75, "link": 75, "profile": 77, "copy": 69]
    #expect(second.code == codes[difference])
  }

  @Test func `--on-overlap skip exits with 0, and prints nothing with --quiet`() throws {
    let file = try file()
    let first = try runUnderWay(file)
    defer { first.signal(SIGKILL) }

    let verbose = try graphflow("run", file, "--on-overlap", "skip")
    let quiet = try graphflow("run", file, "--on-overlap", "skip", "--quiet")

    #expect(verbose.code == 0)
    #expect(verbose.error.hasPrefix("skipped: another run of '\(file)' with the profile 'default'"))
    #expect(quiet.code == 0)
    #expect(quiet.output + quiet.error == "")
  }

  @Test func `--on-overlap wait prints a notice, and starts after the other run`() throws {
    let file = try file()
    let first = try runUnderWay(file)

    let second = try graphflow.start(["run", "--verbose", file, "--on-overlap", "wait"])
    try second.read { String(decoding: $0.standardError, as: UTF8.self).contains("waiting:") }
    #expect(!String(decoding: second.standardError, as: UTF8.self).contains("call 1"))
    first.signal(SIGKILL)
    _ = try first.wait()
    try second.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }

    second.signal(SIGKILL)
    #expect(try second.wait() == .killed(SIGKILL))
  }

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func `a waiting run can be stopped`(_ signal: Int32, _ code: Int32) throws {
    let file = try file()
    let first = try runUnderWay(file)
    defer { first.signal(SIGKILL) }
    let second = try graphflow.start(["run", "--verbose", file, "--on-overlap", "wait"])
    try second.read { String(decoding: $0.standardError, as: UTF8.self).contains("waiting:") }

    second.signal(signal)

    #expect(try second.wait() == .exited(code))
  }
}
