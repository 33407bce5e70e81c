import GraphAPI
import TestSupport
import Testing

/// What the end of an HTTP/2 connection or stream proves.
struct HTTP2Tests {
  /// The behavior of a server on the first connection; later ones work.
  struct Trouble: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: HTTP2Script
    let kind: TransportFailure.Kind
    /// Whether only the timeout ends the call.
    let isSilent: Bool

    init(
      _ name: String, _ kind: TransportFailure.Kind, isSilent: Bool = false, _ script: HTTP2Script
    ) {
      testDescription = name
      self.kind = kind
      self.isSilent = isSilent || kind == .timedOut
      self.script = script
    }
  }

  private typealias Frames = HTTP2Frames

  private static func atEnd(
    _ steps: @escaping @Sendable (UInt32) -> [HTTP2Script.Step]
  ) -> HTTP2Script { HTTP2Script(atEnd: { steps($0.stream) }) }

  static let troubles = [
    Trouble(
      "GOAWAY with the settings", .notSent,
      HTTP2Script(greeting: { _ in [.send(Frames.settings() + Frames.goAway(lastStream: 0))] })),
    Trouble(
      "GOAWAY after the head of the request", .notProcessed,
      HTTP2Script(atHead: { _ in [.send(Frames.goAway(lastStream: 0))] })),
    Trouble(
      "GOAWAY after the request", .notProcessed,
      atEnd { _ in [.send(Frames.goAway(lastStream: 0))] }),
    Trouble(
      "GOAWAY after the request, and the end", .notProcessed,
      atEnd { _ in [.send(Frames.goAway(lastStream: 0)), .close] }),
    Trouble(
      "GOAWAY that spares the request, and the end", .connectionLost,
      atEnd { [.send(Frames.goAway(lastStream: $0)), .close] }),
    Trouble(
      "GOAWAY that spares the request, and a reset", .connectionLost,
      atEnd { [.send(Frames.goAway(lastStream: $0) + Frames.reset($0, error: 8))] }),
    Trouble(
      "GOAWAY that spares the request, and silence", .timedOut,
      atEnd { [.send(Frames.goAway(lastStream: $0))] }),
    Trouble(
      "GOAWAY after the answer has begun", .connectionLost,
      atEnd { [.send(Frames.head($0, status: "200") + Frames.goAway(lastStream: 0))] }),
    Trouble(
      "GOAWAY after an interim answer", .connectionLost,
      atEnd { [.send(Frames.head($0, status: "103") + Frames.goAway(lastStream: 0))] }),
    Trouble("a refused stream", .connectionLost, atEnd { [.send(Frames.reset($0, error: 7))] }),
    Trouble("a cancelled stream", .connectionLost, atEnd { [.send(Frames.reset($0, error: 8))] }),
    Trouble("the end of the connection", .connectionLost, atEnd { _ in [.close] }),
    Trouble("silence", .timedOut, HTTP2Script()),
    Trouble("no settings", .notSent, isSilent: true, HTTP2Script(greeting: { _ in [] })),
    Trouble(
      "no stream allowed", .notSent, isSilent: true,
      HTTP2Script(greeting: { _ in [.send(Frames.settings([(3, 0)]))] })),
    Trouble(
      "no room for the body", .timedOut,
      HTTP2Script(greeting: { _ in [.send(Frames.settings([(4, 0)]))] })),
  ]

  @Test(arguments: troubles)
  func `an end proves that nothing was processed, or nothing`(_ trouble: Trouble) async throws {
    let server = try SecureServer(trouble.script)

    // Enough to send the request on a busy machine.
    let failure = try await failure(at: server.url, timeout: trouble.isSilent ? 3 : 20)

    #expect(failure.kind == trouble.kind, "\(failure)")
    let proves = trouble.kind == .notSent || trouble.kind == .notProcessed
    #expect(failure.provesNothingHappened == proves)
    #expect((trouble.kind == .notSent) == server.requests.isEmpty)
  }

  @Test func `the next call uses another connection`() async throws {
    let script = HTTP2Script(atEnd: { request in
      let isFirst = request.connection == 1
      return [.send(isFirst ? Frames.goAway(lastStream: 0) : Frames.success(of: request))]
    })
    let server = try SecureServer(script)

    let status = try await HTTPClientTransport.withTransport(route: try SecureServer.trusted()) {
      transport in
      await #expect(throws: TransportFailure.self) {
        try await transport.send(request(to: server.url), timeout: .seconds(20))
      }
      return try await transport.send(request(to: server.url), timeout: .seconds(20)).status
    }

    #expect(status == 200)
    #expect(server.connections == 2)
  }

  /// A server may announce the end of an idle connection, and keep it open.
  @Test func `an idle connection is closed at once after GOAWAY`() async throws {
    let script = HTTP2Script(atEnd: { request in
      [.send(Frames.success(of: request) + Frames.goAway(lastStream: request.stream))]
    })
    let server = try SecureServer(script)

    try await HTTPClientTransport.withTransport(route: try SecureServer.trusted()) { transport in
      let response = try await transport.send(request(to: server.url), timeout: .seconds(20))
      #expect(response.status == 200)
      for _ in 0..<2000 where server.closedConnections == 0 {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(server.closedConnections == 1)
    }
  }

  @Test func `a server that does not close its connections delays the end by two seconds`()
    async throws
  {
    let script = HTTP2Script(atEnd: { request in
      [.send(Frames.success(of: request)), .goDeaf]
    })
    let time = try await timeOfEnd(after: script, below: .milliseconds(3500))

    #expect(time < .milliseconds(3500), "\(time)")
  }

  /// The shortest duration of the shutdown.
  ///
  /// Other tests use the same processors, so it is measured up to ten times until it is short enough.
  private func timeOfEnd(after script: HTTP2Script, below limit: Duration) async throws -> Duration
  {
    var best = Duration.seconds(3600)
    for _ in 0..<10 where best >= limit {
      let server = try SecureServer(script)
      best = min(best, try await timeOfEnd(at: server.url))
      withExtendedLifetime(server) {}
    }
    return best
  }

  private func timeOfEnd(at url: String) async throws -> Duration {
    let clock = ContinuousClock()
    let answered = try await HTTPClientTransport.withTransport(route: try SecureServer.trusted()) {
      transport in
      let response = try await transport.send(request(to: url), timeout: .seconds(20))
      #expect(response.status == 200)
      return clock.now
    }
    return answered.duration(to: clock.now)
  }

  private func request(to url: String) -> WireRequest {
    WireRequest(method: "POST", url: "\(url)/v25.0/me/feed", body: Array("message=hello".utf8))
  }

  private func failure(at url: String, timeout: Double) async throws -> TransportFailure {
    try await HTTPClientTransport.withTransport(route: try SecureServer.trusted()) { transport in
      do throws(TransportFailure) {
        let response = try await transport.send(request(to: url), timeout: .seconds(timeout))
        Issue.record("answered: \(response)")
        return TransportFailure(kind: .malformedAnswer, message: "answered")
      } catch {
        return error
      }
    }
  }
}
