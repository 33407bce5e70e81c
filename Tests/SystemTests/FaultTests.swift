import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A run that is killed at one of its system calls, or whose disk or network fails there, can be
/// resumed.
///
/// Nothing is published twice. `make try-kills` and `make try-storage-faults` cover every call.
@Suite(.enabled(if: Interposer.path != nil, "there is no C compiler here"))
struct FaultTests {
  private static let pairs = 20

  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    let graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    self.graphflow = graphflow
  }

  /// Writes, every other one with `confirm`, and a read of each.
  private func workflow() throws -> String {
    var text = "graphflow: 1\nrequests:\n"
    for number in 0..<Self.pairs {
      text += "  w\(number):\n    post: me/feed\n    params: {message: \"text \(number) end\"}\n"
      if number.isMultiple(of: 2) {
        text += "    idempotent: false\n"
      } else {
        text += """
              confirm:
                get: me/feed
                params: {fields: "id,message,created_time", limit: 100}
                when: $.data[?@.message == 'text \(number) end']
                within: 200ms

          """
      }
      text += "  r\(number):\n    get: \"{result=w\(number):$.id}\"\n    params: {fields: id}\n"
    }
    return try graphflow.folder.write(text, to: "pairs.yaml")
  }

  /// The ids of the posts in the feed, by write.
  private func published() throws -> [String: [JSON]] {
    let feed = try graphflow(
      "get", "me/feed", "limit=100", "fields=id,message", "--select", "$.data[*]",
      environment: sandbox.environment)
    var ids: [String: [JSON]] = [:]
    for line in feed.output.split(separator: "\n") {
      let post = try JSON(parsing: String(line))
      guard let found = post["message"]?.string?.wholeMatch(of: /text (\d+) end/) else { continue }
      ids["w\(found.1)", default: []].append(try #require(post["id"]))
    }
    return ids
  }

  /// Starts a run that meets a fault; returns how it ended.
  private func run(_ fault: String, at call: Int) throws -> ChildProcess.End {
    try graphflow.run(
      ["run", try workflow(), "--batch-size", "5"],
      environment: sandbox.environment.merging(Interposer.environment(fault, at: call)) { $1 }
    ).end
  }

  /// Resumes the run to completion, and resolves writes in doubt as a person would.
  private func finish() throws {
    var (outcome, report) = try resume([])
    let doubtful = try report.all("$.requests[?@.status == 'in_doubt'].name").compactMap(\.string)
    #expect(outcome.code == (doubtful.isEmpty ? 0 : 3), "\(outcome.error)")
    try check(report, doubtful)
    // Writes with `confirm` are not in doubt.
    #expect(
      doubtful.allSatisfy { $0.hasSuffix("0") || Int($0.dropFirst())?.isMultiple(of: 2) == true })
    guard !doubtful.isEmpty else { return }
    let published = try published()
    let words = doubtful.flatMap { name in
      published[name]?.first?.string.map { ["--applied", "\(name)=\($0)"] } ?? [
        "--not-applied", name,
      ]
    }
    (outcome, report) = try resume(words)
    #expect(outcome.code == 0, "\(outcome.error)")
    try check(report, [])
  }

  /// Resumes the run, or starts it if it never started.
  private func resume(_ words: [String]) throws -> (Outcome, JSON) {
    let path = graphflow.folder.path + "/report.json"
    let options = ["--report", path]
    var outcome = try graphflow.run(
      ["resume", "latest"] + words + options, environment: sandbox.environment)
    let neverStarted = ["never started", "there is no run", "there is no journal"]
    if neverStarted.contains(where: outcome.error.contains) {
      outcome = try graphflow.run(
        ["run", graphflow.folder.path + "/pairs.yaml"] + options, environment: sandbox.environment)
    }
    let report = try #require(try? contents(of: path), "\(outcome.code): \(outcome.error)")
    return (outcome, try JSON(parsing: report))
  }

  /// Compares the report with the sandbox's feed.
  private func check(_ report: JSON, _ doubtful: [String]) throws {
    let published = try published()
    for number in 0..<Self.pairs {
      let name = "w\(number)"
      let ids = published[name] ?? []
      if doubtful.contains(name) {
        #expect(ids.count <= 1, "\(name)")
      } else {
        #expect(try ids == report.all("$.requests[?@.name == '\(name)'].body.id"), "\(name)")
        #expect(ids.count == 1, "\(name)")
      }
    }
  }

  @Test(arguments: [16, 34, 62, 75, 88, 101, 114, 127, 140])
  func `a run that is killed at a system call can be resumed, and nothing is published twice`(
    _ call: Int
  ) throws {
    let end = try run("kill", at: call)
    // The run may have completed by then: the calls depend on how its threads are scheduled.
    #expect(end == .killed(SIGKILL) || (end == .exited(0) && call > 75), "\(end)")
    try finish()
  }

  @Test(arguments: ["EIO", "ENOSPC", "short"], [13, 40, 70, 96, 122])
  func `a run whose system call fails can be resumed, and nothing is published twice`(
    _ fault: String, _ call: Int
  ) throws {
    let end = try run(fault, at: call)
    #expect([0, 1, 3, 69, 73, 74].map { .exited($0) }.contains(end), "\(end)")
    try finish()
  }
}
