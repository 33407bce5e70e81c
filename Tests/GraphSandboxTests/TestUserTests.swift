import JSONPath
import Testing

@testable import GraphSandbox

/// Test users of the application, and tokens of system users.
struct TestUserTests {
  private var sandbox: InProcessSandbox
  private let users = "122000000000001/accounts/test-users"
  private let application: String

  init() throws {
    sandbox = try InProcessSandbox(.standard)
    application = sandbox.applicationToken
  }

  private mutating func make(_ parameters: [(String, String)] = []) throws -> JSON {
    let answer = sandbox.send("POST", users, parameters, token: application)
    #expect(answer.status == 200)
    return answer.json
  }

  @Test mutating func `a test user has a token with the permissions that were asked for`() throws {
    let user = try make([("name", "Robin Test"), ("permissions", "email,user_posts")])
    let token = try #require(user["access_token"]?.string)
    let id = try #require(user["id"]?.string)

    let me = sandbox.send("GET", "me?fields=id,name", token: token).json
    let granted = sandbox.send("GET", "me/permissions", token: token).json
    let list = sandbox.send("GET", users, token: application).json

    #expect(me == ["id": .string(id), "name": "Robin Test"])
    #expect(
      granted["data"]?.array?.map { $0["permission"] }
        == ["public_profile", "email", "user_posts"])
    #expect(list["data"]?[0]?["id"] == .string(id))
    #expect(list["data"]?[0]?["access_token"] == .string(token))
    #expect(user["login_url"]?.string?.contains(id) == true)
    #expect(user["email"]?.string?.hasSuffix("@tfbnw.net") == true)
  }

  @Test mutating func `without an installation there is no token`() throws {
    let user = try make([("installed", "false")])

    #expect(user["access_token"] == nil)
    #expect(user["password"]?.string?.isEmpty == false)
  }

  @Test mutating func `two test users are friends once both have asked`() throws {
    let (first, second) = (try make(), try make())
    func value(_ user: JSON, _ name: String) throws -> String { try #require(user[name]?.string) }
    let (one, other) = (try value(first, "id"), try value(second, "id"))
    let tokens = (try value(first, "access_token"), try value(second, "access_token"))
    for token in [tokens.0, tokens.1] {
      let user = token == tokens.0 ? one : other
      sandbox.world.access.grant(["user_friends"], to: user, includingDeclined: true)
    }

    let asked = sandbox.send("POST", "\(one)/friends/\(other)", token: tokens.0)
    let before = sandbox.send("GET", "me/friends", token: tokens.0).json
    let foreign = sandbox.send("POST", "\(other)/friends/\(one)", token: tokens.0)
    let accepted = sandbox.send("POST", "\(other)/friends/\(one)", token: tokens.1)
    let after = sandbox.send("GET", "me/friends", token: tokens.0).json
    let people = sandbox.send("POST", "me/friends/\(sandbox.friend)")

    #expect(
      [asked.status, accepted.status, foreign.status, people.status] == [200, 200, 403, 400])
    #expect(before["data"] == [])
    #expect(after["data"]?[0]?["id"] == .string(other))
  }

  @Test mutating func `a test user can be removed, people cannot`() throws {
    let user = try make()
    let id = try #require(user["id"]?.string)
    let token = try #require(user["access_token"]?.string)

    let person = sandbox.send("DELETE", sandbox.friend, token: application)
    let removed = sandbox.send("DELETE", id, token: application)
    let used = sandbox.send("GET", "me", token: token)

    #expect(person.status == 400)
    #expect(removed.json == ["success": true])
    #expect(used.error?["code"]?.integer == 190)
    #expect(sandbox.send("GET", users, token: application).json["data"] == [])
  }

  @Test mutating func `only the application makes test users`() throws {
    let answer = sandbox.send("POST", users)

    #expect(answer.error?["code"]?.integer == 15)
  }

  @Test func `debug_token names a system user`() throws {
    var world = WorldDescription.standard
    world.tokens[0].value.isSystemUser = true
    var sandbox = try InProcessSandbox(world)

    let facts = sandbox.send("GET", "debug_token?input_token=\(sandbox.token)").json["data"]
    let pages = sandbox.send("GET", "me/accounts").json["data"]?.array

    #expect(facts?["type"] == "SYSTEM_USER")
    #expect(facts?["expires_at"] == 0)
    #expect(pages?.count == 3)
  }

  @Test func `an exchange without a token is refused in Graph's words`() throws {
    var sandbox = try InProcessSandbox()

    let answer = sandbox.send(
      "GET",
      "oauth/access_token?grant_type=fb_exchange_token&client_id=\(sandbox.application)"
        + "&client_secret=x")

    #expect(answer.error?["message"] == "fb_exchange_token parameter not specified")
  }
}
