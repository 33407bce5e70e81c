import GraphSandbox
import Testing

/// Small calls are answered on the spot, others by Hummingbird: nobody can tell them apart.
struct PromptAnswerTests {
  private static let form = "include_headers=false&batch=[{\"relative_url\":\"me\"}]&access_token="

  private static func request(_ token: String, _ headers: [String], body: String? = nil) -> String {
    let body = body ?? form + token
    let head = ["POST / HTTP/1.1", "Host: sandbox"] + headers
    return (head + ["Content-Length: \(body.utf8.count)", "", body]).joined(separator: "\r\n")
  }

  /// The answers on a connection, without what differs from call to call.
  private static func answers(_ text: String) -> [[String]] {
    let own = ["date:", "x-fb-trace-id:", "connection:"]
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
    try await Sandbox(.init()).serving { sandbox in
      let text = requests(sandbox.tokens[0].token)
      let answer = try await LoopbackClient.send(raw: Array(text.utf8), to: sandbox)
      return answers(answer.head + "\r\n\r\n" + answer.body)
    }
  }

  @Test func `both ways give the same answer, and requests in a row are answered in a row`()
    async throws
  {
    let answers = try await Self.exchange { token in
      Self.request(token, []) + Self.request(token, ["Connection: Keep-Alive"])
        // What follows goes the other way, and what comes behind that has to wait for it.
        + Self.request(token, ["Upgrade: x"]) + Self.request(token, [])
        + Self.request(token, ["Connection: close"])
    }

    #expect(answers.count == 5)
    #expect(answers.first?.first == "200 OK")
    #expect(answers.first?.last?.contains("Alex") == true)
    for answer in answers { #expect(answer == answers.first) }
  }

  @Test(arguments: [
    "GET /me?access_token=%T", "GET /nobody?access_token=%T", "GET /me",
    "GET /me/picture?access_token=%T",
    "DELETE /1?access_token=%T", "POST /me/feed?message=Hello&access_token=%T",
    "GET /oauth/access_token?client_id=1", "GET /%%%?a=%zz&access_token=%T",
    "GET //?ids=me&access_token=%T",
  ])
  func `single calls are answered the same both ways`(_ line: String) async throws {
    let answers = try await Self.exchange { token in
      let line =
        line.replacing("%T", with: token) + " HTTP/1.1\r\nHost: sandbox\r\nContent-Length: 0\r\n"
      return line + "\r\n" + line + "Connection: close\r\n\r\n"
    }

    #expect(answers.count == 2)
    // Posts have ids of their own, and the same text twice is refused.
    guard !line.hasPrefix("POST") else { return }
    #expect(answers.first == answers.last)
  }

  @Test func `a body may come in pieces, in chunks, or not at all`() async throws {
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
