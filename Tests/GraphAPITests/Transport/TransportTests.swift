import GraphAPI
import TestSupport
import Testing

/// The HTTP client against a server that misbehaves, on loopback.
struct TransportTests {
  private static let secret = "SECRETTOKEN"

  @Test func `an answer is received completely`() async throws {
    let answer = http("200 OK", ["ETag: \"a\"", "X-Odd: é"], "{\"id\":\"1\"}")
    try await LoopbackServer.serving(.answer(answer)) { server in
      let response = try await send(to: server.url).get()

      #expect(response.status == 200)
      #expect(response.headers["etag"] == "\"a\"")
      #expect(String(decoding: response.body, as: UTF8.self) == "{\"id\":\"1\"}")
      let request = try #require(server.received.requests.first)
      #expect(request.hasPrefix("POST /v25.0/ HTTP/1.1\r\n"))
      #expect(!request.between("", "\r\n").contains(Self.secret))
      #expect(request.hasSuffix("access_token=\(Self.secret)"))
      #expect(request.lowercased().contains("\r\naccept-encoding: gzip\r\n"))
    }
  }

  @Test func `a refused connection fails at once, and nothing was sent`() async throws {
    let port = try #require(LoopbackPort())

    // Retrying until the timeout would take an hour.
    let failure = try await failure(of: send(to: port.url, timeout: .seconds(3600)))

    #expect(failure.kind == .notSent)
    #expect(failure.provesNothingHappened)
  }

  @Test func `nothing is sent to an unknown host`() async throws {
    let failure = try await failure(of: send(to: "http://name.invalid"))

    #expect(failure.kind == .notSent)
  }

  @Test func `a server without TLS receives nothing of a secure request`() async throws {
    try await LoopbackServer.serving(.interruption(http("400 Bad Request", [], ""))) { server in
      let url = server.url.replacing("http://", with: "https://")

      let failure = try await failure(of: send(to: url))

      #expect(failure.kind == .notSent)
      #expect(failure.message.contains("TLS"))
    }
  }

  @Test(arguments: BrokenAnswer.all)
  func `a broken answer has a kind and proves nothing`(_ answer: BrokenAnswer) async throws {
    let kind = answer.kind
    try await LoopbackServer.serving(answer.behaviour) { server in
      let timeout: Duration = kind == .timedOut ? .milliseconds(150) : .seconds(20)

      let failure = try await failure(of: send(to: server.url, timeout: timeout, limit: 1000))

      #expect(failure.kind == kind)
      #expect(!failure.provesNothingHappened)
      #expect(!"\(failure) \(failure.message)".contains(Self.secret))
      #expect(server.received.requests.count == 1, "sent once")
    }
  }

  @Test(arguments: ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
  func `a redirect is not followed`(_ status: String) async throws {
    try await LoopbackServer.serving(.silence) { other in
      let answer = http(status, ["Location: \(other.url)/stolen"], "")
      try await LoopbackServer.serving(.answer(answer)) { server in
        let response = try await send(to: server.url).get()

        #expect("\(response.status)" == status.prefix(3))
        #expect(server.received.requests.count == 1)
        #expect(other.received.requests.isEmpty)
      }
    }
  }

  @Test func `a gzip answer is decompressed`() async throws {
    // `printf '{"id":"1"}' | gzip -n | xxd -p`
    let packed: [UInt8] = [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xAB, 0x56, 0xCA, 0x4C, 0x51,
      0xB2, 0x52, 0x32, 0x54, 0xAA, 0x05, 0x00, 0xF3, 0xC8, 0x18, 0xF6, 0x0A, 0x00, 0x00, 0x00,
    ]
    let head =
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
    try await LoopbackServer.serving(.answer(Array(head.utf8) + packed)) { server in
      let response = try await send(to: server.url).get()

      #expect(String(decoding: response.body, as: UTF8.self) == "{\"id\":\"1\"}")
    }
  }

  @Test func `a gzip answer that exceeds the limit after decompression is too large`() async throws
  {
    // `head -c 100000 /dev/zero | gzip -9n | xxd -p`, whose middle is zeros itself.
    let start: [UInt8] = [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xED, 0xC1, 0x31,
      0x01, 0x00, 0x00, 0x00, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 0x0D, 0x0F, 0xA0,
    ]
    let end: [UInt8] = [0x80, 0x57, 0x03, 0x7D, 0x95, 0x11, 0xD4, 0xA0, 0x86, 0x01, 0x00]
    let packed = start + [UInt8](repeating: 0, count: 96) + end
    let head =
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
    try await LoopbackServer.serving(.answer(Array(head.utf8) + packed)) { server in
      let failure = try await failure(of: send(to: server.url, limit: 10_000))

      #expect(failure.kind == .tooLarge)
    }
  }

  @Test func `cancelling ends the call`() async throws {
    try await LoopbackServer.serving(.silence) { server in
      let url = server.url
      let call = Task { try await failure(of: send(to: url, timeout: .seconds(30))) }
      while server.received.requests.isEmpty { await Task.yield() }

      call.cancel()

      let outcome = try await call.value
      #expect(outcome.kind == .cancelled)
      #expect(!outcome.provesNothingHappened)
    }
  }

  @Test func `a call that is already cancelled sends nothing`() async throws {
    try await LoopbackServer.serving(.silence) { server in
      let url = server.url
      let call = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await failure(of: send(to: url))
      }

      let outcome = try await call.value

      #expect(outcome.kind == .cancelled)
      #expect(outcome.provesNothingHappened)
      #expect(server.received.requests.isEmpty)
    }
  }

  @Test func `connections are reused between calls`() async throws {
    let answer = http("200 OK", [], "{}")
    try await LoopbackServer.serving(.answer(answer)) { server in
      let request = WireRequest(method: "GET", url: server.url + "/v25.0/me")
      let statuses = try await HTTPClientTransport.withTransport { transport in
        var statuses: [Int] = []
        for _ in 1...20 {
          statuses.append(try await transport.send(request, timeout: .seconds(20)).status)
        }
        return statuses
      }

      #expect(statuses == Array(repeating: 200, count: 20))
      // A call may start before the last connection is back in the pool.
      #expect(server.received.connections < 10)
    }
  }

  @Test func `nothing is sent to an invalid URL`() async throws {
    let failure = try await failure(of: send(to: "http://"))

    #expect(failure.kind == .notSent)
  }

  private func http(_ status: String, _ headers: [String], _ body: String) -> [UInt8] {
    let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.utf8.count)", "", body]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  private func send(
    to url: String, timeout: Duration = .seconds(20), limit: Int = 1 << 20
  ) async throws -> Result<WireResponse, TransportFailure> {
    let request = WireRequest(
      method: "POST", url: "\(url)/v25.0/", body: Array("access_token=\(Self.secret)".utf8))
    return try await HTTPClientTransport.withTransport(route: HTTPRoute(), answerLimit: limit) {
      transport in
      do throws(TransportFailure) {
        return .success(try await transport.send(request, timeout: timeout))
      } catch {
        return .failure(error)
      }
    }
  }

  private func failure(of result: Result<WireResponse, TransportFailure>) throws -> TransportFailure
  {
    switch result {
    case .failure(let failure): return failure
    case .success(let response):
      Issue.record("answered: \(response)")
      throw TransportFailure(kind: .malformedAnswer, message: "answered")
    }
  }
}
