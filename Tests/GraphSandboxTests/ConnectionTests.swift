import GraphSandbox
import Testing

/// Requests over one connection: pipelined, in pieces, in chunks.
struct ConnectionTests {
  private static let form = "include_headers=false&batch=[{\"relative_url\":\"me\"}]&access_token="

  private static func request(_ token: String, _ headers: [String], body: String? = nil) -> String {
    let body = body ?? form + token
    let head = ["POST / HTTP/1.1", "Host: sandbox"] + headers
    return (head + ["Content-Length: \(body.utf8.count)", "", body]).joined(separator: "\r\n")
  }

  /// The answers on a connection, without headers that differ between calls.
  private static func answers(_ text: String) -> [[String]] {
    let own = ["date:", "x-fb-trace-id:", "x-fb-request-id:", "x-fb-debug:", "connection:"]
    let untraced = text.replacing(/"fbtrace_id":"[^"]*"/, with: "")
    return untraced.split(separator: "HTTP/1.1 ").map { answer in
      answer.split(separator: "\r\n").map(String.init)
        .filter { line in !own.contains { line.lowercased().hasPrefix($0) } }
    }
  }

  private static func exchange(
    _ requests: @Sendable @escaping (String) -> String
  ) async throws
    -> [[String]]
  {
    try await Sandbox(.with { _ in }).serving { sandbox in
      let text = requests(sandbox.tokens[0].token)
      let answer = try await LoopbackClient.send(raw: Array(text.utf8), to: sandbox)
      return answers(answer.head + "\r\n\r\n" + answer.body)
    }
  }

  @Test func `pipelined requests are answered in order`() async throws {
    let answers = try await Self.exchange { token in
      Self.request(token, []) + Self.request(token, ["Connection: Keep-Alive"])
        + Self.request(token, ["Upgrade: x"]) + Self.request(token, ["Connection: close"])
    }

    #expect(answers.count == 4)
    #expect(answers.first?.first == "200 OK")
    #expect(answers.first?.last?.contains("Alex") == true)
    for answer in answers { #expect(answer == answers.first) }
  }

  @Test func `a body may arrive in pieces, in chunks, or incomplete`() async throws {
    let chunked = try await Self.exchange { token in
      let body = Self.form + token
      let chunks =
        String(body.utf8.count / 2, radix: 16) + "\r\n" + body.prefix(body.utf8.count / 2) + "\r\n"
        + String(body.utf8.count - body.utf8.count / 2, radix: 16) + "\r\n"
        + body.dropFirst(body.utf8.count / 2) + "\r\n0\r\n\r\n"
      return "POST / HTTP/1.1\r\nHost: sandbox\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)"
        + Self.request(token, ["Connection: close"])
    }
    #expect(chunked.count == 2)
    #expect(chunked.first == chunked.last)

    let long = String(repeating: "x", count: 200_000)
    let pieces = try await Self.exchange { token in
      Self.request(token, [], body: Self.form + token + "&" + long)
        + Self.request(token, ["Connection: close"])
    }
    #expect(pieces.count == 2)
    #expect(pieces.first == pieces.last)

    let broken = try await Self.exchange { token in
      String(Self.request(token, []).dropLast(5))
    }
    #expect(broken.allSatisfy { $0.first?.hasPrefix("200") != true }, "\(broken)")
  }
}
