import CommandHarness
import JSONPath
import TestSupport
import Testing

/// Every kind of fault, as the command's own client receives it.
struct SandboxFaultTests {
  /// A fault, and the results of a read and a write in one batch.
  struct Case: Sendable, CustomTestStringConvertible {
    let fault: String
    let read: String
    let write: String
    /// How many posts took effect; -1 if that does not matter.
    let posts: Int
    /// A part of the message of the write, or of the read if the write succeeded.
    var message = ""
    /// The client's timeout.
    var timeout = "60s"
    var testDescription: String { fault }
  }

  static let cases = [
    Case(
      fault: "method: POST, operation: {error: 100}", read: "ok", write: "failed", posts: 0,
      message: "Invalid parameter"),
    Case(
      fault: "method: POST, operation: {error: 2}", read: "ok", write: "doubt", posts: 0,
      message: "Please retry"),
    Case(
      fault: "method: POST, operation: {error: 2, applied: true}", read: "ok", write: "doubt",
      posts: 1, message: "Please retry"),
    Case(
      fault: "method: POST, operation: {throttle: {code: 32, regain: 9m}}", read: "ok",
      write: "failed", posts: 0, message: "Page request limit"),
    Case(
      fault: "method: POST, operation: {unfinished: null_item}", read: "ok", write: "doubt",
      posts: 0, message: "no answer"),
    Case(
      fault: "method: POST, operation: {unfinished: error_960, applied: true}", read: "ok",
      write: "doubt", posts: 1, message: "Request aborted"),
    Case(
      fault: "method: GET, path: me, operation: {unfinished: error_960}", read: "failed",
      write: "ok", posts: 1, message: "Request aborted"),
    Case(fault: "method: POST, operation: {lag: 1}", read: "ok", write: "ok", posts: 1),
    Case(
      fault: "method: POST, call: {error: {code: 1, status: 500}}", read: "failed", write: "doubt",
      posts: 0, message: "unknown error"),
    Case(
      fault: "method: POST, call: {throttle: {code: 4, regain: 9m}}", read: "failed",
      write: "failed", posts: 0, message: "Application request limit"),
    Case(
      fault: "method: POST, call: {page: 502, applied: true}", read: "failed", write: "doubt",
      posts: 1, message: "page of HTML"),
    Case(
      fault: "method: POST, call: {drop: true}", read: "failed", write: "doubt", posts: 0,
      message: "connection"),
    Case(
      fault: "method: POST, call: {cut: 9}", read: "failed", write: "doubt", posts: 1,
      message: "closed before the answer was complete"),
    Case(
      fault: "method: POST, call: {partial: {from: 0, as: null_item}, applied: true}",
      read: "failed", write: "doubt", posts: 1, message: "no answer"),
    Case(
      fault: "method: POST, call: {truncate: 20}", read: "failed", write: "doubt", posts: 1,
      message: "not complete JSON"),
    Case(
      fault: "method: POST, call: {wrong_length: 10}", read: "failed", write: "doubt", posts: 1,
      message: "closed before the answer was complete"),
    Case(
      fault: "method: POST, call: {wrong_length: -10}", read: "failed", write: "doubt", posts: 1),
    Case(fault: "method: POST, call: {delay: 10ms}", read: "ok", write: "ok", posts: 1),
    Case(
      fault: "method: POST, call: {delay: 1h}", read: "failed", write: "doubt", posts: 1,
      message: "no complete answer in time", timeout: "300ms"),
    Case(
      fault: "method: POST, call: {drip: {bytes: 200, pause: 1ms}}", read: "ok", write: "ok",
      posts: 1),
    Case(
      fault: "method: POST, call: {drip: {pause: 1m}}", read: "failed", write: "doubt", posts: 1,
      timeout: "300ms"),
    Case(fault: "method: POST, call: {pad: 100000}", read: "ok", write: "ok", posts: 1),
    Case(fault: "method: POST, call: {pad: 3000000000}", read: "failed", write: "doubt", posts: 1),
    Case(
      fault: "method: POST, world: {token: password_changed}", read: "failed", write: "failed",
      posts: 0, message: "changed their password"),
    Case(fault: "path: me/feed, world: {decline: user_posts}", read: "ok", write: "ok", posts: -1),
  ]

  private static let words = ["ok": "succeeded", "failed": "failed", "doubt": "in_doubt"]

  @Test(arguments: cases)
  func `a fault has its documented result`(_ example: Case) throws {
    let graphflow = try CommandFixture()
    let faults = try graphflow.folder.write(
      "graphflow-faults: 1\nfaults: [{\(example.fault)}]\n", to: "x.faults.yaml")
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      defaults: {retry: false, timeout: \(example.timeout)}
      requests:
        read: {get: me, params: {fields: id}}
        write: {post: me/feed, params: {message: Hello}, idempotent: false}

      """, to: "x.yaml")
    let sandbox = try SandboxProcess(for: graphflow, ["--faults", faults])
    let (outcome, report) = try graphflow.report("run", file, environment: sandbox.environment)
    func status(_ name: String) throws -> String? {
      try report.all("$.requests[?@.name == '\(name)'].status").first?.string
    }
    #expect(try status("read") == Self.words[example.read], "\(outcome.error)")
    #expect(try status("write") == Self.words[example.write], "\(outcome.error)")
    #expect(outcome.error.contains(example.message))
    let applied = try sandbox.calls().flatMap(\.operations)
      .count { $0.method == "POST" && $0.isApplied }
    if example.posts >= 0 { #expect(applied == example.posts) }
  }

  @Test func `the ledger records the faults, and which requests took effect`() throws {
    let graphflow = try CommandFixture()
    let faults = try graphflow.folder.write(
      """
      graphflow-faults: 1
      faults:
        - {method: POST, nth: 1, call: {drop: true, applied: true}}
        - {method: POST, nth: 2, operation: {error: 4}}

      """, to: "x.faults.yaml")
    let sandbox = try SandboxProcess(for: graphflow, ["--faults", faults])
    for _ in 0..<3 {
      _ = try graphflow("post", "me/feed", "message=Hello", environment: sandbox.environment)
    }
    let calls = try sandbox.calls()
    #expect(calls.map(\.fault) == ["dropped", nil, nil])
    #expect(calls.flatMap(\.operations).map(\.fault) == [nil, "error 4", nil])
    #expect(calls.flatMap(\.operations).map(\.isApplied) == [true, false, false])
  }

  @Test func `the same seed and calls get the same faults`() throws {
    let text = { (seed: Int) in
      "graphflow-faults: 1\nseed: \(seed)\nfaults: [{probability: 0.5, operation: {error: 100}}]\n"
    }
    func codes(_ seed: Int) throws -> [Int?] {
      let graphflow = try CommandFixture()
      let file = try graphflow.folder.write(text(seed), to: "x.faults.yaml")
      let sandbox = try SandboxProcess(for: graphflow, ["--faults", file])
      let requests = (0..<40).map { "  r\($0): {get: me, params: {fields: id}}\n" }.joined()
      let workflow = try graphflow.folder.write(
        "graphflow: 1\ndefaults: {retry: false}\nrequests:\n" + requests, to: "x.yaml")
      _ = try graphflow("run", workflow, environment: sandbox.environment)
      return try sandbox.calls().flatMap(\.operations).map(\.code)
    }
    let first = try codes(3)
    #expect(first.count == 40 && first.contains(200) && first.contains(400))
    let second = try codes(3)
    #expect(first == second)
    let other = try codes(4)
    #expect(first != other)
  }
}
