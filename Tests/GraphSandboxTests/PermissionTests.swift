import JSONPath
import Testing

@testable import GraphSandbox

struct PermissionTests {
  @Test func `the application reads what a user has granted it`() throws {
    var sandbox = try InProcessSandbox()
    let path = "\(sandbox.alex)/friends"

    let granted = sandbox.send("GET", path, token: sandbox.applicationToken)
    _ = sandbox.send("DELETE", "me/permissions/user_friends")
    let revoked = sandbox.send("GET", path, token: sandbox.applicationToken)

    #expect(granted.json["data"]?.array?.count == 12)
    #expect(revoked.error?["message"] == "(#299) Requires extended permission: user_friends")
  }

  @Test func `a page's token is good for what the person's tasks include`() throws {
    func statuses(_ tasks: [String]) throws -> [Int] {
      var world = WorldDescription.standard
      world.pages[0].value.roles = [.init("alex", tasks)]
      var sandbox = try InProcessSandbox(world)
      let feed = sandbox.send("GET", "me/feed?limit=1", token: sandbox.pageToken).json
      let post = try #require(feed["data"]?[0]?["id"]?.string)
      return [
        ("POST", "me/feed", [("message", "Hello")]),
        ("POST", "me/photos", [("url", "https://a/b")]),
        ("POST", post, [("message", "changed")]),
        ("POST", "\(post)/comments", [("message", "Hi")]),
        ("POST", "\(post)/likes", []), ("DELETE", post, []),
        ("GET", "me/feed", []),
      ].map { sandbox.send($0, $1, $2, token: sandbox.pageToken).status }
    }

    #expect(try statuses(["ANALYZE"]) == [403, 403, 403, 403, 403, 403, 200])
    #expect(try statuses(["CREATE_CONTENT"]) == [200, 200, 200, 403, 403, 200, 200])
    #expect(try statuses(["MODERATE"]) == [403, 403, 403, 200, 200, 403, 200])
    #expect(try statuses(["MANAGE"]) == [200, 200, 200, 200, 200, 200, 200])
  }

  @Test func `me permissions lists granted, declined and expired permissions`() throws {
    var sandbox = try InProcessSandbox()

    let list = try #require(sandbox.send("GET", "me/permissions").json["data"]?.array)
    let field = sandbox.send("GET", "me?fields=id,permissions")

    func status(_ name: String) -> JSON? {
      list.first { $0["permission"] == .string(name) }?["status"]
    }
    #expect(status("pages_manage_posts") == "granted")
    #expect(status("user_birthday") == "declined")
    #expect(status("user_location") == "expired")
    #expect(field.json["permissions"]?["data"]?.array == list)
  }

  static let needs: [(permission: String, method: String, path: String, asPage: Bool, code: Int)] =
    [
      ("user_posts", "GET", "me/feed", false, 299),
      ("user_friends", "GET", "me/friends", false, 299),
      ("user_photos", "GET", "me/photos", false, 299),
      ("pages_show_list", "GET", "me/accounts", false, 299),
      ("pages_read_engagement", "GET", "122000000000023/feed", false, 10),
      ("pages_read_engagement", "GET", "122000000000023/photos", true, 10),
      ("pages_manage_posts", "POST", "122000000000023/feed", true, 200),
      ("pages_read_engagement", "POST", "122000000000023/feed", true, 200),
      ("pages_manage_posts", "POST", "122000000000023/photos", true, 200),
      ("pages_manage_engagement", "POST", "122000000000023_122000000000024/comments", true, 200),
      ("pages_manage_engagement", "POST", "122000000000023_122000000000024/likes", true, 200),
      ("pages_manage_posts", "DELETE", "122000000000023_122000000000024", true, 200),
    ]

  @Test(arguments: needs)
  func `a revoked permission fails what needs it and nothing else`(
    permission: String, method: String, path: String, asPage: Bool, code: Int
  ) throws {
    var before = try InProcessSandbox()
    var after = before
    let token = asPage ? before.pageToken : before.token
    let parameters = [("message", "x"), ("url", "https://example.com/a.png")]

    let allowed = before.send(method, path, parameters, token: token)
    let revoked = after.send("DELETE", "me/permissions/\(permission)")
    let refused = after.send(method, path, parameters, token: token)

    #expect(allowed.status == 200, "\(allowed.text)")
    #expect(revoked.text == #"{"success":true}"#)
    #expect(refused.status == 403)
    #expect(refused.error?["code"]?.integer == code)
    #expect(refused.error?["type"] == "OAuthException")
    #expect(after.send("GET", "me").status == 200)
    #expect(
      after.send("GET", "me/permissions").json["data"]?.array?.contains([
        "permission": .string(permission), "status": "declined",
      ]) == true)
  }

  @Test func `posting on a page needs the page's own token`() throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send("POST", "\(sandbox.page)/feed", [("message", "x")])

    #expect(answer.status == 403)
    #expect(answer.error?["code"] == 200)
    #expect(
      answer.error?["message"]?.string?.hasPrefix("(#200) If posting to a group, requires app")
        == true)
    #expect(answer[header: "WWW-Authenticate"]?.contains("insufficient_scope") == true)
  }

  @Test func `objects of other profiles cannot be changed`() throws {
    var sandbox = try InProcessSandbox()
    let post = "122000000000023_122000000000024"

    let answers = [
      sandbox.send("DELETE", post), sandbox.send("POST", post, [("message", "x")]),
      sandbox.send("POST", "\(sandbox.friend)/feed", [("message", "x")]),
      sandbox.send("DELETE", "\(sandbox.friend)/permissions"),
      sandbox.send("GET", "\(sandbox.friend)/permissions"),
    ]

    #expect(answers.map(\.status) == [403, 403, 403, 403, 403])
  }

  @Test func `revoking everything invalidates the user's tokens with subcode 466`() throws {
    var sandbox = try InProcessSandbox()

    let revoked = sandbox.send("DELETE", "me/permissions")
    let user = sandbox.send("GET", "me")
    let page = sandbox.sendBatch([["relative_url": "me"]], token: sandbox.pageToken)

    #expect(revoked.text == #"{"success":true}"#)
    for answer in [user, page] {
      #expect(answer.error?["code"] == 190)
      #expect(answer.error?["error_subcode"] == 466)
    }
  }

  @Test func `accounts hold the page tokens and tasks`() throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send("GET", "me/accounts")

    let pages = try #require(answer.json["data"]?.array)
    #expect(pages.map { $0["name"] } == ["Harbour Bakery", "Night Sky Club", "Old Town Radio"])
    #expect(pages[0]["access_token"] == .string(sandbox.pageToken))
    #expect(pages[0]["tasks"]?.array?.contains("CREATE_CONTENT") == true)
    #expect(pages[2]["tasks"] == ["ANALYZE"])
  }

  @Test func `the email is for its owner alone`() throws {
    var sandbox = try InProcessSandbox()

    let own = sandbox.send("GET", "me?fields=email")
    let other = sandbox.send("GET", "\(sandbox.alex)?fields=email", token: sandbox.pageToken)

    #expect(own.json["email"] == "alex@example.com")
    #expect(other.json["email"] == nil)
  }
}
