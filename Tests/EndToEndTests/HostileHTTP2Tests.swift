import CommandHarness
import JSONPath
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Hostile HTTP/2 servers over TLS: none of them hangs the command, and a write is in doubt exactly
/// if it may have happened.
@Suite(.serialized)
struct HostileHTTP2Tests {
  /// The behaviour of a server, and the exit code of the run.
  struct Trouble: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: Int32
    let script: HTTP2Script

    init(_ name: String, _ code: Int32, _ script: HTTP2Script) {
      testDescription = name
      self.code = code
      self.script = script
    }
  }

  private typealias Frames = HTTP2Frames
  /// The exit codes: nothing was sent, nothing was processed, unknown.
  private static let (notSent, notProcessed, doubt): (Int32, Int32, Int32) = (69, 1, 3)

  private static func greeting(_ steps: HTTP2Script.Step...) -> HTTP2Script {
    HTTP2Script(greeting: { _ in steps })
  }

  private static func atEnd(
    _ steps: @escaping @Sendable (UInt32) -> [HTTP2Script.Step]
  ) -> HTTP2Script { HTTP2Script(atEnd: { steps($0.stream) }) }

  private static func flood(_ unit: @escaping @Sendable (UInt32) -> [UInt8]) -> HTTP2Script {
    HTTP2Script(atEnd: { [.flood(unit($0.stream))] })
  }

  private static func status(_ status: String) -> HTTP2Script {
    HTTP2Script(atEnd: { [.send(Frames.answer($0.stream, status: status, "{}"))] })
  }

  static let troubles =
    [
      Trouble(
        "GOAWAY at once", notSent, greeting(.send(Frames.settings() + Frames.goAway(lastStream: 0)))
      ),
      Trouble(
        "GOAWAY at once, and no answer to the end", notSent,
        greeting(.send(Frames.settings() + Frames.goAway(lastStream: 0)), .goDeaf)),
      Trouble("no settings", notSent, greeting()),
      Trouble("no stream allowed", notSent, greeting(.send(Frames.settings([(3, 0)])))),
      Trouble("the end at once", notSent, greeting(.close)),
      Trouble("another protocol", notSent, greeting(.send(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)))),
      Trouble(
        "GOAWAY in the middle of the request", notProcessed,
        HTTP2Script(atHead: { _ in [.send(Frames.goAway(lastStream: 0))] })),
      Trouble(
        "GOAWAY after the request, and no answer to the end", notProcessed,
        atEnd { _ in [.send(Frames.goAway(lastStream: 0)), .goDeaf] }),
      Trouble(
        "GOAWAY that spares the request, and the end", doubt,
        atEnd { [.send(Frames.goAway(lastStream: $0)), .close] }),
      Trouble(
        "GOAWAY that spares the request, and silence", doubt,
        atEnd { [.send(Frames.goAway(lastStream: $0)), .goDeaf] }),
      Trouble(
        "GOAWAY in the middle of the answer", doubt,
        atEnd { [.send(Frames.head($0, status: "200") + Frames.goAway(lastStream: 0))] }),
      Trouble("RST: no error", doubt, atEnd { [.send(Frames.reset($0, error: 0))] }),
      Trouble("RST: refused", doubt, atEnd { [.send(Frames.reset($0, error: 7))] }),
      Trouble("RST: cancelled", doubt, atEnd { [.send(Frames.reset($0, error: 8))] }),
      Trouble(
        "RST in the middle of the answer", doubt,
        atEnd { [.send(Frames.head($0, status: "200") + Frames.reset($0, error: 2))] }),
      Trouble("no room for the body", doubt, greeting(.send(Frames.settings([(4, 0)])))),
      Trouble("silence", doubt, HTTP2Script()),
      Trouble("silence, and no answer to the end", doubt, atEnd { _ in [.goDeaf] }),
      Trouble(
        "a flood of PING", doubt, flood { _ in Frames.frame(6, [UInt8](repeating: 1, count: 8)) }),
      Trouble("a flood of SETTINGS", doubt, flood { _ in Frames.settings([(3, 100)]) }),
      Trouble("a flood of empty DATA", doubt, flood { Frames.data($0, "", isEnd: false) }),
      Trouble("a flood of interim answers", doubt, flood { Frames.head($0, status: "103") }),
      Trouble("a flood of RST", doubt, flood { Frames.reset($0, error: 8) }),
      Trouble("a flood of WINDOW_UPDATE", doubt, flood { _ in Frames.frame(8, [0, 0, 0, 1]) }),
      Trouble("a flood of unknown frames", doubt, flood { _ in Frames.frame(0xFA, [1, 2, 3]) }),
      Trouble("a flood of GOAWAY", doubt, flood { Frames.goAway(lastStream: $0) }),
      Trouble(
        "headers without end", doubt,
        HTTP2Script(atEnd: { request in
          let field = Frames.statusField("200")
          return [
            .send(Frames.frame(1, stream: request.stream, field)),
            .flood(Frames.frame(9, stream: request.stream, [0x00, 1, 0x61, 1, 0x62])),
          ]
        })),
      Trouble(
        "a body without end", doubt,
        HTTP2Script(atEnd: { request in
          let blanks = String(repeating: " ", count: 8192)
          return [
            .send(Frames.head(request.stream, status: "200")),
            .flood(Frames.data(request.stream, blanks, isEnd: false)),
          ]
        })),
    ]
    + ["000", "001", "099", "100", "101", "199", "999", "1000", "-5", ""].map {
      Trouble("the status '\($0)'", doubt, status($0))
    }

  private let graphflow: CommandFixture

  init() throws {
    graphflow = try CommandFixture()
    try graphflow.configure("ca_file: \(TestCertificates.authority)\n")
  }

  private let environment = ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"]

  private func workflow(retry: Bool) throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      defaults: {timeout: 3s\(retry ? "" : ", retry: false")}
      requests:
        a: {post: me/feed, idempotent: false}
        b: {get: me}

      """, to: "two.yaml")
  }

  @Test(arguments: troubles)
  func `no server hangs the command, and a write is in doubt only if bytes were sent`(
    _ trouble: Trouble
  ) throws {
    let server = try SecureServer(trouble.script)
    let path = graphflow.folder.path + "/report.json"
    let start = ContinuousClock.now

    let process = try graphflow.start(
      ["run", try workflow(retry: false), "--graph-url", server.url, "--report", path],
      environment: environment)
    let memory = process.peakMemory()
    let end = try process.wait()

    let time = start.duration(to: .now)
    #expect(time < .seconds(15), "\(time)")
    #expect(memory < 158 << 20, "\(memory >> 20) MiB")
    let error = String(decoding: process.standardError, as: UTF8.self)
    #expect(end == .exited(trouble.code), "\(error)")
    let report = try JSON(parsing: try contents(of: path))
    let write: JSON = trouble.code == Self.doubt ? "in_doubt" : "failed"
    #expect(try report.all("$.requests[*].status") == [write, "failed"], "\(error)")
    #expect(server.requests.isEmpty == (trouble.code == Self.notSent))
  }

  /// A load balancer that is being taken out of service.
  @Test(arguments: [true, false])
  func `a write that a draining server refused is sent again, once`(_ isAtOnce: Bool) throws {
    let script = HTTP2Script(
      greeting: { connection in
        let end = isAtOnce && connection == 1 ? HTTP2Frames.goAway(lastStream: 0) : []
        return [.send(HTTP2Frames.settings() + end)]
      },
      atEnd: { request in
        let isGood = request.connection > 1
        return [
          .send(isGood ? HTTP2Frames.success(of: request) : HTTP2Frames.goAway(lastStream: 0))
        ]
      })
    let server = try SecureServer(script)

    let (outcome, report) = try graphflow.report(
      "run", try workflow(retry: true), "--graph-url", server.url, environment: environment)

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try report.all("$.requests[*].status") == ["succeeded", "succeeded"])
    #expect(server.requests.count { $0.connection > 1 } == 1)
  }

  /// The summary is printed, and the next run may start, while the connection is still closing.
  @Test func `a run ends before its connections are closed`() throws {
    let script = HTTP2Script(atEnd: { request in
      [.send(HTTP2Frames.success(of: request)), .goDeaf]
    })
    let server = try SecureServer(script)
    let command = ["run", try workflow(retry: false), "--graph-url", server.url]
    let process = try graphflow.start(command, environment: environment)
    try process.read { process in
      String(decoding: process.standardError, as: UTF8.self).contains("\nreport ")
    }
    let concluded = ContinuousClock.now

    let second = try graphflow.start(command, environment: environment)

    #expect(try process.wait() == .exited(0))
    let time = concluded.duration(to: .now)
    #expect(time < .seconds(6), "\(time)")
    #expect(try second.wait() == .exited(0))
    #expect(server.requests.count == 2)
  }

  @Test(arguments: ["get me", "post me/feed message=a", "whoami"])
  func `a status below 100 crashes no command`(_ command: String) throws {
    let server = try SecureServer(Self.status("000"))
    let plain = try ScriptedPort(status: "099 Odd", body: "{}")
    for url in [server.url, plain.url] {
      let words = command.split(separator: " ").map(String.init)

      let outcome = try graphflow.run(words + ["--graph-url", url], environment: environment)

      #expect(outcome.code == (words[0] == "post" ? 3 : 1), "\(outcome.error)")
      #expect(outcome.error.contains("the answer is not HTTP"))
    }
  }
}
