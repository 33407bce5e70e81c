import JSONPath
import Testing

@testable import GraphSandbox

/// The answers and effects of faults.
struct FaultAnswerTests {
  private static let post: JSON = [
    "method": "POST", "relative_url": "me/feed", "body": "message=Hello", "name": "post",
  ]
  private static let read: JSON = ["relative_url": "me?fields=id"]

  private static func sandbox(
    _ effect: FaultRule.Effect, _ condition: FaultCondition = FaultCondition(occasion: .nth(1))
  ) throws -> InProcessSandbox {
    var sandbox = try InProcessSandbox()
    sandbox.world.faults.injector = FaultInjector(
      FaultPlan([FaultRule(effect, when: condition)]), seed: 1)
    return sandbox
  }

  private static func postCount(_ sandbox: InProcessSandbox) throws -> Int {
    var sandbox = sandbox
    let feed = sandbox.send("GET", "me/feed", [("fields", "message"), ("limit", "100")])
    return try #require(feed.json["data"]?.array).count { $0["message"] == "Hello" }
  }

  private static let onPost = FaultCondition(method: .post)

  @Test(arguments: [FaultExecution.applied, .notApplied])
  func `an error replaces the answer, and the write is applied or not`(
    _ execution: FaultExecution
  ) throws {
    let error = InjectedError(code: 2, subcode: 7, userTitle: "Sorry", status: 503)
    var sandbox = try Self.sandbox(.operation(.error(error, execution)), Self.onPost)
    let items = try sandbox.batch([Self.post, Self.read])
    #expect(items[0].code == 503)
    #expect(items[0].error?["code"] == 2 && items[0].error?["error_subcode"] == 7)
    #expect(items[0].error?["is_transient"] == true)
    #expect(items[0].error?["error_user_title"] == "Sorry")
    #expect(items[1].code == 200)
    let operations = try #require(sandbox.log.last).operations
    #expect(operations.map(\.isApplied) == [execution == .applied, true])
    #expect(operations.map(\.fault) == ["error 2/7", nil])
    #expect(try Self.postCount(sandbox) == (execution == .applied ? 1 : 0))
  }

  @Test(arguments: [FaultExecution.applied, .notApplied], [Sandbox.AbortedForm.null, .error960])
  func `an unfinished item is null or 960, and its dependents are not run`(
    _ execution: FaultExecution, _ form: Sandbox.AbortedForm
  ) throws {
    let fault = OperationFault.unfinished(form, execution)
    var sandbox = try Self.sandbox(.operation(fault), Self.onPost)
    let items = try sandbox.batch([
      Self.post, ["relative_url": "{result=post:$.id}"], Self.read,
    ])
    #expect(items[0].isNull == (form == .null))
    #expect(items[0].error?["code"] == (form == .null ? nil : 960))
    #expect(items[1].isNull && items[2].code == 200)
    #expect(try Self.postCount(sandbox) == (execution == .applied ? 1 : 0))
  }

  @Test func `alone, an unfinished operation is an error 960 with status 400`() throws {
    var sandbox = try Self.sandbox(.operation(.unfinished(.null, .notApplied)))
    let answer = sandbox.send("GET", "me")
    #expect(answer.status == 400 && answer.error?["code"] == 960)
  }

  @Test func `a throttled answer has the time until access is regained`() throws {
    let fault = OperationFault.throttled(code: 32, regain: .seconds(90))
    var sandbox = try Self.sandbox(.operation(fault))
    let items = try sandbox.batch([Self.post])
    #expect(items[0].error?["code"] == 32)
    let usage = try #require(items[0].header("X-Business-Use-Case-Usage"))
    let entry = try JSON(parsing: usage)[sandbox.application]?.array?.first
    #expect(
      entry?["estimated_time_to_regain_access"] == .number(try #require(.init(lexeme: "1.5"))))
    #expect(try Self.postCount(sandbox) == 0)

    sandbox = try Self.sandbox(.call(.throttled(code: 4, regain: .seconds(300))))
    let answer = sandbox.sendBatch([Self.post])
    #expect(answer.status == 400 && answer.error?["code"] == 4)
    let header = try #require(answer[header: "X-Business-Use-Case-Usage"])
    #expect(header.contains("\"estimated_time_to_regain_access\":5,"))
  }

  @Test func `a throttled ad account is named by its usage`() throws {
    var sandbox = try InsightsSandbox().sandbox
    let fault = OperationFault.throttled(code: 80_004, regain: .seconds(3600))
    sandbox.world.faults.injector = FaultInjector(
      FaultPlan([FaultRule(.operation(fault), when: FaultCondition())]), seed: 1)
    let answer = sandbox.send("GET", "act_77/insights")
    #expect(answer.error?["code"] == 80_004)
    let usage = try JSON(parsing: #require(answer[header: "X-Business-Use-Case-Usage"]))
    #expect(usage["77"]?.array?.first?["type"] == "ads_insights")
    #expect(usage["77"]?.array?.first?["estimated_time_to_regain_access"] == 60)
  }

  @Test func `a lagging write is invisible to a number of reads`() throws {
    var sandbox = try Self.sandbox(.operation(.lag(reads: 2)), Self.onPost)
    let id = try #require(sandbox.send("POST", "me/feed", [("message", "Hello")]).json["id"])
    let path = try #require(id.string)
    #expect(sandbox.send("GET", path).error?["error_subcode"] == 33)
    #expect(!sandbox.send("GET", "me/feed").text.contains("Hello"))
    #expect(sandbox.send("GET", path).json["id"] == id)
    #expect(try Self.postCount(sandbox) == 1)
  }

  @Test(arguments: [
    (TokenState.removed, 458), (.passwordChanged, 460), (.expired, 463),
    (.revoked, 466), (.loggedOut, 467),
  ])
  func `a token is refused from a call on`(_ state: TokenState, _ code: Int) throws {
    let condition = FaultCondition(path: PathPattern("me/feed"))
    var sandbox = try Self.sandbox(.world(.token(state)), condition)
    #expect(sandbox.send("GET", "me").status == 200)
    for path in ["me/feed", "me"] {
      let answer = sandbox.send("GET", path)
      #expect(answer.error?["code"] == 190 && answer.error?["error_subcode"]?.integer == code)
    }
    let input = [("input_token", sandbox.token)]
    let facts = sandbox.send("GET", "debug_token", input, token: sandbox.pageToken).json["data"]
    #expect(facts?["is_valid"] == false && facts?["error"]?["subcode"]?.integer == code)
  }

  @Test func `a permission is declined from a call on`() throws {
    var sandbox = try Self.sandbox(.world(.declined(permission: "user_posts")))
    #expect(sandbox.send("GET", "me/feed").error?["code"] == 299)
    let list = sandbox.send("GET", "me/permissions").json["data"]?.array ?? []
    #expect(list.contains(["permission": "user_posts", "status": "declined"]))
  }

  @Test(arguments: [FaultExecution.applied, .notApplied])
  func `a call's answer is an error, a page, or missing`(_ execution: FaultExecution) throws {
    let faults: [(CallFault, Int, String)] = [
      (.error(InjectedError(code: 1), execution), 500, "{\"error\":{"),
      (.page(status: 502, execution), 502, "<html>"),
      (.dropped(execution), 503, ""),
    ]
    for (fault, status, beginning) in faults {
      var sandbox = try Self.sandbox(.call(fault))
      let answer = sandbox.sendBatch([Self.post, Self.read])
      #expect(answer.status == status && answer.text.hasPrefix(beginning))
      #expect(answer.delivery == (status == 503 ? .dropped(.applied) : nil))
      #expect(try Self.postCount(sandbox) == (execution == .applied ? 1 : 0))
      let call = try #require(sandbox.log.last)
      #expect(call.fault != nil && call.operations.count == 2)
      #expect(call.operations.map(\.isApplied) == Array(repeating: execution == .applied, count: 2))
    }
  }

  @Test func `the rest of a partial batch is unfinished`() throws {
    let fault = CallFault.partial(from: 1, .error960, .notApplied)
    var sandbox = try Self.sandbox(.call(fault))
    let items = try sandbox.batch([Self.read, Self.post, Self.read])
    #expect(items.map(\.code) == [200, 500, 500])
    #expect(try Self.postCount(sandbox) == 0)
  }

  @Test func `a truncated body is short, and other faults set the delivery`() throws {
    var sandbox = try Self.sandbox(.call(.truncated(to: 5)))
    #expect(sandbox.sendBatch([Self.read]).text == "[{\"co")
    let faults: [CallFault] = [
      .cut(after: 3), .wrongLength(by: -1), .delayed(.seconds(1)),
      .dripping(bytes: 2, pause: .seconds(1)), .padded(to: 9),
    ]
    for fault in faults {
      var sandbox = try Self.sandbox(.call(fault))
      let answer = sandbox.sendBatch([Self.read])
      #expect(answer.delivery == fault && answer.json.array?.count == 1)
    }
  }

  @Test func `without rules no answer changes`() throws {
    var plain = try InProcessSandbox()
    var planned = try InProcessSandbox()
    planned.world.faults.injector = FaultInjector(FaultPlan(), seed: 9)
    let batch: JSON = [Self.post, Self.read]
    #expect(plain.sendBatch(batch).body == planned.sendBatch(batch).body)
  }
}
