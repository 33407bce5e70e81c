import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a run shows while it runs, and what a watcher of another process sees.
struct ProgressTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func rows(_ count: Int) throws -> String {
    try graphflow.folder.write(
      "graphflow: 1\nname: rows\nrequests:\n  a: {for_each: \(Array(0..<count)), get: \"{item}\"}\n",
      to: "rows.yaml")
  }

  @Test func `a pipe gets few lines, however many requests fail`() throws {
    let outcome = try graphflow("run", try rows(2000), "--sandbox")

    let lines = outcome.error.split(separator: "\n")
    #expect(outcome.code == 1)
    #expect(lines.first?.hasPrefix("run ") == true)
    #expect(lines.contains { $0.hasPrefix("failed      a × ") }, "\(outcome.error)")
    #expect(!outcome.error.contains("call 1"))
    #expect(lines.count <= 20, "\(outcome.error)")
  }

  @Test func `--verbose has a line for each call`() throws {
    let outcome = try graphflow("run", try rows(100), "--sandbox", "--verbose")

    #expect(outcome.error.contains("\ncall 2, round 1: 50 operations\n"), "\(outcome.error)")
  }

  @Test func `--progress json writes an object a line, with the final figures at the end`() throws {
    let outcome = try graphflow("run", try rows(200), "--sandbox", "--progress", "json")

    let objects = try outcome.error.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
      try JSON(parsing: String($0))
    }
    #expect(objects.first?["event"]?.string == "started")
    #expect(objects.last?["event"]?.string == "ended")
    #expect(objects.last?["status"]?.string == "failed")
    #expect(objects.last?["done"]?.number?.double == 200)
    #expect(objects.last?["total"]?.number?.double == 200)
    #expect(objects.contains { $0["failure"]?["request"]?.string == "a" })
  }

  @Test func `--progress bar without a terminal is lines without control characters`() throws {
    let outcome = try graphflow("run", try rows(200), "--sandbox", "--progress", "bar")

    #expect(outcome.error.hasPrefix("run "))
    #expect(!outcome.error.contains("\u{1b}"))
  }

  @Test func `a pause is shown when it begins, although all requests wait for it`() throws {
    let faults = try graphflow.folder.write(
      "graphflow-faults: 1\nfaults:\n  - {first: 1, operation: {throttle: {code: 4, regain: 3s}}}\n",
      to: "faults.yaml")
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a: {get: me}\n", to: "one.yaml")
    let run = try graphflow.start([
      "run", file, "--sandbox", "--faults", faults, "--progress", "json",
    ])
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("\"paused\"") }
    let text = String(decoding: run.standardError, as: UTF8.self)
    #expect(try run.wait() == .exited(0))

    let line = try #require(text.split(separator: "\n").first { $0.contains("\"paused\"") })
    let pause = try JSON(parsing: String(line))
    #expect(pause["pause"]?["cause"]?.string == "throttled")
    let all = String(decoding: run.standardError, as: UTF8.self)
    #expect(all.ranges(of: "\"paused\"").count == 1, "\(all)")
  }

  @Test func `runs watch ends with the run, and tells how it ended`() throws {
    #expect(try graphflow("run", try rows(3), "--sandbox", "--quiet").code == 1)

    let outcome = try graphflow("runs", "watch")

    #expect(outcome.code == 0)
    #expect(outcome.error.contains(": failed in "), "\(outcome.error)")
  }

  @Test func `runs watch shows a run of another process`() throws {
    let port = try SilentPort()
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a: {for_each: [1, 2, 3], get: me}\n", to: "a.yaml")
    let run = try graphflow.start(
      ["run", "--verbose", file, "--graph-url", port.url],
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 1") }
    let watch = try graphflow.start(["runs", "watch", "latest", "--progress", "json"])
    try watch.read { String(decoding: $0.standardError, as: UTF8.self).contains("\"progress\"") }
    run.signal(SIGKILL)
    _ = try run.wait()

    #expect(try watch.wait() == .exited(0))
    let text = String(decoding: watch.standardError, as: UTF8.self)
    #expect(text.contains("\"calls_in_flight\":1"))
    #expect(text.contains("\"done\":0,\"total\":3,"), "\(text)")
    #expect(text.hasSuffix("the run is not active\n"))
  }
}
