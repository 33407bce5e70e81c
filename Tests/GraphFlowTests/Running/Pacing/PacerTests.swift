import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// The pacer's decisions after calls and answers.
struct PacerTests {
  private static let start = Timestamp(milliseconds: 1_763_629_200_000)

  private static func token(_ text: String = "token") throws -> AccessToken {
    try #require(AccessToken(text))
  }

  private static func batch(_ count: Int, _ token: AccessToken) throws -> Call.Content {
    let operations = (0..<count).map { BatchOperation(method: .get, path: "x\($0)") }
    return .batch(
      try #require(BatchRequest(operations: operations, accessToken: token, version: .current)))
  }

  private static func headers(_ fields: [(String, String)]) -> [HeaderField] {
    fields.compactMap { HeaderField($0.0, $0.1) }
  }

  private static func answer(
    _ count: Int, _ fields: [(String, String)] = [], code: Int? = nil
  ) -> AnsweredCall {
    var facts = CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
    facts.usage = Usage(headers: headers(fields))
    facts.retryAfter = headers(fields).retryAfter()
    let item = code.map { OperationAnswer.error(GraphError(message: "limit", code: $0), 400) }
    let items = Array(repeating: item ?? .ok(["id": "1"]), count: count)
    return AnsweredCall(.answered(.items(items), facts), rules: [])
  }

  private static func usage(_ percent: Int) -> (String, String) {
    ("X-App-Usage", #"{"call_count":\#(percent),"total_time":0,"total_cputime":0}"#)
  }

  /// A pacer that has sent calls of 50 operations and read these percents, a second apart.
  private static func pacer(
    reading percents: [Int], budget: RunBudget = RunBudget()
  ) throws -> (pacer: Pacer, now: Timestamp) {
    var pacer = Pacer(budget: budget, url: .standard, appSecret: nil)
    var now = start
    for (index, percent) in percents.enumerated() {
      pacer.startCall(index, try batch(50, token()), isProbe: false, isRetry: false, at: now)
      now = now.advanced(by: .seconds(1))
      pacer.finishCall(index, answer(50, [usage(percent)]), at: now) { 0.5 }
    }
    return (pacer, now)
  }

  @Test(arguments: [
    // Low usage: eight times as many operations may be under way after each clean answer.
    ([0], 800),
    // At most a third of the rest below 90 %, but one full batch.
    ([1], 741), ([1, 2], 977), ([0, 0, 0], 4500), ([10, 20, 30, 52], 50), ([1, 2, 60], 25),
    // From 75 % on, a third in any case.
    ([20, 40, 60, 76], 12), ([40, 80], 5),
  ])
  func `the next call is as large as the limit allows`(_ percents: [Int], _ expected: Int) throws {
    let (pacer, now) = try Self.pacer(reading: percents)
    let allowance = pacer.allowance(for: [try Self.token()], isSmall: false, at: now)
    guard case .operations(let count) = allowance else {
      Issue.record("\(allowance)")
      return
    }
    #expect((expected * 8 / 10...expected * 12 / 10).contains(count), "\(count)")
  }

  @Test func `a nearly used-up limit is waited for until the calls have left the window`() throws {
    let (pacer, now) = try Self.pacer(reading: [30, 60, 90])
    let allowance = pacer.allowance(for: [try Self.token()], isSmall: true, at: now)
    guard case .pause(let pause, _) = allowance else {
      Issue.record("\(allowance)")
      return
    }
    #expect(pause.cause == .usage)
    let wait = pause.until.milliseconds - now.milliseconds
    #expect((3_590_000...3_661_000).contains(wait))
  }

  @Test(arguments: [
    ("X-App-Usage", #"{"call_count":1,"total_time":95,"total_cputime":2}"#),
    ("X-App-Usage", #"{"call_count":1,"total_time":2,"total_cputime":"95%"}"#),
    ("X-Page-Usage", #"{"call_count":95,"total_time":2,"total_cputime":2}"#),
    ("X-Ad-Account-Usage", #"{"acc_id_util_pct":95.5,"reset_time_duration":100}"#),
    ("X-FB-Ads-Insights-Throttle", #"{"app_id_util_pct":95,"acc_id_util_pct":1}"#),
    ("X-Business-Use-Case-Usage", #"{"7":[{"type":"pages","call_count":1,"total_cputime":95}]}"#),
  ])
  func `the highest percent of any header counts`(_ name: String, _ value: String) throws {
    var pacer = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    let token = try Self.token()
    pacer.startCall(1, try Self.batch(50, token), isProbe: false, isRetry: false, at: Self.start)
    pacer.finishCall(1, Self.answer(50, [(name, value)]), at: Self.start) { 0 }
    let allowance = pacer.allowance(for: [token], isSmall: true, at: Self.start)
    guard case .pause(let pause, _) = allowance else {
      Issue.record("\(allowance)")
      return
    }
    #expect(pause.cause == .usage)
  }

  @Test(arguments: [40, 60, 75, 84])
  func `usage by others is not taken for the cost of one operation`(_ percent: Int) throws {
    var pacer = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    let token = try Self.token()
    var now = Self.start
    for number in 1...3 {
      let allowance = pacer.allowance(for: [token], isSmall: true, at: now)
      guard case .operations(1...) = allowance else {
        Issue.record("\(number): \(allowance)")
        return
      }
      pacer.startCall(number, try Self.batch(1, token), isProbe: false, isRetry: false, at: now)
      pacer.finishCall(number, Self.answer(1, [Self.usage(percent)]), at: now) { 0 }
      now = now.advanced(by: .seconds(1))
    }
  }

  @Test func `a full limit is probed when Graph has announced that it is free`() throws {
    var pacer = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    let token = try Self.token()
    let usage =
      #"{"7":[{"type":"pages","call_count":100,"estimated_time_to_regain_access":3}]}"#
    pacer.startCall(1, try Self.batch(50, token), isProbe: false, isRetry: false, at: Self.start)
    pacer.finishCall(1, Self.answer(50, [("X-Business-Use-Case-Usage", usage)]), at: Self.start) {
      0
    }

    let silent = pacer.allowance(for: [token], isSmall: true, at: Self.start)
    guard case .pause(let pause, _) = silent else {
      Issue.record("\(silent)")
      return
    }
    #expect(
      pause
        == QuotaPause(
          until: Self.start.advanced(by: .seconds(180)), cause: .throttled, scope: .business))
    #expect(pacer.allowance(for: [token], isSmall: true, at: pause.until) == .operations(1))
  }

  @Test func `an item's date of Retry-After counts from the time of the answer`() throws {
    var pacer = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    let token = try Self.token()
    pacer.startCall(1, try Self.batch(1, token), isProbe: false, isRetry: false, at: Self.start)
    let refusal: JSON = ["error": ["code": 4, "message": "m"]]
    let item = OperationResponse(
      code: 400, headers: Self.headers([("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT")]),
      body: ResponseBody(Array(refusal.serialized().utf8)))
    var facts = CallFacts(status: 200, bytesSent: 0, bytesReceived: 0)
    facts.date = HTTPDate(seconds: 1_445_412_480 - 90)
    let answered = AnsweredCall(.answered(.items([.response(item)]), facts), rules: [])
    pacer.finishCall(1, answered, at: Self.start) { 0 }

    let allowance = pacer.allowance(for: [token], isSmall: true, at: Self.start)
    guard case .pause(let pause, _) = allowance else {
      Issue.record("\(allowance)")
      return
    }
    #expect(pause.until == Self.start.advanced(by: .seconds(90)))
  }

  @Test(arguments: [4, 17, 32, 341, 613, 80_001, 80_004])
  func `a refusal with a hint is obeyed, and then one operation probes`(_ code: Int) throws {
    var pacer = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    let token = try Self.token()
    pacer.startCall(1, try Self.batch(10, token), isProbe: false, isRetry: false, at: Self.start)
    pacer.finishCall(1, Self.answer(10, [("Retry-After", "600")], code: code), at: Self.start) { 0 }

    for seconds in [0, 1, 599] {
      let now = Self.start.advanced(by: .seconds(seconds))
      guard case .pause(let pause, _) = pacer.allowance(for: [token], isSmall: true, at: now) else {
        Issue.record("sent after \(seconds) s")
        continue
      }
      #expect(pause.until.milliseconds - Self.start.milliseconds >= 600_000)
    }
    let later = Self.start.advanced(by: .seconds(700))
    #expect(pacer.allowance(for: [token], isSmall: true, at: later) == .operations(1))
    pacer.startCall(2, try Self.batch(1, token), isProbe: false, isRetry: false, at: later)
    #expect(pacer.allowance(for: [token], isSmall: true, at: later) == .afterAnswer)
    pacer.finishCall(2, Self.answer(1), at: later) { 0 }
    #expect(pacer.allowance(for: [token], isSmall: true, at: later) == .operations(.max))
  }

  @Test func `a shorter pause that is announced later does not cut a longer one short`() throws {
    var pacer = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    let token = try Self.token()
    for number in 1...2 {
      pacer.startCall(
        number, try Self.batch(10, token), isProbe: false, isRetry: false, at: Self.start)
    }
    for (number, hint) in [(1, "600"), (2, "60")] {
      pacer.finishCall(number, Self.answer(10, [("Retry-After", hint)], code: 4), at: Self.start) {
        0
      }
    }
    let later = Self.start.advanced(by: .seconds(599))
    guard case .pause(let pause, _) = pacer.allowance(for: [token], isSmall: true, at: later) else {
      Issue.record("sent after 599 s")
      return
    }
    #expect(
      pause
        == QuotaPause(
          until: Self.start.advanced(by: .seconds(600)), cause: .throttled, scope: .app))
  }

  @Test func `refusals without a hint lead to ever longer pauses`() throws {
    var pacer = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    let token = try Self.token()
    var now = Self.start
    var silences: [Int64] = []
    for number in 1...8 {
      pacer.startCall(number, try Self.batch(1, token), isProbe: false, isRetry: false, at: now)
      pacer.finishCall(number, Self.answer(1, code: 4), at: now) { 1 }
      guard case .pause(let pause, _) = pacer.allowance(for: [token], isSmall: true, at: now) else {
        Issue.record("no silence after \(number)")
        return
      }
      silences.append((pause.until.milliseconds - now.milliseconds) / 1000)
      now = pause.until
      #expect(pacer.allowance(for: [token], isSmall: true, at: now) == .operations(1))
    }
    #expect(silences == [30, 60, 120, 240, 480, 900, 900, 900])
  }

  @Test func `a throttled token does not hold up others, a throttled app does`() throws {
    for (code, isHeld) in [(17, false), (4, true)] {
      var pacer = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
      let (first, second) = (try Self.token("first"), try Self.token("second"))
      pacer.startCall(1, try Self.batch(1, first), isProbe: false, isRetry: false, at: Self.start)
      pacer.finishCall(1, Self.answer(1, [("Retry-After", "60")], code: code), at: Self.start) { 0 }
      let allowance = pacer.allowance(for: [second], isSmall: true, at: Self.start)
      #expect((allowance == .operations(.max)) != isHeld, "\(code)")
    }
  }

  @Test func `five failures in a row open the breaker, one read closes it`() throws {
    var pacer = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    let token = try Self.token()
    let failure = CallResult.failed(TransportFailure(kind: .connectionLost, message: "lost"))
    for number in 1...5 {
      #expect(pacer.allowance(for: [token], isSmall: true, at: Self.start) == .operations(.max))
      pacer.startCall(
        number, try Self.batch(1, token), isProbe: false, isRetry: false, at: Self.start)
      pacer.finishCall(number, AnsweredCall(failure, rules: []), at: Self.start) { 1 }
    }
    guard case .pause(let pause, _) = pacer.allowance(for: [token], isSmall: true, at: Self.start)
    else {
      Issue.record("still closed")
      return
    }
    #expect(pause.cause == .outage)
    #expect(pacer.allowance(for: [token], isSmall: true, at: pause.until) == .probe)
    pacer.startCall(6, try Self.batch(1, token), isProbe: true, isRetry: false, at: pause.until)
    #expect(pacer.allowance(for: [token], isSmall: true, at: pause.until) == .afterAnswer)
    pacer.finishCall(6, Self.answer(1), at: pause.until) { 1 }
    #expect(pacer.allowance(for: [token], isSmall: true, at: pause.until) == .operations(.max))
  }

  /// Graph answers four calls at a time in any order, each with the percent when it was counted.
  @Test(arguments: [20, 45, 80], [20, 100, 1000])
  func `a budget of usage holds if answers arrive out of order`(_ line: Int, _ limit: Int) throws {
    var pacer = Pacer(budget: RunBudget(usage: line), url: .standard, appSecret: nil)
    let token = try Self.token()
    var chance = SplitMix64(seed: UInt64(line * limit))
    var (used, number) = (0, 0)
    var underWay: [(number: Int, count: Int, percent: Int)] = []
    while true {
      let allowance = pacer.allowance(for: [token], isSmall: true, at: Self.start)
      if case .operations(let most) = allowance, underWay.count < 4 {
        number += 1
        let count = min(most, 50)
        pacer.startCall(
          number, try Self.batch(count, token), isProbe: false, isRetry: false, at: Self.start)
        used += count
        underWay.append((number, count, used * 100 / limit))
      } else {
        guard !underWay.isEmpty else { break }
        let call = underWay.remove(at: Int.random(in: underWay.indices, using: &chance))
        pacer.finishCall(
          call.number, Self.answer(call.count, [Self.usage(call.percent)]), at: Self.start
        ) { 0 }
      }
    }
    let percent = used * 100 / limit
    #expect(percent <= line && percent >= line * 7 / 10, "\(percent) % after \(number) calls")
    // One operation at a time would take hundreds.
    #expect(number < 40, "\(number) calls")
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]])
  func `the highest percent of answers out of order counts`(_ order: [Int]) throws {
    var budget = RunBudget()
    budget.usage = 45
    // Each operation takes a tenth of a percent.
    var (pacer, now) = try Self.pacer(reading: [5, 10, 15, 20, 25, 28], budget: budget)
    let calls = [10, 11, 12]
    for number in calls {
      pacer.startCall(
        number, try Self.batch(50, Self.token()), isProbe: false, isRetry: false, at: now)
    }
    now = now.advanced(by: .seconds(1))
    for index in order {
      let percent = Self.usage([33, 38, 43][index])
      pacer.finishCall(calls[index], Self.answer(50, [percent]), at: now) { 0 }
    }
    let allowance = pacer.allowance(for: [try Self.token()], isSmall: false, at: now)
    guard case .operations(1...10) = allowance else {
      Issue.record("\(allowance)")
      return
    }
  }

  @Test func `uncounted operations do not make an operation look cheap`() throws {
    var pacer = Pacer(budget: RunBudget(usage: 45), url: .standard, appSecret: nil)
    let token = try Self.token()
    let lost = CallResult.failed(TransportFailure(kind: .connectionLost, message: "lost"))
    for (number, result) in [lost, Self.answer(1, [Self.usage(5)]).result].enumerated() {
      let count = number == 0 ? 20 : 1
      pacer.startCall(
        number, try Self.batch(count, token), isProbe: false, isRetry: false, at: Self.start)
      pacer.finishCall(number, AnsweredCall(result, rules: []), at: Self.start) { 0 }
    }
    pacer.startCall(2, try Self.batch(1, token), isProbe: false, isRetry: false, at: Self.start)
    pacer.finishCall(2, Self.answer(1, [Self.usage(10)]), at: Self.start) { 0 }
    // Each operation takes 5 %, so at most 7 more are allowed.
    guard
      case .operations(1...7) = pacer.allowance(for: [token], isSmall: true, at: Self.start)
    else {
      Issue.record("\(pacer.allowance(for: [token], isSmall: true, at: Self.start))")
      return
    }
  }

  @Test(arguments: [
    ("calls=5", RunBudget(calls: 5)), ("usage=60%", RunBudget(usage: 60)),
    ("calls=1,usage=7", RunBudget(calls: 1, usage: 7)), ("", nil), ("calls=0", nil),
    ("usage=101%", nil), ("calls=1,calls=2", nil), ("calls", nil), ("call=1", nil),
    ("calls=9999999999999999999999", nil), ("usage=50%%", nil), ("calls=1,", nil),
  ])
  func `a budget is read or refused`(_ text: String, _ expected: RunBudget?) {
    #expect((try? RunBudget(text)) == expected)
  }

  @Test(arguments: [(100, 101), (600, 6)])
  func `of many limits only those are shared that are filling up`(
    tokens: Int, shared: Int
  ) throws {
    var pacer = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    for number in 0..<tokens {
      let usage = #"{"call_count":\#(number < 5 ? 60 : 1),"total_time":0,"total_cputime":0}"#
      let call = try Self.batch(1, Self.token("token-\(number)"))
      pacer.startCall(number, call, isProbe: false, isRetry: false, at: Self.start)
      pacer.finishCall(number, Self.answer(1, [("X-Page-Usage", usage)]), at: Self.start) { 0 }
    }

    let changes = pacer.changes(at: Self.start)
    pacer.merge(changes, at: Self.start) { 0 }

    // With the application's.
    #expect(changes.records.count == shared)
    #expect(changes.records.values.filter { $0.usage == 60 }.count == 5)
    #expect(pacer.changes(at: Self.start).isEmpty)
  }

  @Test func `an old record of another process replaces no newer one that was not shared`() throws {
    var pacer = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    func send(_ number: Int, _ token: String, _ percent: Int, at time: Timestamp) throws {
      let usage = #"{"call_count":\#(percent),"total_time":0,"total_cputime":0}"#
      let call = try Self.batch(1, Self.token(token))
      pacer.startCall(number, call, isProbe: false, isRetry: false, at: time)
      pacer.finishCall(number, Self.answer(1, [("X-Page-Usage", usage)]), at: time) { 0 }
    }
    for number in 0..<600 { try send(number, "token-\(number)", 1, at: Self.start) }
    var old = QuotaSnapshot()
    old.records = pacer.gauges.filter { $0.value.record.usage == 1 }.mapValues(\.record)
    let later = Self.start.advanced(by: .seconds(5))
    try send(600, "token-7", 20, at: later)

    pacer.merge(old, at: later) { 0 }

    #expect(pacer.gauges.values.contains { $0.record.usage == 20 })
    #expect(pacer.changes(at: later).records.values.contains { $0.usage == 20 })
  }

  @Test func `a token that an item brings keeps the pause that another process has read`() throws {
    let page = try Self.token("page")
    var first = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    for (number, token) in [try Self.token(), page].enumerated() {
      let call = try Self.batch(1, token)
      first.startCall(number, call, isProbe: false, isRetry: false, at: Self.start)
      let answer =
        number == 0 ? Self.answer(1) : Self.answer(1, [("Retry-After", "60")], code: 32)
      first.finishCall(number, answer, at: Self.start) { 0 }
    }

    var second = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    second.register(try Self.token())
    second.merge(first.changes(at: Self.start), at: Self.start) { 0 }
    second.register([Lane(token: page)], at: Self.start) { 0 }

    guard case .pause = second.allowance(for: [page], isSmall: true, at: Self.start) else {
      Issue.record("\(second.allowance(for: [page], isSmall: true, at: Self.start))")
      return
    }
    #expect(
      second.allowance(for: [try Self.token()], isSmall: true, at: Self.start)
        == .operations(.max))
  }

  @Test func `each id counts`() {
    func count(_ path: String, ids: String? = nil, _ method: OperationMethod = .get) -> Int {
      let parameters = ids.map { [BatchOperation.Parameter(name: "ids", value: $0)] } ?? []
      return BatchOperation(method: method, path: path, parameters: parameters).countedCalls
    }
    #expect(count("me") == 1)
    #expect(count("?ids=1,2,3&fields=id") == 3)
    #expect(count("?fields=id,name&ids=1%2C2%2c3") == 3)
    #expect(count("", ids: "1,2") == 2)
    #expect(count("x?ids=1,2", .post) == 1)
  }
}

extension Pacer {
  /// What the next call may carry of operations that may be about any account of some tokens.
  fileprivate func allowance(
    for tokens: [AccessToken], isSmall: Bool, at now: Timestamp
  ) -> Allowance {
    allowance(for: Set(tokens.map { Lane(token: $0) }), isSmall: isSmall, at: now)
  }
}
