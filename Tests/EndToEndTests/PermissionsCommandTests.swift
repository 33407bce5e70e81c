import CommandHarness
import GraphFlow
import JSONPath
import Testing

/// `graphflow permissions`: what permissions allow, and which of them a token has.
struct PermissionsCommandTests {
  private let fixture: LoginFixture
  private var graphflow: CommandFixture { fixture.graphflow }

  init() throws { fixture = try LoginFixture() }

  @Test func `a list without a token sends nothing and has every permission`() throws {
    let text = try graphflow("permissions")
    let list = try graphflow("permissions", "list", "--kind", "friends", "--format", "json")
    let rows = try #require(try JSON(parsing: list.output).array)

    #expect([text.code, list.code] == [0, 0], "\(text.error)\(list.error)")
    #expect(text.output.split(separator: "\n").count == KnownPermissions.rows.count)
    #expect(text.output.contains("\nuser_friends "))
    #expect(rows.map { $0["name"] } == ["user_friends"])
    #expect(rows[0]["status"] == .null)
    #expect(rows[0]["app_review"] == true)
    #expect(try fixture.sandbox.calls().isEmpty)
  }

  @Test func `a list with a token has the status of each permission`() throws {
    #expect(try fixture.storeToken().code == 0)

    let outcome = try graphflow("permissions", "list", "--format", "json")
    let rows = try #require(try JSON(parsing: outcome.output).array)
    func status(_ name: String) -> JSON? { rows.first { $0["name"] == .string(name) }?["status"] }

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(status("pages_manage_posts") == "granted")
    #expect(status("user_birthday") == "declined")
    #expect(status("user_location") == "expired")
    #expect(status("catalog_management") == "missing")
  }

  @Test func `a list is printed although Graph refuses the token`() throws {
    try fixture.storeRefusedToken()

    let outcome = try graphflow("permissions", "--kind", "friends")

    #expect(outcome.code == 77)
    #expect(outcome.output.contains("user_friends  friends    list the friends"))
  }

  @Test func `an explanation names edges and requests, and drafts the review`() throws {
    try graphflow.folder.write(
      """
      graphflow: 1
      description: Posts the news
      requests:
        publish:
          post: 4711/feed
          params: {message: hello}
          permissions: [pages_manage_posts, pages_read_engagement]
          idempotent: false
        comment: {post: 4711_1/comments, idempotent: false}

      """, to: "news.yaml")

    let words = ["permissions", "explain", "pages_manage_posts", "news.yaml"]
    let text = try graphflow.run(words, in: graphflow.folder.path)
    let other = ["permissions", "explain", "pages_manage_engagement", "news.yaml"]
    let object = try JSON(
      parsing: try graphflow.run(other + ["--format", "json"], in: graphflow.folder.path).output)

    #expect(text.code == 0, "\(text.error)")
    expectGolden(text.output, named: "permissions/explain.txt")
    #expect(object["requests"]?.array?.map { $0["request"] } == ["comment"])
    #expect(object["requests"]?.array?.first?["listed"] == false)
    #expect(object["review"]?.string?.contains("POST 4711_1/comments") == true)
    #expect(object["command"] == "graphflow permissions request pages_manage_engagement")
    #expect(try fixture.sandbox.calls().isEmpty)
  }

  @Test(arguments: [
    ("explain", "pages_manage_post", "did you mean 'pages_manage_posts'?"),
    ("explain", "manage_pages", "use pages_show_list"),
    ("explain", "some_thing", "graphflow permissions list"),
    ("request", "pages_manage_post", "did you mean 'pages_manage_posts'?"),
    ("request", "read_stream", "use user_posts"), ("request", "A-b", "is not a permission"),
    ("revoke", "user_likes", "--yes"),
  ])
  func `a mistake is refused before anything is sent`(
    _ command: String, _ name: String, _ hint: String
  ) throws {
    #expect(try fixture.storeToken().code == 0)
    let count = try fixture.sandbox.calls().count

    let outcome = try graphflow("permissions", command, name)

    #expect(outcome.code == 64)
    #expect(outcome.error.contains(hint), "\(outcome.error)")
    #expect(try fixture.sandbox.calls().count == count)
  }

  @Test func `a declined permission is asked for again, beside those of the login`() throws {
    #expect(try fixture.storeToken().code == 0)

    let (process, code) = try fixture.start(
      "permissions", "request", "user_birthday", "--format", "json")
    try fixture.decide(code, "action=approve")
    let (status, facts, outcome) = try fixture.lastLine(of: process)
    let again = try graphflow("permissions", "request", "user_birthday")
    let login = try fixture.onlyStoredLogin()

    #expect(status == 0, "\(outcome.error)")
    #expect(facts["not_granted"] == [])
    #expect(login["scopes"]?["granted"]?.array?.contains("user_birthday") == true)
    #expect(login["scopes"]?["granted"]?.array?.contains("pages_manage_posts") == true)
    #expect(again.code == 0)
    #expect(again.error.contains("has all of them already"))
  }

  @Test func `a permission that is not granted ends with 77`() throws {
    let (process, code) = try fixture.start(
      "permissions", "request", "email", "user_likes", "--format", "json")
    try fixture.decide(code, "action=approve", "declined=user_likes")
    let (status, facts, _) = try fixture.lastLine(of: process)

    #expect(status == 77)
    #expect(facts["not_granted"] == ["user_likes"])
  }

  @Test(arguments: [("[email]", true), ("[]", false)])
  func `an empty list has a note if the permission of its edge is missing`(
    _ read: String, _ isNoted: Bool
  ) throws {
    try graphflow.folder.write(
      """
      graphflow: 1
      requests:
        me: {get: me, permissions: \(read)}
        friends: {get: me/friends, depends_on: [me]}

      """, to: "friends.yaml")
    try graphflow.folder.write(
      """
      world: 1
      tokens: {default: {user: alex}}
      users:
        alex:
          name: Alex
          friends: [blake]
          permissions: {granted: [email], declined: [user_friends]}
        blake: {name: Blake}
      behaviors: {forbidden: empty}

      """, to: "world.yaml")

    let outcome = try graphflow.run(
      ["run", "friends.yaml", "--sandbox", "--world", "world.yaml", "--quiet", "--report", "-"],
      in: graphflow.folder.path,
      environment: ["GRAPHFLOW_GRAPH_URL": ""])
    let report = try JSON(parsing: outcome.output)
    let note = try report.all("$.requests[?@.name == 'friends'].note").first?.string

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      note?.contains("user_friends is declined, which the edge needs") == (isNoted ? true : nil),
      "\(note ?? "no note")")
    #expect(note?.hasSuffix("graphflow permissions request user_friends") == (isNoted ? true : nil))
  }

  @Test func `a permission is revoked at Graph after a confirmation`() throws {
    #expect(try fixture.storeToken().code == 0)

    let outcome = try graphflow("permissions", "revoke", "pages_manage_posts", "--yes")
    let who = try graphflow("whoami", "--require", "pages_manage_posts")
    let login = try fixture.onlyStoredLogin()

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("revoked pages_manage_posts of the profile 'default'"))
    #expect(who.code == 77)
    #expect(login["scopes"]?["declined"]?.array?.contains("pages_manage_posts") == true)
  }
}
