import GraphAPI
import Testing

struct CredentialTests {
  private let secretText = "EAABwzLixnjYBAtokenOne|two.three-four_five"

  @Test(arguments: [
    "", " ", "a b", "a\n", "a\r\nHost: x", "a\u{0}", "a\u{85}", "\u{2028}", "\u{7F}",
  ])
  func `a text with whitespace or control characters is not a credential`(_ text: String) {
    #expect(AccessToken(text) == nil)
    #expect(AppSecret(text) == nil)
  }

  @Test func `a token shows its text only through exposed`() throws {
    let token = try #require(AccessToken(secretText))

    #expect(token.exposed == secretText)
    #expect(textualForms(of: token) == ["***", "***", "***", "- ***\n"])
    #expect(textualForms(of: [token]).allSatisfy { !$0.contains("Token") })
    #expect(Mirror(reflecting: token).children.isEmpty)
  }

  @Test func `an app secret does not print itself`() throws {
    let secret = try #require(AppSecret(secretText))

    #expect(textualForms(of: secret) == ["***", "***", "***", "- ***\n"])
    #expect(Mirror(reflecting: secret).children.isEmpty)
  }

  // Computed with `printf %s TOKEN | openssl dgst -sha256 -hmac SECRET`.
  @Test(arguments: [
    (
      "0123456789abcdef0123456789abcdef", "EAABwzLixnjYBAtokenOne|two.three-four_five",
      "af9a0efda9c2d0c82bc730300f9a2e02a23e288aa29890f5a0059de95020aa28"
    ),
    ("sécret", "token", "4b730e061a637b95173c2317729bc57af5d0a726222f558ddd18bb4221e06a21"),
  ])
  func `the proof is what openssl computes`(
    _ secret: String, _ token: String, _ proof: String
  )
    throws
  {
    let secret = try #require(AppSecret(secret))
    let token = try #require(AccessToken(token))

    #expect(secret.proof(for: token) == proof)
  }

  @Test func `no type that contains a token prints it`() throws {
    let token = try #require(AccessToken("SECRETTOKEN"))
    let secret = try #require(AppSecret("SECRETAPP"))
    let proof = secret.proof(for: token)
    let operation = BatchOperation(method: .get, path: "me", accessToken: token)
    let batch = try #require(
      BatchRequest(
        operations: [operation], accessToken: token, version: .current, appSecret: secret))
    let single = SingleRequest(
      operation: operation, accessToken: token, version: .current, appSecret: secret)
    let body = Array(#"{"access_token":"SECRETTOKEN"}"#.utf8)
    let subjects: [Any] = [
      operation, batch, single, batch.wireRequest(to: .standard), single.wireRequest(to: .standard),
      WireResponse(status: 200, body: body), ResponseBody(body),
      OperationResponse(code: 200, body: ResponseBody(body)),
      BatchAnswer.items([.response(OperationResponse(code: 200, body: ResponseBody(body)))]),
    ]

    for subject in subjects {
      for form in textualForms(of: subject) {
        #expect(!form.contains("SECRET"), "\(type(of: subject))")
        #expect(!form.contains(proof), "\(type(of: subject))")
      }
    }
  }

  @Test(arguments: OperationMethod.allCases)
  func `no URL of an HTTP request contains a token`(_ method: OperationMethod) throws {
    let token = try #require(AccessToken("SECRET|TOKEN"))
    let operation = BatchOperation(method: method, path: "me", accessToken: AccessToken("SECRET2"))
    let batch = try #require(
      BatchRequest(operations: [operation], accessToken: token, version: .current))
    let single = SingleRequest(operation: operation, accessToken: token, version: .current)

    #expect(!batch.wireRequest(to: .standard).url.contains("SECRET"))
    #expect(!single.wireRequest(to: .standard).url.contains("SECRET"))
    #expect(!operation.relativeURL.contains("SECRET"))
  }

  private func textualForms(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(describing: value), String(reflecting: value), dumped]
  }
}
