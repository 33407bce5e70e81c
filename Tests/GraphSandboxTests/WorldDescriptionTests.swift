import JSONPath
import Testing

@testable import GraphSandbox

struct WorldDescriptionTests {
  /// Two users, a page and tokens, which tests change.
  private static func description() -> WorldDescription {
    var world = WorldDescription()
    var ann = WorldDescription.User(name: "Ann Onym")
    ann.permissions = ["pages_show_list", "pages_read_engagement", "user_posts"]
      .map { .init($0, .granted) }
    world.users = [.init("ann", ann), .init("bob", .init(name: "Bob Ly"))]
    var shop = WorldDescription.Page(name: "Shop")
    shop.roles = [.init("ann", ["ANALYZE"])]
    world.pages = [.init("shop", shop)]
    world.tokens = [
      .init("default", .init(.user("ann"))), .init("page", .init(.page("shop", user: "ann"))),
      .init("app", .init(.application)),
    ]
    return world
  }

  @Test func `the same description gives the same world, and another seed other tokens`() throws {
    let first = try InProcessSandbox(Self.description())
    var second = try InProcessSandbox(Self.description())
    let third = try InProcessSandbox(Self.description(), seed: 2)

    #expect(first.tokens == second.tokens)
    #expect(first.tokens != third.tokens)
    #expect(second.send("GET", "me").json["name"] == "Ann Onym")
  }

  @Test func `one entry can describe many posts, each with its number and time`() throws {
    var description = Self.description()
    var post = WorldDescription.Post(message: "Offer {n}!")
    post.count = 1_000
    post.interval = 60
    post.likes = ["bob", "bob", "nobody"]
    description.pages[0].value.contents.posts = [post]
    var sandbox = try InProcessSandbox(description)

    let feed = sandbox.send(
      "GET", "me/feed?fields=message,created_time,likes.summary(true)&limit=2&summary=true",
      token: sandbox.pageToken
    ).json

    #expect(feed["summary"]?["total_count"]?.integer == 1_000)
    let messages = feed["data"]?.array?.map { $0["message"]?.string }
    #expect(messages == ["Offer 1000!", "Offer 999!"])
    #expect(feed["data"]?.array?[0]["created_time"] == "2026-01-16T04:40:00+0000")
    #expect(feed["data"]?.array?[0]["likes"]?["summary"]?["total_count"]?.integer == 1)
  }

  @Test func `ids of the description are kept, and given to no other object`() throws {
    var description = Self.description()
    description.users[0].value.id = "122000000000003"
    description.pages[0].value.id = "42"
    var sandbox = try InProcessSandbox(description)

    #expect(sandbox.send("GET", "me").json["id"] == "122000000000003")
    #expect(sandbox.send("GET", "42").json["name"] == "Shop")
    #expect(sandbox.send("GET", "122000000000002").json["name"] == "Bob Ly")
  }

  @Test func `names without an entry are ignored`() throws {
    var description = Self.description()
    description.users[0].value.friends = ["nobody", "bob", "ann"]
    description.pages[0].value.roles.append(.init("nobody", ["ANALYZE"]))
    description.tokens.append(.init("lost", .init(.user("nobody"))))
    description.users[0].value.permissions.append(.init("user_friends", .granted))
    var sandbox = try InProcessSandbox(description)

    let friends = sandbox.send("GET", "me/friends").json

    #expect(friends["summary"]?["total_count"]?.integer == 1)
    #expect(sandbox.tokens["lost"] == nil)
  }

  @Test func `an application's token has no user`() throws {
    var sandbox = try InProcessSandbox(Self.description())
    let token = try #require(sandbox.tokens["app"])

    #expect(sandbox.send("GET", "app", token: token).json["name"] == "GraphFlow Sandbox")
    #expect(sandbox.send("GET", "me", token: token).error?["code"]?.integer == 2_500)
  }

  @Test func `albums and Instagram media are there from the start`() throws {
    var description = Self.description()
    description.pages[0].value.contents.albums = [.init(name: "Shelves")]
    description.pages[0].value.contents.albums[0].photos = [.init(caption: "Top")]
    description.pages[0].value.instagram = .init(username: "shop")
    description.pages[0].value.instagram?.media = ["One", "Two"]
    description.users[0].value.permissions.append(.init("instagram_basic", .granted))
    var sandbox = try InProcessSandbox(description)

    let album = sandbox.send("GET", "me/albums?fields=name,photos{name}", token: sandbox.pageToken)
      .json["data"]?.array?.first
    let page = sandbox.send("GET", "me?fields=instagram_business_account", token: sandbox.pageToken)
    let account = try #require(page.json["instagram_business_account"]?["id"]?.string)
    let media = sandbox.send("GET", "\(account)/media?fields=caption").json["data"]?.array

    #expect(album?["photos"]?["data"]?.array?.first?["name"] == "Top")
    #expect(media?.map { $0["caption"]?.string } == ["Two", "One"])
  }

  static let states: [(state: TokenState, subcode: Int, words: String)] = [
    (.expired, 463, "Session has expired on Thursday, 15-Jan-26 03:00:00 PST. The current time is"),
    (.revoked, 466, "invalidated explicitly using an API call"),
    (.removed, 458, "The user has not authorized application 122000000000001."),
    (.checkpoint, 459, "blocking, logged-in checkpoint"),
    (.passwordChanged, 460, "changed their password"),
    (.unconfirmed, 464, "not a confirmed user"),
    (.loggedOut, 467, "the user logged out"),
    (.inactive, 493, "longer than 90 days"),
  ]

  @Test(arguments: states)
  func `an invalid token's error has the reason`(
    state: TokenState, subcode: Int, words: String
  ) throws {
    var description = Self.description()
    description.tokens.append(.init("other", .init(.user("ann"))))
    description.tokens[3].value.state = state
    var sandbox = try InProcessSandbox(description)
    let token = try #require(sandbox.tokens["other"])

    let call = sandbox.send("GET", "me", token: token)
    let facts = sandbox.send("GET", "debug_token?input_token=\(token)").json["data"]
    let batch = sandbox.sendBatch([["relative_url": "me"]], token: token)
    let item = try sandbox.batch([["relative_url": .string("me?access_token=\(token)")]])[0]

    #expect(call.status == 400)
    #expect(call.error?["code"]?.integer == 190)
    #expect(call.error?["error_subcode"]?.integer == subcode)
    #expect(call.error?["message"]?.string?.contains(words) == true, "\(call.text)")
    #expect(facts?["is_valid"] == false)
    #expect(facts?["error"]?["subcode"]?.integer == subcode)
    #expect(batch.error?["error_subcode"]?.integer == subcode)
    #expect(item.error?["error_subcode"]?.integer == subcode)
  }

  @Test func `a token expires at its time`() throws {
    var description = Self.description()
    description.tokens[0].value.expires = 1_800_000_000
    var sandbox = try InProcessSandbox(description)

    sandbox.time = 1_799_999_999
    let before = sandbox.send("GET", "me")
    sandbox.time = 1_800_000_000
    let after = sandbox.send("GET", "me")

    #expect(before.status == 200)
    #expect(after.error?["error_subcode"]?.integer == 463)
    #expect(
      after.error?["message"]
        == """
        Error validating access token: Session has expired on Friday, 15-Jan-27 00:00:00 PST. The \
        current time is Friday, 15-Jan-27 00:00:00 PST.
        """)
  }
}

struct GraphTimeTests {
  @Test(arguments: [
    (1_428_616_800, "Thursday, 09-Apr-15 15:00:00 PDT"),
    (1_772_963_999, "Sunday, 08-Mar-26 01:59:59 PST"),
    (1_772_964_000, "Sunday, 08-Mar-26 03:00:00 PDT"),
    (1_793_523_599, "Sunday, 01-Nov-26 01:59:59 PDT"),
    (1_793_523_600, "Sunday, 01-Nov-26 01:00:00 PST"),
    (1_735_689_600, "Tuesday, 31-Dec-24 16:00:00 PST"),
  ])
  func `the times of expired sessions are in California's time`(seconds: Int, text: String) {
    #expect(GraphTime.session(seconds) == text)
  }

  @Test(arguments: [
    ("0", 0), ("1768478400", 1_768_478_400), ("2026-01-15", 1_768_435_200),
    ("2026-01-15T12:00:00Z", 1_768_478_400), ("2026-01-15T12:00:00+0000", 1_768_478_400),
    ("2026-01-15 12:00:00", 1_768_478_400), ("2024-02-29", 1_709_164_800),
  ])
  func `times are read in all their forms`(text: String, seconds: Int) {
    #expect(GraphTime.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "-1", "2026-1-1", "2026-13-01", "2026-02-29", "2026-01-15T", "2026-01-15T12:00",
    "2026-01-15T24:00:00", "1969-12-31", "2026-01-15T12:00:00+01:00", "26-01-15", "é026-01-15",
  ])
  func `invalid times are refused`(text: String) { #expect(GraphTime.seconds(text) == nil) }
}
