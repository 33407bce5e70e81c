import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// SIGTERM at any time: nothing new is sent, the run ends in time, and it can be resumed.
///
/// `GRAPHFLOW_STOP_MOMENTS=100` tests 100 times, with a limit of 100 milliseconds; the default is a
/// few times, for machines that may be busy with other tests.
struct StopTests {
  private static let pairs = 20
  private static let rounds = getenv("GRAPHFLOW_STOP_MOMENTS")
    .flatMap { Int(String(cString: $0)) }

  private let graphflow: CommandFixture
  private let sandbox: SandboxProcess

  init() throws {
    var graphflow = try CommandFixture()
    sandbox = try SandboxProcess(for: graphflow)
    graphflow.environment = sandbox.environment
    self.graphflow = graphflow
  }

  private func workflow() throws -> String {
    var text = "graphflow: 1\ninputs:\n  turn: string\nrequests:\n"
    for index in 0..<StopTests.pairs {
      text += """
          post-\(index):
            post: me/feed
            params: {message: "turn {input=turn} number \(index)"}
          read-\(index):
            get: "{result=post-\(index):$.id}"

        """
    }
    return try graphflow.folder.write(text, to: "pairs.yaml")
  }

  @Test func `SIGTERM while the last call fails does not change the result`() throws {
    let port = try PublishingPort([.held])
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a: {post: me/feed, timeout: 1s}\n", to: "last.yaml")
    let run = try graphflow.start(["run", file], environment: port.environment)
    try port.waitUntilHeld()
    run.signal(SIGTERM)

    #expect(try run.wait() == .exited(3))

    let report = try JSON(parsing: try graphflow("report", "latest").output)
    #expect(try report.one("$.run.exit_code").integer == 3)
    #expect(try report.one("$.run.status") == "in_doubt")
  }

  @Test func `another process cancels a run, whose results so far are readable`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        first: {get: me}
        poll: {get: me, depends_on: [first], until: {check: "$.never", interval: 1s, within: 1h}}
        next: {get: me, depends_on: [poll]}
      """, to: "long.yaml")
    let run = try graphflow.start(["run", "--verbose", file])
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 3") }

    let early = try JSON(parsing: try graphflow("report", "latest").output)
    #expect(try early.one("$.requests[?@.name == 'first'].status") == "succeeded")
    #expect(try early.one("$.requests[?@.name == 'next'].status") == .null)
    let cancel = try graphflow("runs", "cancel", "latest")

    #expect(cancel.code == 0)
    #expect(cancel.error.contains("has ended: cancelled"), "\(cancel.error)")
    #expect(try run.wait() == .exited(143))
    let again = try graphflow("runs", "cancel", "latest")
    #expect(again.code == 0 && again.error.contains("nothing to cancel"), "\(again.error)")
    // An old request does not stop a later session.
    try graphflow.folder.write("", to: "state/runs/\(try early.one("$.run.id").string ?? "")/stop")
    #expect(try graphflow("resume", "latest", "--deadline", "3s").code == 75)
  }

  @Test func `after SIGTERM the clean-up is sent`() throws {
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        draft: {post: me/feed, params: {message: a draft}}
        poll:
          get: "{result=draft:$.id}"
          until: {check: "$.never", interval: 1s, within: 1h}
        next: {get: me, depends_on: [poll]}
        remove: {delete: "{result=draft:$.id}", depends_on: [next], always: true}
      """, to: "clean.yaml")
    let run = try graphflow.start(["run", "--verbose", file])
    try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call 3") }
    run.signal(SIGTERM)

    #expect(try run.wait() == .exited(143))

    let report = try JSON(parsing: try graphflow("report", "latest").output)
    #expect(try report.one("$.requests[?@.name == 'remove'].status") == "succeeded")
    #expect(try report.one("$.requests[?@.name == 'next'].status") == "cancelled")
    #expect(try report.one("$.run.status") == "cancelled")
  }

  @Test func `SIGTERM at random times`() throws {
    let file = try workflow()
    var stopped = 0
    for turn in 0..<(StopTests.rounds ?? 6) {
      let run = try graphflow.start([
        "run", "--verbose", file, "--input", "turn=\(turn)", "--batch-size", "1", "--concurrency",
        "3",
      ])
      let call = Int.random(in: 1...30)
      try run.read { String(decoding: $0.standardError, as: UTF8.self).contains("call \(call)") }
      _ = poll(nil, 0, Int32.random(in: 0...15))
      let signalled = wallTime()
      run.signal(SIGTERM)
      let end = try run.wait()
      let ended = wallTime()

      #expect(end == .exited(143) || end == .exited(0), "turn \(turn), call \(call)")
      #expect(ended - signalled < 10_000, "turn \(turn), call \(call)")
      if end == .exited(143) { stopped += 1 }
      let report = try JSON(parsing: try graphflow("report", "latest").output)
      let code = try report.one("$.run.exit_code").integer
      #expect(code.map { .exited(Int32($0)) } == end, "turn \(turn), call \(call)")
      let limit = Timestamps.text(signalled + (StopTests.rounds == nil ? 1000 : 100))
      for start in try report.all("$.calls[*].started_at") {
        #expect((start.string ?? "~") <= limit, "turn \(turn), call \(call)")
      }
      let resumed = try graphflow("resume", "latest", "--quiet")
      #expect(resumed.code == 0, "turn \(turn), call \(call): \(resumed.error)")
    }
    #expect(stopped > 0)
    // Nothing was done twice, and nothing was omitted.
    let posts = try sandbox.calls().flatMap(\.operations).filter { $0.method == "POST" }
    #expect(posts.count == StopTests.pairs * (StopTests.rounds ?? 6))
  }
}

/// Timestamps in the format of reports, for comparison as text.
private enum Timestamps {
  static func text(_ milliseconds: Int64) -> String {
    var seconds = time_t(milliseconds / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ number: some BinaryInteger, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-"
      + "\(digits(parts.tm_mday, 2))T\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):"
      + "\(digits(parts.tm_sec, 2)).\(digits(milliseconds % 1000, 3))Z"
  }
}
