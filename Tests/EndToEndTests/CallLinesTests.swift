import CommandHarness
import TestSupport
import Testing

/// What `graphflow sandbox` prints for each call, on standard error.
struct CallLinesTests {
  private let graphflow: CommandFixture
  private let process: ChildProcess
  private let url: String
  private let token: String
  private let pageToken: String

  init() throws {
    graphflow = try CommandFixture()
    process = try graphflow.start(["sandbox", "--faults", "/dev/stdin"], input: Array(Self.faults))
    try process.read(for: 60) { $0.standardOutput.split(separator: 10).count > 2 }
    let output = String(decoding: process.standardOutput, as: UTF8.self)
    url = String(try #require(output.firstMatch(of: /http:..127.0.0.1:\d+/)).output)
    token = String(try #require(output.firstMatch(of: /default: (EAA\w+)/)).output.1)
    pageToken = String(try #require(output.firstMatch(of: /page: (EAA\w+)/)).output.1)
  }

  private static let faults = """
    graphflow-faults: 1
    faults:
      - {method: DELETE, operation: {error: 2, applied: true}}
    """.utf8

  private func ask(_ path: String, _ arguments: String...) throws {
    let curl = try ChildProcess(
      ["/usr/bin/env", "curl", "-s", "-g", url + path] + arguments,
      environment: ["PATH": "/usr/bin:/bin"], input: [], folder: "/")
    #expect(try curl.wait() == .exited(0))
  }

  /// The printed lines, at least this many, with a dash for each digit of the time.
  private func shown(_ count: Int) throws -> [String] {
    try process.read(for: 60) { $0.standardError.split(separator: 10).count >= count }
    process.signal(15)
    _ = try process.wait()
    return String(decoding: process.standardError, as: UTF8.self)
      .replacing(/\d\d:\d\d:\d\d/, with: "--:--:--")
      .split(separator: "\n").map(String.init)
  }

  @Test func `calls and their operations are shown aligned, and without tokens`() throws {
    let batch = """
      batch=[{"method":"POST","relative_url":"me/feed","body":"message=Hi","name":"post"},\
      {"relative_url":"{result=post:$.id}?fields=message"},{"relative_url":"nobody"}]
      """
    try ask("/v25.0/me?fields=name&access_token=\(token)")
    try ask("/v25.0/", "-d", "access_token=\(pageToken)", "--data-urlencode", batch)
    try ask("/me?access_token=EAAwrong")

    #expect(
      try shown(6) == [
        "    1  --:--:--  200  GET     /v25.0/me?fields=name&access_token=***",
        "    2  --:--:--  200  POST    /v25.0/  batch of 3",
        "                1  200  POST    me/feed  'post', applied",
        "                2  200  GET     122000000000023_122000000000093?fields=message",
        "                3  400  GET     nobody  error 803",
        "    3  --:--:--  400  GET     /me?access_token=***  error 190",
      ])
  }

  @Test func `faults are named, and what took effect in spite of them`() throws {
    try ask("/122000000000002_122000000000016?access_token=\(token)", "-X", "DELETE")

    let line = try #require(try shown(1).first)
    #expect(line.contains("500  DELETE  /122000000000002_122000000000016"))
    #expect(line.contains("error 2  fault: error 2"))
  }

  @Test func `a text from outside cannot start a line`() throws {
    try ask("/me?fields=x%0a%1b[31m&code=1&access_token=\(token)")

    let lines = try shown(1)
    #expect(lines.count == 1)
    #expect(!lines.joined().contains("\u{1B}"))
  }

  @Test func `a quiet sandbox shows nothing`() throws {
    let quiet = try SandboxProcess(for: graphflow)
    let asked = try graphflow("get", "me", environment: quiet.environment)

    #expect(asked.code == 0)
    #expect(quiet.standardError.isEmpty)
  }
}
