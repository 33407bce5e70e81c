import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// A lane that has to pause does not hold back the others.
struct LaneTests {
  /// Ad accounts with limits of their own, which answer a day of insights per operation.
  private struct Ads {
    /// Until when an account refuses everything.
    var pauses: [String: Duration] = [:]
    /// The used percent that the headers of an account report.
    var percents: [String: Int] = [:]
    /// Whether the header of the ad account reports the percent, which does not name the account.
    var isUnnamed = false
    /// The code with which a pausing account refuses.
    var code = 80000
    var subcode: Int?
    /// The operations that fail once, by number.
    var failing: Set<Int> = []
    var sent: [(path: String, at: Duration)] = []

    mutating func answer(_ call: Call, at now: Duration) -> CallResult {
      var items: [OperationAnswer] = []
      for operation in call.operations {
        sent.append((operation.path, now))
        items.append(answer(operation.path, at: now))
      }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 1, bytesReceived: 1))
    }

    private mutating func answer(_ path: String, at now: Duration) -> OperationAnswer {
      let account = path.split(separator: "/").first.map { String($0.dropFirst(4)) } ?? ""
      let left = (pauses[account] ?? .zero) - now
      let isPaused = left > .zero
      let percent = isPaused ? 100 : percents[account] ?? 1
      let minutes = isPaused ? (left.milliseconds + 59_999) / 60_000 : 0
      let usage =
        isUnnamed
        ? HeaderField(
          "X-Ad-Account-Usage",
          #"{"acc_id_util_pct":\#(percent),"reset_time_duration":\#(minutes * 60)}"#)
        : HeaderField(
          "X-Business-Use-Case-Usage",
          #"{"\#(account)":[{"type":"ads_insights","call_count":\#(percent),"#
            + #""estimated_time_to_regain_access":\#(minutes)}]}"#)
      let isFailing = failing.remove(sent.count - 1) != nil
      let error =
        isPaused
        ? GraphError(message: "limit", code: code, subcode: subcode)
        : isFailing ? GraphError(message: "down", code: 2) : nil
      let body: JSON = error.map { ["error": $0.json] } ?? ["data": [["impressions": "1"]]]
      return .response(
        OperationResponse(
          code: error == nil ? 200 : 400, headers: [usage].compactMap(\.self),
          body: ResponseBody(Array(body.serialized().utf8))))
    }
  }

  private static func run(
    accounts: Int = 20, days: Int = 90, patience: String = "2h", extra: String = "",
    options: RunOptions = RunOptions(), _ ads: Ads
  ) throws -> (run: Simulation, ads: Ads, end: RunEnd?) {
    let file = try workflow(
      """
      graphflow: 1
      defaults: {retry: {max_elapsed: \(patience)}}
      inputs:
        days: {type: list, default: []}
      requests:
        insights:
          for_each: "{input=days}"
          key: "{item=$.id}/{item=$.day}"
          get: "{item=$.id}/insights"
          params: {day: "{item=$.day}"}\(extra)
      """)
    // All days of an account follow one another, as the windows of its range do.
    let items = (0..<accounts).flatMap { account in
      (0..<days).map { #"{"id":"act_\#(account)","day":\#($0)}"# }
    }
    var run = try Simulation(
      file, inputs: [("days", "[\(items.joined(separator: ","))]")], options: options)
    let box = Box(ads)
    run.server = { call, now in box.value.answer(call, at: now) }
    let end = try run.run()
    return (run, box.value, end)
  }

  private final class Box {
    var value: Ads
    init(_ value: Ads) { self.value = value }
  }

  @Test(arguments: [(80000, nil), (80004, nil), (17, 2_446_079)] as [(Int, Int?)], [false, true])
  func `an account that is throttled for an hour sleeps alone`(
    _ code: (Int, Int?), _ isUnnamed: Bool
  ) throws {
    var ads = Ads(pauses: ["3": .seconds(3600)], isUnnamed: isUnnamed)
    (ads.code, ads.subcode) = code
    let (run, result, end) = try Self.run(ads)

    #expect(end?.status == .succeeded)
    let others = result.sent.filter { !$0.path.hasPrefix("act_3/") }
    #expect(others.count == 19 * 90)
    #expect(try #require(others.map(\.at).max()) < .seconds(10))
    let own = result.sent.filter { $0.path.hasPrefix("act_3/") }
    // Only what was under way when the first refusal arrived.
    #expect(own.count { $0.at < .seconds(3600) } <= 90)
    #expect(own.count { $0.at >= .seconds(3600) } == 90)
    #expect(try #require(own.map(\.at).max()) < .seconds(3800))
    #expect(run.calls.count <= 52)
  }

  @Test func `an account with many items sleeps alone, too`() throws {
    let (_, result, end) = try Self.run(
      accounts: 3, days: 350, Ads(pauses: ["0": .seconds(3600)]))

    #expect(end?.status == .succeeded)
    let others = result.sent.filter { !$0.path.hasPrefix("act_0/") }
    #expect(others.count == 700)
    #expect(try #require(others.map(\.at).max()) < .seconds(10))
  }

  @Test func `what a session does not wait for ends it when nothing else is left`() throws {
    let (run, result, end) = try Self.run(patience: "15m", Ads(pauses: ["3": .seconds(3600)]))

    #expect(end?.status == .unfinished || end?.status == .failed)
    #expect(run.statuses.values.count { $0 == .succeeded } == 19 * 90)
    #expect(try #require(result.sent.map(\.at).max()) < .seconds(30))
    let resumeAfter = try #require(end?.resumeAfter)
    #expect(
      (3_500_000...3_700_000).contains(
        resumeAfter.milliseconds - Simulation.startedAt.milliseconds))
  }

  @Test(arguments: [false, true])
  func `an account that is nearly full slows down only itself`(_ isUnnamed: Bool) throws {
    let ads = Ads(percents: ["0": 96], isUnnamed: isUnnamed)
    let (_, result, end) = try Self.run(accounts: 5, days: 120, patience: "24h", ads)

    #expect(end?.status == .succeeded)
    let others = result.sent.filter { !$0.path.hasPrefix("act_0/") }
    #expect(try #require(others.map(\.at).max()) < .seconds(10))
    let own = result.sent.filter { $0.path.hasPrefix("act_0/") }
    #expect(try #require(own.map(\.at).max()) > .seconds(60))
  }

  @Test func `an operation that fails beside a throttled account is sent again at once`() throws {
    var ads = Ads(pauses: ["0": .seconds(3600)])
    ads.failing = [60]
    let (run, result, end) = try Self.run(accounts: 2, days: 40, ads)

    #expect(end?.status == .succeeded)
    let others = result.sent.filter { $0.path.hasPrefix("act_1/") }
    #expect(others.count == 41)
    #expect(try #require(others.map(\.at).max()) < .seconds(10))
    #expect(run.statuses.values.allSatisfy { $0 == .succeeded })
  }

  @Test func `what waits for its lane is skipped when the run stops`() throws {
    let file = try workflow(
      """
      graphflow: 1
      defaults: {retry: {max_elapsed: 2h}}
      requests:
        a: {get: act_0/insights, on_error: ignore}
        c: {get: act_1/insights}
        e: {get: act_0/adsets, when: "{result=c:$.data[0].impressions} == '1'"}
        f: {post: act_1/campaigns, when: "{result=c:$.data[0].impressions} == '1'", on_error: stop}
      """)
    var run = try Simulation(file)
    let box = Box(Ads(pauses: ["0": .seconds(3600)]))
    run.server = { call, now in
      if call.operations.allSatisfy({ $0.method == .post }) {
        let items = call.operations.map { _ in OperationAnswer.error(.invalidParameter, 400) }
        return .answered(.items(items), CallFacts(status: 200, bytesSent: 1, bytesReceived: 1))
      }
      return box.value.answer(call, at: now)
    }
    let end = try run.run()

    #expect(
      end?.finishedAt ?? Simulation.startedAt < Simulation.startedAt.advanced(by: .seconds(60)))
    #expect(run.calls.map(\.operations.count) == [2, 1])
    #expect(run.statuses["f"] == .failed && run.statuses["e"] == .skipped)
  }

  @Test func `the polls of a report belong to the lane of its account`() throws {
    let report = BatchOperation(method: .get, path: "act_7/insights")
    var bound = BoundRequest(operation: report, mustBeSentAlone: false)
    bound.operation.path = "6023920149050"
    #expect(bound.subject == .adAccount("7"))
  }

  @Test(arguments: [
    ("me/accounts", Lane.Subject.me), ("me", .me), ("act_12/insights?x=1", .adAccount("12")),
    ("12/feed", .node("12")), ("12_34/comments", .node("12")), ("?ids=1,2", .node("")),
    ("cocacola/posts", .node("cocacola")),
  ])
  func `the first segment of a path is what it is about`(_ path: String, _ expected: Lane.Subject) {
    #expect(Lane.Subject(ofPath: path) == expected)
  }

  @Test func `a pause that another process has read holds back its account only`() throws {
    let token = try #require(AccessToken("token"))
    func lane(_ subject: Lane.Subject?) -> Lane { Lane(token: token, subject: subject) }
    let start = Simulation.startedAt
    var first = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    let operation = BatchOperation(method: .get, path: "act_5/insights")
    let call = try #require(
      BatchRequest(operations: [operation], accessToken: token, version: .current))
    first.startCall(1, .batch(call), isProbe: false, isRetry: false, at: start)
    var ads = Ads(pauses: ["5": .seconds(3600)])
    let answer = ads.answer(Call(number: 1, content: .batch(call), timeout: .zero), at: .zero)
    first.finishCall(1, AnsweredCall(answer, rules: []), at: start) { 0 }

    var second = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    second.register(token)
    second.merge(first.changes(at: start), at: start) { 0 }
    let lanes = [lane(.me), lane(.adAccount("5")), lane(.adAccount("6")), lane(nil)]
    second.register(Set(lanes), at: start) { 0 }

    let isPaused = lanes.map { lane in
      if case .pause = second.allowance(for: [lane], isSmall: true, at: start) {
        true
      } else {
        false
      }
    }
    // An ad's id may be one of the account's.
    #expect(isPaused == [false, true, false, true])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a pause of the app and of the only account is reported once`(_ seed: UInt64) throws {
    let file = try workflow(
      """
      graphflow: 1
      defaults: {retry: {max_elapsed: 2h}}
      requests:
        a: {get: act_1/insights}
      """)
    var run = try Simulation(file, seed: seed)
    var ads = Ads(pauses: ["1": .seconds(3000)])
    ads.code = 4
    let box = Box(ads)
    run.server = { call, now in box.value.answer(call, at: now) }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    let pauses = run.events.filter { if case .paused = $0 { true } else { false } }
    #expect(pauses.count == 1, "\(pauses)")
  }

  @Test func `a limit of what no request is about holds back all pages`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        defaults: {retry: {max_elapsed: 2h}}
        requests:
          first: {get: page1/feed}
          refused: {get: page2/feed}
          second: {get: page1/posts, depends_on: [first], batch: alone}
        """))
    run.callFault = { call in
      guard call.number == 1 else { return nil }
      let answers = call.operations.map { operation -> OperationAnswer in
        let isFirst = operation.path == "page1/feed"
        let error: JSON = ["error": GraphError(message: "limit", code: 80_001).json]
        let usage = HeaderField(
          "X-Business-Use-Case-Usage",
          isFirst
            ? #"{"page1":[{"type":"pages","call_count":1}]}"#
            : #"{"1789":[{"type":"pages","call_count":100,"estimated_time_to_regain_access":11}]}"#
        )
        return .response(
          OperationResponse(
            code: isFirst ? 200 : 400, headers: [usage].compactMap(\.self),
            body: ResponseBody(Array((isFirst ? ["data": []] : error).serialized().utf8))))
      }
      return .answered(.items(answers), CallFacts(status: 200, bytesSent: 1, bytesReceived: 1))
    }

    #expect(try run.run()?.status == .succeeded)
    #expect(run.calls.count > 1 && run.calls[1].at >= .seconds(660), "\(run.calls)")
  }

  @Test func `lanes of one call share the room of a limit`() throws {
    let token = try #require(AccessToken("t"))
    let lanes = ["1", "2"].map { Lane(token: token, subject: .adAccount($0)) }
    let limit = Fingerprint(
      ofLimitFor: "1", type: "pages", in: Fingerprint(of: token, at: .standard))
    let rooms = Pacer.Room(
      shared: .operations(50), own: [:], limits: [lanes[0]: [limit], lanes[1]: [limit]],
      left: [limit: 3])
    let own: [Lane: Allowance] = [lanes[0]: .operations(3), lanes[1]: .operations(3)]
    var room = CallRoom(operations: 50, own: own, of: rooms, shortage: nil)
    #expect(room.take(1, of: lanes[0]) == nil && room.take(1, of: lanes[1]) == nil)
    #expect(room.take(1, of: lanes[0]) == nil)
    #expect(room.take(1, of: lanes[1]) == .afterAnswer)
    #expect(room.take(1, of: lanes[0]) == .afterAnswer)
  }

  @Test func `a probe does not wait for what is sent again later`() throws {
    let file = try workflow(
      """
      graphflow: 1
      defaults: {retry: {initial_delay: 300s, max_delay: 300s, jitter: none, max_elapsed: 2h}}
      inputs:
        days: {type: list, default: []}
      requests:
        insights: {for_each: "{input=days}", get: "act_1/insights", params: {day: "{item=$}"}}
      """)
    let days = (0..<1000).map(String.init).joined(separator: ",")
    var run = try Simulation(file, inputs: [("days", "[\(days)]")])
    run.server = { call, now in
      guard now > .seconds(5) else {
        return .failed(TransportFailure(kind: .connectionLost, message: "down"))
      }
      let items = call.operations.map { _ in OperationAnswer.ok(["data": []]) }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 1, bytesReceived: 1))
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    let probes = run.calls.filter { $0.operations.first?.path == "me/permissions" }
    #expect(probes.contains { $0.at < .seconds(20) })
    // The rest follows at once; only what has failed waits for its retry.
    #expect(
      run.calls.contains {
        $0.operations.count == 50 && $0.at > .seconds(5) && $0.at < .seconds(30)
      })
  }

  @Test func `operations of one use case do not fill the limit of another`() throws {
    let token = try #require(AccessToken("token"))
    let lane = Lane(token: token, subject: .adAccount("5"))
    var pacer = Pacer(budget: RunBudget(), url: .standard, appSecret: nil)
    pacer.register([lane], at: Simulation.startedAt) { 0 }
    for number in 1...8 {
      let isFirst = number == 1
      let path = isFirst ? "act_5/campaigns" : "act_5/insights"
      let operations = Array(
        repeating: BatchOperation(method: .get, path: path), count: isFirst ? 1 : 50)
      let batch = try #require(
        BatchRequest(operations: operations, accessToken: token, version: .current))
      let usage = HeaderField(
        "X-Business-Use-Case-Usage",
        #"{"5":[{"type":"\#(isFirst ? "ads_management" : "ads_insights")","call_count":0}]}"#)
      let item = OperationAnswer.response(
        OperationResponse(
          code: 200, headers: [usage].compactMap(\.self), body: ResponseBody(Array("{}".utf8))))
      let facts = CallFacts(status: 200, bytesSent: 1, bytesReceived: 1)
      pacer.startCall(
        number, .batch(batch), isProbe: false, isRetry: false, at: Simulation.startedAt)
      pacer.finishCall(
        number,
        AnsweredCall(
          .answered(.items(Array(repeating: item, count: operations.count)), facts), rules: []),
        at: Simulation.startedAt
      ) { 0 }
    }

    let allowance = pacer.allowance(for: [lane], isSmall: true, at: Simulation.startedAt)
    #expect(allowance.isLarge, "\(allowance)")
  }

  @Test(arguments: [
    (100, "spend,reach", #"{"spend":"1"}"#, RequestStatus.failed),
    (100, "spend, reach", #"{"spend":"1","reach":"0"}"#, .succeeded),
    (100, "spend", #"{"spend":"1"}"#, .succeeded), (99, "reach", #"{"spend":"1"}"#, .succeeded),
  ])
  func `rows without the reach that was asked for are a failure`(
    _ percent: Int, _ fields: String, _ row: String, _ expected: RequestStatus
  ) throws {
    var run = try Simulation(
      workflow(requests: [#"a: {get: act_1/insights, params: {fields: "\#(fields)"}}"#]))
    run.server = { call, _ in
      let header = HeaderField(
        "X-FB-Ads-Insights-Reach-Throttle", #"{"app_id_util_pct":0,"acc_id_util_pct":\#(percent)}"#)
      let items = call.operations.map { _ in
        OperationAnswer.response(
          OperationResponse(
            code: 200, headers: [header].compactMap(\.self),
            body: ResponseBody(Array(#"{"data":[\#(row)]}"#.utf8))))
      }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 1, bytesReceived: 1))
    }

    let end = try run.run()

    #expect(run.statuses["a"] == expected && run.calls.count == 1)
    #expect(end?.exitCode == (expected == .failed ? 75 : 0))
  }

  @Test func `a token that pauses holds back only its own part of a batch`() throws {
    var run = try Simulation(
      workflow(requests: [
        "a: {get: a, retry: {max_elapsed: 2h}}", "b: {get: b, token: other}",
        "c: {get: c, depends_on: [a, b], token: other}",
        "d: {get: d, depends_on: [b], token: other}",
        "e: {get: e, depends_on: [b]}",
      ]))
    var times: [String: Duration] = [:]
    run.server = { call, now in
      let items = call.operations.map { operation -> OperationAnswer in
        times[operation.path] = now
        let isOther = operation.accessToken != nil || call.token.exposed == "token-of-other"
        guard !isOther, now < .seconds(600) else { return .ok(["id": "1"]) }
        return .response(
          OperationResponse(
            code: 400, headers: [HeaderField("Retry-After", "600")].compactMap(\.self),
            body: ResponseBody(Array(#"{"error":{"message":"limit","code":17}}"#.utf8))))
      }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 1, bytesReceived: 1))
    }

    let end = try run.run()

    #expect(end?.status == .succeeded)
    #expect(try #require(times["d"]) < .seconds(10))
    #expect(try #require(times["e"]) >= .seconds(600))
    #expect(try #require(times["c"]) >= .seconds(600))
  }
}

extension Call {
  fileprivate var token: AccessToken {
    switch content {
    case .batch(let batch): batch.accessToken
    case .single(let single): single.accessToken
    }
  }
}

extension Allowance {
  fileprivate var isLarge: Bool {
    if case .operations(50...) = self { true } else { false }
  }
}
