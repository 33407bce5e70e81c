import GraphSandbox
import JSONPath
import NIOCore
import NIOPosix
import Synchronization
import Testing

struct ServingTests {
  @Test func `the log shows calls with their operations and no tokens`() async throws {
    let batch = """
      [{"method":"GET","relative_url":"me/accounts?limit=1","name":"accounts"},\
      {"method":"get","relative_url":"{result=accounts:$.data.0.id}?fields=id",\
      "depends_on":"accounts"},\
      {"method":"GET","relative_url":"me?access%5Ftoken={result=accounts:$.data.0.access_token}"},\
      {"method":"GET","relative_url":"me?fields={result=accounts:$.data.0.access_token}",\
      "name":"bad"},\
      {"method":"GET","relative_url":"me","depends_on":"bad"}]
      """
    let seen = Mutex<[SandboxCall]>([])

    let (calls, tokens) = try await Sandbox(
      .with { $0.observer = { call in seen.withLock { $0.append(call) } } }
    ).serving { sandbox in
      let token = sandbox.tokens[0].token
      _ = try await LoopbackClient.send(
        "GET", "/v25.0/me?fields=id&access_token=\(token)", to: sandbox)
      _ = try await LoopbackClient.send(
        "POST", "/?access_token=\(token)", body: Array("batch=\(batch)".utf8), to: sandbox)
      _ = try await LoopbackClient.send("POST", "/?batch=x&access_token=\(token)", to: sandbox)
      return (await sandbox.calls(), sandbox.tokens.map(\.token))
    }

    #expect(calls.map(\.number) == [1, 2, 3])
    #expect(calls.map(\.status) == [200, 200, 400])
    #expect(calls.map(\.isBatch) == [false, true, true])
    #expect(calls.map(\.path) == ["/v25.0/me", "/", "/"])
    #expect(calls[0].operations.map(\.relativeURL) == ["me?fields=id&access_token=***"])
    #expect(calls[1].operations.map(\.name) == ["accounts", nil, nil, "bad", nil])
    #expect(calls[1].operations.map(\.code) == [200, 200, 200, 400, nil])
    #expect(calls[1].operations[1].relativeURL == "{result=accounts:$.data.0.id}?fields=id")
    #expect(calls[1].operations[1].resolvedURL == "122000000000023?fields=id")
    #expect(calls[1].operations[1].method == "GET")
    #expect(calls[1].operations[1].dependsOn == "accounts")
    #expect(calls[1].operations[2].resolvedURL == "me?access_token=***")
    #expect(calls[1].operations[3].resolvedURL == "me?fields=***")
    #expect(calls[2].operations.isEmpty)
    #expect(seen.withLock { $0 } == calls)
    let text = "\(calls)"
    for token in tokens { #expect(!text.contains(token)) }
  }

  @Test func `two sandboxes have separate worlds and the same seed gives the same bytes`()
    async throws
  {
    func bodies(seed: UInt64) async throws -> [String] {
      try await Sandbox(.with { $0.seed = seed }).serving { sandbox in
        let token = sandbox.tokens[0].token
        let form = Array("message=Hello&access_token=\(token)".utf8)
        let post = try await LoopbackClient.send("POST", "/me/feed", body: form, to: sandbox)
        let error = try await LoopbackClient.send("POST", "/me/feed", body: form, to: sandbox)
        return [post.body, error.body]
      }
    }

    let first = try await bodies(seed: 5)
    let second = try await bodies(seed: 5)
    let other = try await bodies(seed: 6)

    #expect(first == second)
    #expect(first[0] == other[0])
    #expect(first[1] != other[1])
  }

  @Test func `a port in use is reported`() async throws {
    try await Sandbox(.with { _ in }).serving { sandbox in
      let port = try #require(Int(sandbox.url.split(separator: ":").last ?? ""))

      let failure = await #expect(throws: SandboxFailure.self) {
        try await Sandbox(.with { $0.port = port }).serving { _ in }
      }

      #expect(failure?.description.contains("cannot listen on 127.0.0.1:\(port)") == true)
    }
  }

  @Test func `an error of the body is rethrown, and the server stops`() async throws {
    // Another program may get the port first, but hardly five times.
    var isFreeAgain = false
    for _ in 0..<5 where !isFreeAgain {
      let port = try await portOfFailedSandbox()
      let url = try? await Sandbox(.with { $0.port = port }).serving { $0.url }
      isFreeAgain = url == "http://127.0.0.1:\(port)"
    }
    #expect(isFreeAgain)
  }

  /// The port of a sandbox whose body threw.
  private func portOfFailedSandbox() async throws -> Int {
    struct Planned: Error {}
    let address = Mutex("")

    await #expect(throws: Planned.self) {
      try await Sandbox(.with { _ in }).serving { sandbox in
        address.withLock { $0 = sandbox.url }
        throw Planned()
      }
    }

    return try #require(Int(address.withLock { $0 }.split(separator: ":").last ?? ""))
  }

  @Test func `paging links lead back to the sandbox`() async throws {
    let (url, next) = try await Sandbox(.with { _ in }).serving { sandbox in
      let answer = try await LoopbackClient.send(
        "GET", "/me/friends?limit=1&access_token=\(sandbox.tokens[0].token)", to: sandbox)
      return (sandbox.url, try JSON(parsing: answer.body)["paging"]?["next"]?.string)
    }

    #expect(next?.hasPrefix(url + "/v25.0/") == true)
  }

  @Test func `the address of a picture leads to a picture`() async throws {
    let (field, image) = try await Sandbox(.with { _ in }).serving { sandbox in
      let field = try await LoopbackClient.send(
        "GET", "/me?fields=picture&access_token=\(sandbox.tokens[0].token)", to: sandbox)
      let url = try JSON(parsing: field.body)["picture"]?["data"]?["url"]?.string ?? ""
      let path = url.replacing(sandbox.url, with: "")
      return (url, try await LoopbackClient.send("GET", path, to: sandbox))
    }

    #expect(field.hasPrefix("http://127.0.0.1:") && field.hasSuffix("/122000000000002.jpg"))
    #expect(image.status == 200)
    #expect(image.header("content-type") == "image/jpeg")
  }

  @Test func `an injected clock sets all times`() async throws {
    let time = try await Sandbox(.with { $0.clock = { 86_400 * 59 } }).serving { sandbox in
      let token = sandbox.tokens[0].token
      let answer = try await LoopbackClient.send(
        "POST", "/me/feed?fields=created_time",
        body: Array("message=Hello&access_token=\(token)".utf8), to: sandbox)
      return try JSON(parsing: answer.body)["created_time"]
    }

    #expect(time == "1970-03-01T00:00:00+0000")
  }

  @Test func `a connection that is still open does not keep the sandbox from stopping`()
    async throws
  {
    let channel = try await Sandbox(.with { _ in }).serving { sandbox in
      let port = Int(sandbox.url.split(separator: ":").last ?? "") ?? 0
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "127.0.0.1", port: port).get()
      try await channel.writeAndFlush(ByteBuffer(string: "GET /me HTTP/1.1\r\nHost: x\r\n\r\n"))
      let answer = try await LoopbackClient.send("GET", "/me", to: sandbox)
      #expect(answer.status == 400)
      return channel
    }

    try await channel.closeFuture.get()
  }

  @Test func `concurrent calls are answered one after the other`() async throws {
    let calls = try await Sandbox(.with { _ in }).serving { sandbox in
      let token = sandbox.tokens[0].token
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<40 {
          group.addTask {
            try await LoopbackClient.send(
              "POST", "/me/feed", body: Array("message=\(number)&access_token=\(token)".utf8),
              to: sandbox
            ).status
          }
        }
        for try await status in group { #expect(status == 200) }
      }
      return await sandbox.calls()
    }

    #expect(calls.map(\.number) == Array(1...40))
  }

  @Test func `a large upload arrives whole`() async throws {
    let size = 12 << 20
    let status = try await Sandbox(.with { _ in }).serving { sandbox in
      var body = Array(
        "--XX\r\nContent-Disposition: form-data; name=\"source\"; filename=\"a\"\r\n\r\n".utf8)
      body += Array(repeating: 45, count: size)
      body += Array("\r\n--XX--\r\n".utf8)
      return try await LoopbackClient.send(
        "POST", "/me/photos?access_token=\(sandbox.tokens[0].token)",
        headers: ["Content-Type: multipart/form-data; boundary=XX"], body: body, to: sandbox
      ).status
    }

    #expect(status == 200)
  }
}
