import GraphAPI
import Testing

/// The examples of the library's documentation; `CatalogueTests` holds that they are the same.
@Suite struct ExampleTests {
  private static let token = AccessToken("EAAB-example")
  private static let answer = """
    [{"code": 200, "body": "{\\"id\\": \\"7\\"}"},
     {"code": 400, "body": "{\\"error\\": {\\"message\\": \\"(#100) No\\", \\"code\\": 100}}"}]
    """

  @Test func `a batch is written and its answer is read`() throws {
    let token = try #require(Self.token)
    let response = WireResponse(status: 200, body: Array(Self.answer.utf8))
    var lines: [String] = []
    func print(_ text: String) { lines.append(text) }

    let post = BatchOperation(
      name: "post", method: .post, path: "me/feed",
      parameters: [BatchOperation.Parameter(name: "message", value: "Hello")],
      omitResponseOnSuccess: false)
    let read = BatchOperation(method: .get, path: "{result=post:$.id}")
    let batch = BatchRequest(operations: [post, read], accessToken: token, version: .current)
    let request = batch?.wireRequest(to: .standard)

    guard let batch, case .items(let items) = batch.answer(from: response) else { return }
    for case .response(let item) in items {
      guard let error = item.error else {
        print("\(item.code): \(try item.body.json())")
        continue
      }
      let judgement = ErrorTable.standard.classification(of: error, status: item.code)
      print("\(judgement.category): \(error.message)")
    }

    #expect(request?.url == "https://graph.facebook.com/v25.0/")
    #expect(lines == [#"200: {"id":"7"}"#, "other: (#100) No"])
  }

  @Test func `a token does not print`() throws {
    let token = try #require(AccessToken("EAAB-example"))
    let secret = try #require(AppSecret("0123456789abcdef"))
    let shown = "\(token) \(secret)"
    let proof = secret.proof(for: token)

    #expect(!shown.contains("EAAB"))
    #expect(proof.count == 64)
  }

  @Test func `a transport of one's own`() async throws {
    struct Offline: Transport {
      func send(
        _ request: WireRequest, timeout: Duration
      ) async throws(TransportFailure) -> WireResponse {
        throw TransportFailure(kind: .notSent, message: "there is no network")
      }
    }
    let request = WireRequest(method: "GET", url: "https://graph.facebook.com/v25.0/me")
    do {
      _ = try await Offline().send(request, timeout: .seconds(5))
    } catch {
      print(error.message, error.classification.category, error.provesNothingHappened)
    }

    await #expect(throws: TransportFailure.self) {
      try await Offline().send(request, timeout: .seconds(5))
    }
  }
}
