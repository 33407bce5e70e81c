import JSONPath
import Testing

@testable import GraphSandbox

struct WholeBatchErrorTests {
  private static func envelope(_ message: String) -> String {
    #"{"error":{"message":""# + message + #"","type":"GraphBatchException"}}"#
  }

  private static func unresolved(_ index: Int, _ name: String) -> String {
    envelope(
      "Request \(index) cannot depend on an  unresolved request with  name \(name). "
        + "Requests can only depend on preceding requests")
  }

  static let cases: [(batch: JSON, text: String)] = [
    (
      .array(Array(repeating: ["relative_url": "me"], count: 51)),
      envelope("Too many requests in batch message. Maximum batch size is 50")
    ),
    (["relative_url": "me"], envelope("batch parameter must be a JSON array")),
    ("nonsense", envelope("batch parameter must be a JSON array")),
    ([["relative_url": "{result=f:$.id}"]], unresolved(0, "f")),
    (
      [["relative_url": "me"], ["name": "own", "relative_url": "{result=own:$.id}"]],
      unresolved(1, "own")
    ),
    (
      [["relative_url": "me?a={result=late:$.id}"], ["name": "late", "relative_url": "me"]],
      unresolved(0, "late")
    ),
    ([["relative_url": "me", "depends_on": "f"]], unresolved(0, "f")),
    (
      [["method": "POST", "relative_url": "me/feed", "body": "message=%7Bresult%3Df%3A%24.id%7D"]],
      unresolved(0, "f")
    ),
  ]

  @Test(arguments: cases)
  func `the texts are Graph's, byte for byte`(batch: JSON, text: String) throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.sendBatch(batch)

    #expect(answer.status == 400)
    #expect(answer.text == text)
    #expect(answer[header: "X-GraphFlow-Sandbox"] == nil)
  }

  @Test func `no operation of a refused batch is executed`() throws {
    var sandbox = try InProcessSandbox()

    _ = sandbox.sendBatch([
      ["method": "POST", "relative_url": "me/feed", "body": "message=Hello"],
      ["relative_url": "{result=nobody:$.id}"],
    ])

    #expect(sandbox.send("GET", "me/feed").json["data"]?[0]?["message"] == "Weekend walk")
  }

  @Test(
    arguments: [
      [],
      [["name": "a", "relative_url": "me"], ["name": "a", "relative_url": "me"]],
      [["name": "a b", "relative_url": "me"]],
    ] as [JSON])
  func `refusals with unknown texts are marked as invented`(batch: JSON) throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.sendBatch(batch)

    #expect(answer.status == 400)
    #expect(answer.error?["type"] == "GraphBatchException")
    #expect(answer.error?["code"] == nil)
    #expect(answer[header: "X-GraphFlow-Sandbox"] == "invented")
  }

  @Test func `a bad token of the call fails the whole batch once`() throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.sendBatch([["relative_url": "me"]], token: "EAAbad")

    #expect(answer.status == 400)
    #expect(answer.error?["code"] == 190)
    #expect(answer[header: "WWW-Authenticate"]?.contains("invalid_token") == true)
  }

  @Test func `a batch without a token is refused unless every request brings one`() throws {
    var sandbox = try InProcessSandbox()
    let own = JSON.string("me?access_token=\(sandbox.token)")
    func call(_ batch: JSON, _ more: [(String, String)]) -> HTTPCall {
      let form = InProcessSandbox.form([("batch", batch.serialized())] + more)
      return HTTPCall(method: "POST", target: "/", body: Array(form.utf8))
    }

    let without = sandbox.send(call([["relative_url": own]], []))
    let app = sandbox.send(call([["relative_url": own]], [("batch_app_id", "1")]))
    let some = sandbox.send(
      call([["relative_url": own], ["relative_url": "me"]], [("batch_app_id", "1")]))

    #expect(without.status == 400)
    #expect(without.error?["code"] == 104)
    #expect(without.error?["message"] == "An access token is required to request this resource.")
    #expect(app.status == 200)
    #expect(some.error?["code"] == 104)
  }
}
