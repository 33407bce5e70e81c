import GraphAPI
import TestSupport
import Testing

/// Every status that a server may send, over real connections of both versions of HTTP.
struct AnswerStatusTests {
  /// The statuses that end a call, and those before another one.
  private static let (final, interim) = (200...999, Set([100] + Array(102...199)))

  private static func text(_ code: Int) -> String {
    let digits = String(code)
    return String(repeating: "0", count: 3 - digits.utf8.count) + digits
  }

  @Test func `every status from 000 to 999 is an answer or a failure on HTTP 1`() async throws {
    let behaviour = LoopbackServer.Behaviour.reply { request in
      let code = String(request.suffix(3))
      let body = "Content-Length: 2\r\n\r\n{}"
      let isFinal = code >= "200"
      let rest = isFinal ? body : "\r\nHTTP/1.1 200 OK\r\n\(body)"
      return Array("HTTP/1.1 \(code) X\r\n\(Self.hasBody(code) ? rest : "\r\n")".utf8)
    }
    try await LoopbackServer.serving(behaviour) { server in
      try await check(at: server.url, route: HTTPRoute())
    }
  }

  @Test func `every status from 000 to 999 is an answer or a failure on HTTP 2`() async throws {
    let server = try SecureServer(Self.script)

    try await check(at: server.url, route: try SecureServer.trusted())
  }

  @Test(arguments: ["-5", "+20", "2e2", "", "20", "0200", "18446744073709551616", "２００"])
  func `what is no status is a failure on HTTP 2`(_ status: String) async throws {
    let server = try SecureServer(Self.script)
    let route = try SecureServer.trusted()

    try await HTTPClientTransport.withTransport(route: route) { transport in
      _ = await #expect(throws: TransportFailure(kind: .malformedAnswer, message: Self.noHTTP)) {
        try await transport.send(request(status, to: server.url), timeout: .seconds(20))
      }
    }
  }

  private static let noHTTP = "the answer is not HTTP"

  /// Answers with the status in the body of the request, and then with 200 if that was not the last.
  private static let script = HTTP2Script(atEnd: { request in
    let status = String(decoding: request.body, as: UTF8.self)
    let isFinal = status.utf8.count == 3 && status >= "200"
    let last = HTTP2Frames.answer(request.stream, status: "200", "{}")
    let head = HTTP2Frames.head(request.stream, status: status, isEnd: !hasBody(status))
    guard hasBody(status) else { return [.send(head)] }
    return [.send(head + (isFinal ? HTTP2Frames.data(request.stream, "{}") : last))]
  })

  /// Whether an answer with this status may have a body (RFC 9110, sections 15.3.5 and 15.4.5).
  private static func hasBody(_ status: String) -> Bool { status != "204" && status != "304" }

  private func request(_ status: String, to url: String) -> WireRequest {
    WireRequest(method: "POST", url: "\(url)/v25.0/me", body: Array(status.utf8))
  }

  private func outcome(
    of request: WireRequest, by transport: HTTPClientTransport
  ) async -> Result<Int, TransportFailure> {
    do throws(TransportFailure) {
      return .success(try await transport.send(request, timeout: .seconds(20)).status)
    } catch {
      return .failure(error)
    }
  }

  private func check(at url: String, route: HTTPRoute) async throws {
    try await HTTPClientTransport.withTransport(route: route) { transport in
      for code in 0...999 {
        var outcome = await outcome(of: request(Self.text(code), to: url), by: transport)
        // The connection may have been closed because of the status before.
        while case .failure(let failure) = outcome, failure.kind == .notSent {
          outcome = await self.outcome(of: request(Self.text(code), to: url), by: transport)
        }
        if Self.final.contains(code) {
          #expect(outcome == .success(code))
        } else if Self.interim.contains(code) {
          #expect(outcome == .success(200), "\(code)")
        } else {
          let failure = TransportFailure(kind: .malformedAnswer, message: Self.noHTTP)
          #expect(outcome == .failure(failure), "\(code)")
        }
      }
    }
  }
}

extension SecureServer {
  /// The route to servers of tests.
  static func trusted() throws -> HTTPRoute {
    let bytes = try contents(of: TestCertificates.authority)
    let trust: TrustedCertificates = try #require(TrustedCertificates(pem: bytes))
    var route = HTTPRoute()
    route.trust = trust
    return route
  }
}
