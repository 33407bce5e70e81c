import JSONPath
import Testing

@testable import GraphSandbox

struct RateLimitTests {
  /// A world with a small limit; its time changes only if a test sets it.
  private static func sandbox(
    _ kind: RateLimits.Kind, _ quota: RateLimits.Quota, window: Int = 3_600, penalty: Int = 10
  ) throws -> InProcessSandbox {
    var sandbox = try InProcessSandbox()
    sandbox.world.meter.limits = RateLimits(window: window, penalty: penalty, quotas: [kind: quota])
    sandbox.time = 1_768_500_000
    return sandbox
  }

  private static let bakery = "122000000000023"
  private static let bakeryPost = "122000000000023_122000000000024"
  private static let instagram = "17841400000000001"

  static let scopes: [(kind: RateLimits.Kind, path: String, asPage: Bool, code: Int, sub: Int?)] = [
    (.app, "me", false, 4, nil),
    (.user, "me", false, 17, nil),
    (.page, "\(bakery)/feed", false, 32, nil),
    (.custom, "me", false, 613, nil),
    (.pages, "me/feed", true, 80_001, nil),
    (.pages, bakeryPost, true, 80_001, nil),
    (.instagram, instagram, false, 80_002, nil),
  ]

  @Test(arguments: scopes)
  func `a limit that is used up refuses with the code of its scope`(
    kind: RateLimits.Kind, path: String, asPage: Bool, code: Int, sub: Int?
  ) throws {
    var sandbox = try Self.sandbox(kind, .init(calls: 3))
    let token = asPage ? sandbox.pageToken : sandbox.token

    let allowed = (1...3).map { _ in sandbox.send("GET", path, token: token).status }
    let refused = sandbox.send("GET", path, token: token)

    #expect(allowed == [200, 200, 200])
    #expect(refused.status == 400)
    #expect(refused.error?["code"]?.integer == code)
    #expect(refused.error?["error_subcode"]?.integer == sub)
    #expect(refused.error?["type"] == "OAuthException")
    #expect(refused[header: "X-App-Usage"] != nil)
  }

  @Test func `a page's own token counts against the page and not against the application`() throws {
    var sandbox = try Self.sandbox(.app, .init(calls: 2))
    let token = sandbox.pageToken

    for _ in 1...5 { #expect(sandbox.send("GET", "me/feed", token: token).status == 200) }
    let usage = sandbox.send("GET", Self.bakery, token: token)

    #expect(usage[header: "X-App-Usage"]?.hasPrefix(#"{"call_count":0,"#) == true)
    let business = try #require(usage[header: "X-Business-Use-Case-Usage"])
    let entries = try JSON(parsing: business)[Self.bakery]?.array
    #expect(entries?.first?["type"] == "pages")
    #expect(entries?.first?["estimated_time_to_regain_access"] == 0)
  }

  @Test func `writes to a feed have a limit of their own if one is set`() throws {
    var sandbox = try Self.sandbox(.feed, .init(calls: 1))

    let first = sandbox.send("POST", "me/feed", [("message", "one")])
    let second = sandbox.send("POST", "me/feed", [("message", "two")])
    let read = sandbox.send("GET", "me/feed")

    #expect(first.status == 200)
    #expect(second.error?["code"]?.integer == 341)
    #expect(read.status == 200)
  }

  @Test func `each operation of a batch and each id counts once`() throws {
    var sandbox = try Self.sandbox(.app, .init(calls: 100))

    _ = try sandbox.batch([
      ["relative_url": "me"], ["relative_url": "me/feed"],
      ["relative_url": .string("?ids=\(sandbox.alex),\(sandbox.friend)")],
    ])
    let usage = sandbox.send("GET", "me")[header: "X-App-Usage"]

    #expect(usage?.hasPrefix(#"{"call_count":5,"#) == true)
  }

  @Test func `an unchanged answer counts, too`() throws {
    var sandbox = try Self.sandbox(.app, .init(calls: 100))
    let tag = sandbox.send("GET", "me")[header: "ETag"]

    let answer = sandbox.send(
      HTTPCall(method: "GET", target: "/me?access_token=\(sandbox.token)", ifNoneMatch: tag))

    #expect(answer.status == 304)
    #expect(answer[header: "X-App-Usage"]?.hasPrefix(#"{"call_count":2,"#) == true)
  }

  @Test func `a batch continues after its limit is used up, with errors`() throws {
    var sandbox = try Self.sandbox(.app, .init(calls: 2))

    let items = try sandbox.batch([
      ["relative_url": "me"], ["relative_url": "me"], ["relative_url": "me"],
    ])

    #expect(items.map(\.code) == [200, 200, 400])
    #expect(items[2].error?["code"]?.integer == 4)
    #expect(items[0].header("X-App-Usage")?.hasPrefix(#"{"call_count":50,"#) == true)
    #expect(items[2].header("X-App-Usage")?.hasPrefix(#"{"call_count":100,"#) == true)
  }

  @Test func `processor time and time come from a fixed table`() throws {
    var sandbox = try Self.sandbox(.app, .init(calls: 100, processorTime: 100, time: 1_000))

    _ = sandbox.send("GET", "me")
    _ = sandbox.send("GET", "me/feed")
    let answer = sandbox.send("POST", "me/feed", [("message", "hello")])

    #expect(answer[header: "X-App-Usage"] == #"{"call_count":3,"total_cputime":30,"total_time":6}"#)
  }

  @Test func `calls leave the window as time passes`() throws {
    var sandbox = try Self.sandbox(.app, .init(calls: 4), penalty: 0)
    sandbox.time = 36_000_000
    for _ in 1...3 { _ = sandbox.send("GET", "me") }
    sandbox.time = 36_000_000 + 1_800
    let last = sandbox.send("GET", "me")

    sandbox.time = 36_000_000 + 3_599
    let early = sandbox.send("GET", "me")
    sandbox.time = 36_000_000 + 3_600
    let late = sandbox.send("GET", "me")

    #expect(last.status == 200)
    #expect(early.status == 400)
    #expect(late.status == 200)
    // The window holds one call from half an hour ago and this one.
    #expect(late[header: "X-App-Usage"]?.hasPrefix(#"{"call_count":50,"#) == true)
  }

  @Test func `each call during a block makes it longer by the same amount`() throws {
    var sandbox = try Self.sandbox(.pages, .init(calls: 1), penalty: 120)
    sandbox.time = 36_000_000
    let token = sandbox.pageToken
    func minutes(_ answer: HTTPAnswer) throws -> Int? {
      let header = try #require(answer[header: "X-Business-Use-Case-Usage"])
      let entry = try JSON(parsing: header)[Self.bakery]?.array?.first
      return entry?["estimated_time_to_regain_access"]?.integer
    }

    let initial = try minutes(sandbox.send("GET", "me", token: token))
    let refused = try (1...2).map { _ in try minutes(sandbox.send("GET", "me", token: token)) }
    sandbox.time = 36_000_000 + 3_600 + 239
    let blocked = sandbox.send("GET", "me", token: token)
    sandbox.time = 36_000_000 + 3_600 + 360
    let regained = sandbox.send("GET", "me", token: token)

    #expect(initial == 60)
    #expect(refused == [62, 64])
    #expect(blocked.error?["code"]?.integer == 80_001)
    #expect(regained.status == 200)
  }

  @Test func `usage before the start counts`() throws {
    var sandbox = try Self.sandbox(.app, .init(calls: 10, used: 9))

    let first = sandbox.send("GET", "me")
    let second = sandbox.send("GET", "me")

    #expect(first[header: "X-App-Usage"]?.hasPrefix(#"{"call_count":100,"#) == true)
    #expect(second.error?["code"]?.integer == 4)
  }

  @Test func `a user's calls to a page show the page's usage`() throws {
    var sandbox = try Self.sandbox(.page, .init(calls: 10))

    let answer = sandbox.send("GET", Self.bakery)

    #expect(answer[header: "X-Page-Usage"]?.hasPrefix(#"{"call_count":10,"#) == true)
  }

  @Test func `the limits of the default world are out of reach`() throws {
    var sandbox = try InProcessSandbox()
    var statuses: Set<Int> = []

    for _ in 1...5_000 { statuses.insert(sandbox.send("GET", "me?fields=id").status) }

    #expect(statuses == [200])
  }

  @Test func `limits clamp values out of range`() {
    let limits = RateLimits(
      window: -5, penalty: -1,
      quotas: [.app: .init(calls: 0, processorTime: -1, time: .min, used: .max)])

    #expect(limits.window == 60)
    #expect(limits.penalty == 0)
    #expect(limits.quota(of: .app).calls == 1)
    #expect(limits.quota(of: .app).time == 1)
  }
}

struct UsageWindowTests {
  @Test func `a window's sums are those of its last calls at any time`() {
    var generator = SeededGenerator(seed: 7)
    var window = UsageWindow(.init(calls: 1_000_000), window: 3_600, at: 0)
    var calls: [(slice: Int, count: Int)] = []
    var now = 1_000_000

    for _ in 1...2_000 {
      now += Int.random(in: 0..<200, using: &generator)
      let count = Int.random(in: 10_000..<20_000, using: &generator)
      window.add(.node * count, at: now)
      calls.append((now / 60, count))
      let expected = calls.filter { $0.slice > now / 60 - 60 }.reduce(0) { $0 + $1.count }
      #expect(window.load(at: now).calls == expected * 100 / 1_000_000)
    }
  }
}
