import JSONPath
import Testing

@testable import GraphSandbox

struct TokenTests {
  @Test func `me is the profile that the token belongs to`() throws {
    var sandbox = try InProcessSandbox()
    let page = sandbox.pageToken

    let items = try sandbox.batch([
      ["relative_url": "me"],
      ["relative_url": .string("me?access_token=\(page)")],
      [
        "method": "POST", "relative_url": "me/feed",
        "body": .string("message=x&access_token=\(page)"),
      ],
      ["relative_url": "me", "access_token": .string(page)],
      ["relative_url": "me?access_token=bad"],
      ["relative_url": "me?access_token="],
    ])

    #expect(items[0].body?["name"] == "Alex Taylor")
    #expect(items[1].body?["name"] == "Harbour Bakery")
    #expect(items[2].body?["id"]?.string?.hasPrefix(sandbox.page + "_") == true)
    #expect(items[3].body?["name"] == "Harbour Bakery")
    #expect(items[4].error?["code"] == 190)
    #expect(items[5].error?["code"] == 190)
  }

  @Test func `a page token from me accounts works in the same batch`() throws {
    var sandbox = try InProcessSandbox()

    let items = try sandbox.batch([
      ["name": "accounts", "relative_url": "me/accounts"],
      [
        "method": "POST", "relative_url": "{result=accounts:$.data.0.id}/feed",
        "body": "message=Fresh+bread&access_token={result=accounts:$.data.0.access_token}",
      ],
    ])

    #expect(items[0].isNull)
    #expect(items[1].code == 200)
    #expect(items[1].header("X-GraphFlow-Sandbox") == nil)
    let first = try #require(sandbox.log[0].operations.last)
    #expect(first.resolvedURL == "\(sandbox.page)/feed")
  }

  @Test(arguments: ["Bearer", "OAuth", "bearer"])
  func `the token may be in the Authorization header`(scheme: String) throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send(
      HTTPCall(method: "GET", target: "/me", authorization: "\(scheme) \(sandbox.token)"))

    #expect(answer.json["name"] == "Alex Taylor")
  }

  @Test func `without a token me and other objects need one`() throws {
    var sandbox = try InProcessSandbox()

    let me = sandbox.send(HTTPCall(method: "GET", target: "/me"))
    let other = sandbox.send(HTTPCall(method: "GET", target: "/\(sandbox.friend)"))

    #expect(me.error?["code"] == 2500)
    #expect(
      me.error?["message"]
        == "An active access token must be used to query information about the current user.")
    #expect(other.error?["code"] == 104)
  }

  /// HMAC-SHA256 of the default token of seed 1 under the key `shh`, from Python's `hmac`.
  private static let proof = "f2b110c90c1bc773730fdb5b69c2be852f9f44833c1585328d333536364a11a2"

  @Test(arguments: [
    (proof, 200), (String(proof.reversed()), 400), ("x", 400), ("", 400),
    (proof + "00", 400), (String(repeating: "é", count: 32), 400),
  ])
  func `a proof is checked if the sandbox has the secret`(proof: String, status: Int) throws {
    var sandbox = try InProcessSandbox(appSecret: "shh")

    let single = sandbox.send("GET", "me", [("appsecret_proof", proof)])
    let batch = sandbox.sendBatch([["relative_url": "me"]], [("appsecret_proof", proof)])

    #expect(single.status == status)
    #expect(batch.status == status)
    if status == 400 {
      #expect(single.error?["message"] == "Invalid appsecret_proof provided in the API argument")
    }
  }

  @Test func `a required proof must be there for every token`() throws {
    var sandbox = try InProcessSandbox(appSecret: "shh", requiresProof: true)
    let page = sandbox.pageToken

    let without = sandbox.send("GET", "me")
    let items = try sandbox.batch(
      [["relative_url": "me"], ["relative_url": .string("me?access_token=\(page)")]],
      [("appsecret_proof", Self.proof)])

    #expect(
      without.error?["message"]
        == "API calls from the server require an appsecret_proof argument")
    #expect(items[0].code == 200)
    #expect(items[1].code == 400)
  }

  @Test func `debug_token describes valid and invalid tokens`() throws {
    var sandbox = try InProcessSandbox()

    let user = sandbox.send("GET", "debug_token", [("input_token", sandbox.token)])
    let page = sandbox.send("GET", "debug_token", [("input_token", sandbox.pageToken)])
    let bad = sandbox.send("GET", "debug_token", [("input_token", "nonsense")])

    #expect(user.json["data"]?["type"] == "USER")
    #expect(user.json["data"]?["is_valid"] == true)
    #expect(user.json["data"]?["scopes"]?.array?.contains("user_posts") == true)
    #expect(user.json["data"]?["scopes"]?.array?.contains("user_birthday") == false)
    #expect(page.json["data"]?["profile_id"] == .string(sandbox.page))
    #expect(bad.status == 200)
    #expect(bad.json["data"]?["is_valid"] == false)
    #expect(bad.json["data"]?["error"]?["code"] == 190)
  }

  @Test func `tokens look like Graph's, differ by seed, and are the same for the same seed`()
    throws
  {
    let first = try InProcessSandbox(seed: 1)
    let again = try InProcessSandbox(seed: 1)
    let other = try InProcessSandbox(seed: 2)

    #expect(first.token.hasPrefix("EAA"))
    #expect(first.token.count == 120)
    #expect(first.token == again.token)
    #expect(first.token != other.token)
    #expect(first.token != first.pageToken)
  }
}
