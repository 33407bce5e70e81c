import GraphAPI
import JSONPath
import Testing

struct SingleRequestTests {
  @Test(arguments: [OperationMethod.get, .delete])
  func `a read or delete has its token in a header`(_ method: OperationMethod) throws {
    let wire = try request(method, "me", [("fields", "id,name")])

    #expect(wire.method == method.rawValue)
    #expect(wire.url == "https://graph.facebook.com/v25.0/me?fields=id%2Cname")
    #expect(wire.headers["authorization"] == "Bearer tok|en")
    #expect(wire.body.isEmpty)
  }

  @Test func `a post has its token and proof in the form`() throws {
    let secret = try #require(AppSecret("secret"))
    let token = try #require(AccessToken("tok|en"))

    let wire = try request(.post, "me/feed", [("message", "a&b")], secret: secret)

    #expect(wire.url == "https://graph.facebook.com/v25.0/me/feed")
    #expect(wire.headers["Authorization"] == nil)
    #expect(wire.headers["Content-Type"] == "application/x-www-form-urlencoded")
    let fields = formFields(wire.body)
    #expect(fields.map(\.name) == ["message", "access_token", "appsecret_proof"])
    #expect(fields.map(\.value) == ["a&b", "tok|en", secret.proof(for: token)])
  }

  @Test func `the proof of a read is in the query and is not printed`() throws {
    let secret = try #require(AppSecret("secret"))
    let token = try #require(AccessToken("tok|en"))

    let wire = try request(.get, "me", [], secret: secret)

    #expect(wire.url.hasSuffix("/me?appsecret_proof=\(secret.proof(for: token))"))
    #expect(wire.description == "GET https://graph.facebook.com/v25.0/me (0 bytes)")
  }

  @Test
  func `the operation's own token, version and headers take precedence, except reserved headers`()
    throws
  {
    var operation = BatchOperation(method: .get, path: "me")
    operation.accessToken = AccessToken("own")
    operation.version = GraphVersion("v24.0")
    operation.headers = [
      HeaderField("If-None-Match", "\"a\""), HeaderField("host", "evil.example"),
      HeaderField("Content-Length", "7"), HeaderField("Authorization", "Bearer x"),
    ].compactMap(\.self)
    let token = try #require(AccessToken("tok|en"))

    let wire = SingleRequest(operation: operation, accessToken: token, version: .current)
      .wireRequest(to: .standard)

    #expect(wire.url == "https://graph.facebook.com/v24.0/me")
    #expect(wire.headers.map(\.name) == ["If-None-Match", "Authorization"])
    #expect(wire.headers["Authorization"] == "Bearer own")
  }

  @Test func `characters that are invalid in a URL are encoded`() throws {
    let wire = try request(.get, "{result=a:$.id} é#x\"<>\r\n%41", [])

    #expect(
      wire.url
        == "https://graph.facebook.com/v25.0/%7Bresult=a:$.id%7D%20%C3%A9%23x%22%3C%3E%0D%0A%41")
  }

  @Test func `a post with files is multipart`() throws {
    let file = try #require(
      AttachedFile(
        partName: "source", fileName: "a.png", contentType: "image/png", contents: [0, 255]))
    let token = try #require(AccessToken("tok|en"))
    let operation = BatchOperation(
      method: .post, path: "me/photos", parameters: [.init(name: "caption", value: "x")],
      files: [file])

    let parts = try multipartParts(
      of: SingleRequest(operation: operation, accessToken: token, version: .current)
        .wireRequest(to: .standard))

    #expect(parts.map(\.name) == ["caption", "access_token", "source"])
    #expect(parts[2].content == [0, 255])
  }

  private func request(
    _ method: OperationMethod, _ path: String, _ parameters: [(String, String)],
    secret: AppSecret? = nil
  ) throws -> WireRequest {
    let token = try #require(AccessToken("tok|en"))
    let operation = BatchOperation(
      method: method, path: path,
      parameters: parameters.map { BatchOperation.Parameter(name: $0, value: $1) })
    return SingleRequest(
      operation: operation, accessToken: token, version: .current, appSecret: secret
    ).wireRequest(to: .standard)
  }
}
