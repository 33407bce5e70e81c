import JSONPath
import Testing

@testable import GraphSandbox

extension Dice {
  fileprivate mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
}

/// A batch that comes again is answered from what it came to: nobody can tell.
struct BatchRecollectionTests {
  private static let reads = [
    "me", "me?fields=id,name", "v24.0/me?fields=id", "me/feed?limit=2", "me/accounts",
    "me/permissions", "?ids=me,122000000000023", "122000000000023?fields=id,name",
    "122000000000023/feed", "me?fields=id&include_headers=false", "me/picture?redirect=0",
    "122000000000002_122000000000093", "me/feed?fields=message,comments.summary(true)",
    "debug_token?input_token=%T", "me?debug=all",
  ]
  /// What fails, changes something, or stands in another's way.
  private static let others: [JSON] = [
    ["method": "GET", "relative_url": "nobody"],
    ["method": "GET", "relative_url": "me?fields=wrong"],
    ["method": "GET", "relative_url": "me?access_token=x"],
    ["method": "GET", "relative_url": "oauth/access_token?grant_type=client_credentials"],
    ["method": "GET", "relative_url": "me", "name": "a"],
    ["method": "GET", "relative_url": "me", "headers": ["If-None-Match: *"]],
    ["method": "POST", "relative_url": "me/feed", "body": "message=Hello"],
    ["method": "POST", "relative_url": "122000000000023/likes"],
  ]
  private static let tight = RateLimits(
    window: 600,
    quotas: [
      .app: .init(calls: 500), .user: .init(calls: 400), .page: .init(calls: 300),
      .pages: .init(calls: 300, processorTime: 4_000), .custom: .init(calls: 1_000),
    ]
  )

  /// A world, the calls that come again and again, and how often they were answered from memory.
  private struct Play {
    var plain: Rehearsal
    var knowing: Rehearsal
    let known = KnownCalls(takesLists: false)
    let calls: [HTTPCall]
    var time = 1_800_000_000
    var recalled = 0

    init(_ dice: inout Dice) throws {
      var description = WorldDescription.standard
      if dice.roll(3) == 0 { description.limits = BatchRecollectionTests.tight }
      if dice.roll(4) == 0 { description.manners.shuffle = 5 }
      var rehearsal = try Rehearsal(description)
      if dice.roll(4) == 0 {
        let chance = FaultCondition(occasion: .chance(0.05))
        let plan = FaultPlan([FaultRule(.operation(.lag(reads: 3)), when: chance)])
        rehearsal.world.faults.course = FaultCourse(plan, seed: 1)
      }
      plain = rehearsal
      knowing = rehearsal
      calls = (0..<6).map { number in Self.call(&dice, rehearsal, isPlain: number < 4) }
    }

    private static func call(_ dice: inout Dice, _ rehearsal: Rehearsal, isPlain: Bool) -> HTTPCall
    {
      let items = (0...dice.roll(4)).map { _ -> JSON in
        guard isPlain || dice.roll(4) > 0 else {
          return BatchRecollectionTests.others[dice.roll(BatchRecollectionTests.others.count)]
        }
        let read = BatchRecollectionTests.reads[dice.roll(BatchRecollectionTests.reads.count)]
        return [
          "method": "GET", "relative_url": .string(read.replacing("%T", with: rehearsal.token)),
        ]
      }
      let token = dice.roll(2) == 0 ? rehearsal.token : rehearsal.pageToken
      let form = Rehearsal.form(
        [("batch", JSON.array(items).serialized())]
          + (dice.roll(2) == 0 ? [("include_headers", "false")] : [])
          + (dice.roll(3) == 0 ? [] : [("access_token", token)])
      )
      return HTTPCall(
        method: "POST",
        target: dice.roll(3) == 0 ? "/v24.0" : "/",
        authorization: "Bearer \(token)",
        body: Array(form.utf8)
      )
    }

    /// Something happens between two calls, or a second passes.
    mutating func stir(_ dice: inout Dice) {
      let steps = [1, 1, 30, 700, -1]
      if dice.roll(20) == 0 { time += steps[dice.roll(5)] }
      let soon = time + 1
      guard dice.roll(25) == 0 else { return }
      let (user, page, alex) = (plain.token, plain.pageToken, plain.alex)
      let change = dice.roll(6)
      for path in [\Play.plain, \Play.knowing] {
        switch change {
        case 0: self[keyPath: path].world.grants[user]?.expires = soon
        case 1: self[keyPath: path].world.grants[user]?.expires = nil
        case 2: self[keyPath: path].world.grants[page]?.state = .revoked
        case 3: self[keyPath: path].world.grants[page]?.state = .valid
        case 4: self[keyPath: path].world.permissions[alex] = []
        default: self[keyPath: path].world.manners.forbidden = .empty
        }
      }
    }

    mutating func compare(_ http: HTTPCall) {
      let call = known.call(http)
      // Asked of a copy, which is not charged.
      var copy = knowing.world
      copy.now = time
      copy.meter.beginCall()
      if copy.retell(call) != nil { recalled += 1 }
      let (expected, expectedLog) = plain.world.answer(GraphCall(http), at: time)
      let (answer, log) = knowing.world.answer(call, at: time)
      #expect(answer.text == expected.text)
      #expect(answer.status == expected.status)
      #expect(answer.headers.map(\.name) == expected.headers.map(\.name))
      #expect(answer.headers.map(\.value) == expected.headers.map(\.value))
      #expect(log.told == expectedLog.told)
      #expect(log.compact.told == expectedLog.told)
      let usages = [plain, knowing].map { rehearsal in
        rehearsal.world.meter.usage(at: time).map { "\($0)" }
      }
      #expect(usages[0] == usages[1])
    }
  }

  @Test func `seeded calls come to the same whether whole batches are recalled or not`() throws {
    var dice = Dice(seed: 11)
    var recalled = 0
    for _ in 0..<20 {
      var play = try Play(&dice)
      for _ in 0..<100 {
        play.stir(&dice)
        play.compare(play.calls[dice.roll(play.calls.count)])
      }
      recalled += play.recalled
    }
    // Else nothing is proved.
    #expect(recalled > 200, "\(recalled)")
  }

  private static func call(
    _ rehearsal: Rehearsal,
    _ addresses: [String],
    token: String? = nil
  ) -> HTTPCall {
    let batch = JSON.array(
      addresses.map { ["method": "GET", "relative_url": .string($0)] }
    )
    let form = Rehearsal.form([
      ("access_token", token ?? rehearsal.token), ("batch", batch.serialized()),
    ])
    return HTTPCall(method: "POST", target: "/", body: Array(form.utf8))
  }

  @Test func `what comes again is known by all of its request`() throws {
    let rehearsal = try Rehearsal()
    let known = KnownCalls(takesLists: false)
    let http = Self.call(rehearsal, ["me"])
    #expect(known.call(http).mark == nil)
    let mark = try #require(known.call(http).mark)
    #expect(known.call(http).mark === mark)
    var other = http
    other.target = "/v24.0"
    #expect(known.call(other).mark !== mark)
    other = http
    other.authorization = "Bearer x"
    #expect(known.call(other).mark !== mark)
    other = http
    other.contentType = "application/json"
    #expect(known.call(other).mark == nil)
  }

  @Test func `a batch is recalled within its second, until the world changes or a percent does`()
    throws
  {
    var description = WorldDescription.standard
    description.limits = RateLimits(quotas: [.user: .init(calls: 100), .app: .init(calls: 100)])
    var rehearsal = try Rehearsal(description)
    let known = KnownCalls(takesLists: false)
    let http = Self.call(rehearsal, ["me", "me?fields=id"])
    _ = known.call(http)
    let call = known.call(http)
    func recalls(_ time: Int, _ rehearsal: Rehearsal) -> Bool {
      Self.recalls(call, at: time, rehearsal)
    }

    // Two of a hundred: its own headers differ.
    _ = rehearsal.world.answer(call, at: 1_800_000_000)
    #expect(!recalls(1_800_000_000, rehearsal))
    rehearsal.world.meter.limits = RateLimits(quotas: [.user: .init(calls: 1_000)])
    _ = rehearsal.world.answer(call, at: 1_800_000_000)
    #expect(recalls(1_800_000_000, rehearsal))
    #expect(!recalls(1_800_000_001, rehearsal))
    for _ in 0..<2 {
      _ = rehearsal.world.answer(call, at: 1_800_000_000)
      #expect(recalls(1_800_000_000, rehearsal))
    }
    // The tenth operation makes a percent.
    for _ in 0..<2 {
      _ = rehearsal.world.answer(call, at: 1_800_000_000)
      #expect(!recalls(1_800_000_000, rehearsal))
    }
    _ = rehearsal.world.answer(call, at: 1_800_000_000)
    #expect(recalls(1_800_000_000, rehearsal))
    rehearsal.world.permissions[rehearsal.alex] = []
    #expect(!recalls(1_800_000_000, rehearsal))
  }

  private static func recalls(_ call: GraphCall, at time: Int, _ rehearsal: Rehearsal) -> Bool {
    var world = rehearsal.world
    world.now = time
    world.meter.beginCall()
    return world.retell(call) != nil
  }

  @Test func `a batch is not recalled once headers tell more of what others have used`() throws {
    var description = WorldDescription.standard
    description.limits = RateLimits(quotas: [.app: .init(calls: 100)])
    var rehearsal = try Rehearsal(description)
    let known = KnownCalls(takesLists: false)
    // Counts against the page alone; its headers tell of the application, too.
    let http = Self.call(rehearsal, ["me"], token: rehearsal.pageToken)
    _ = known.call(http)
    let call = known.call(http)
    _ = rehearsal.world.answer(call, at: 1_800_000_000)
    #expect(Self.recalls(call, at: 1_800_000_000, rehearsal))
    _ = rehearsal.world.answer(
      GraphCall(HTTPCall(method: "GET", target: "/me?access_token=\(rehearsal.token)")),
      at: 1_800_000_000
    )
    #expect(!Self.recalls(call, at: 1_800_000_000, rehearsal))
    let answer = rehearsal.world.answer(call, at: 1_800_000_000).0
    #expect(answer.text.contains(#"{\"call_count\":1,"#), "\(answer.text)")
  }
}
