import GraphAPI
import JSONPath

@testable import GraphFlow

extension SampleRuns {
  /// The runs of the golden report files, by name.
  static let cases: [(name: String, events: [RunEvent])] = [
    ("succeeded", succeeded), ("failed", failed), ("in-doubt", inDoubt),
    ("killed", Array(inDoubt.prefix(4))), ("resumed", resumed), ("hostile", hostile),
    ("empty", []),
  ]

  /// The run that `docs/reference/report.md` shows.
  static let succeeded: [RunEvent] = [
    start(
      [
        RequestFacts(name: "status-post", method: .post, path: "me/feed", line: 12, dependsOn: []),
        RequestFacts(
          name: "read-back", method: .get, path: "{result=status-post:$.id}", line: 17,
          dependsOn: ["status-post"]),
      ], inputs: ["message": "Hello"]),
    call(1, [], kind: .auth, at: 10),
    answered(1, took: 90),
    .permissionsRead([
      PermissionReading(token: "default", permission: "pages_manage_posts", status: "granted")
    ]),
    call(2, [(0, 1), (1, 1)]),
    answered(2, usage: ["app": ["call_count": 3, "total_time": 1, "total_cputime": 0]]),
    attempt(0, call: 2),
    attempt(1, call: 2),
    ended(0, body: #"{"id":"1_2"}"#, path: "me/feed"),
    ended(
      1, body: #"{"message":"Hello","id":"1_2"}"#,
      expectations: [
        ExpectationResult(
          check: "$.message == {input=message}", passed: true, message: nil, actual: "Hello")
      ], path: "1_2"),
    end(.succeeded, 0, outputs: ["post_id": "1_2"]),
  ]

  static let throttled = Failure(
    error: GraphError(
      message: "(#4) Application request limit reached", type: "OAuthException", code: 4,
      isTransient: true, fbtraceID: "AbC123"), category: .transient, reason: .throttled,
    hint: "Wait; the limit is lifted within the hour.")

  static let unknownAlias = Failure(
    error: GraphError(
      message: "(#803) Some of the aliases you requested do not exist: nope",
      type: "OAuthException", code: 803, userTitle: "Not found", fbtraceID: "AbC124"),
    category: .other, reason: .notFound, hint: "Check the id or the alias in the path.")

  static let failed: [RunEvent] = [
    start([
      RequestFacts(name: "alias", method: .get, path: "nope", line: 4, dependsOn: []),
      RequestFacts(
        name: "latest", method: .get, path: "{result=alias:$.id}/feed", line: 6,
        dependsOn: ["alias"]),
      RequestFacts(name: "page", method: .get, path: "cocacola", line: 9, dependsOn: []),
      RequestFacts(name: "insights", method: .get, path: "me/insights", line: 14, dependsOn: []),
      RequestFacts(name: "greeting", method: .post, path: "me/feed", line: 18, dependsOn: []),
    ]),
    .permissionsRead([
      PermissionReading(token: "default", permission: "read_insights", status: "declined"),
      PermissionReading(token: "default", permission: "pages_manage_posts", status: "granted"),
    ]),
    ended(3, .skipped, code: nil, skipped: .permission, because: "read_insights"),
    ended(4, .skipped, code: nil, skipped: .condition, countsAsSuccess: true),
    call(1, [(0, 1), (2, 1)]),
    answered(1, usage: ["app": ["call_count": 100]]),
    attempt(0, outcome: .failed, code: 404, failure: unknownAlias),
    attempt(2, outcome: .failed, code: 400, failure: throttled),
    ended(
      0, .failed, code: 404,
      body: #"{"error":{"message":"(#803) Some of the aliases you requested do not exist: nope","#
        + #""type":"OAuthException","code":803}}"#, failure: unknownAlias, path: "nope"),
    ended(1, .skipped, code: nil, skipped: .dependency, because: "alias"),
    call(2, [(2, 2)], kind: .single, round: 2, at: 2400),
    answered(2, took: 75),
    attempt(2, 2, call: 2, at: 2400, took: 75),
    ended(
      2, .failed, body: #"{"name":"Coca-Cola","fan_count":1.10e8}"#,
      failure: Failure(
        error: GraphError(message: "an expectation does not hold"), category: .other,
        reason: .expectation, hint: "Look at the body in the report."),
      expectations: [
        ExpectationResult(
          check: "$.name == 'Pepsi'", passed: false, message: "wrong page", actual: "Coca-Cola"),
        ExpectationResult(check: "status() == 200", passed: true, message: nil, actual: 200),
      ], path: "cocacola"),
    end(.failed, 1, after: 2480, lowerBound: 2, waited: 2020),
  ]

  static let inDoubt: [RunEvent] = [
    start([
      RequestFacts(name: "post", method: .post, path: "me/feed", line: 4, dependsOn: []),
      RequestFacts(name: "read", method: .get, path: "me", line: 7, dependsOn: []),
      RequestFacts(
        name: "like", method: .post, path: "1_2/likes", line: 9, dependsOn: [], isIdempotent: true),
      RequestFacts(name: "remove", method: .delete, path: "1_3", line: 12, dependsOn: ["post"]),
    ]),
    call(1, [(1, 1)], kind: .single),
    answered(1, took: 40),
    call(2, [(0, 1), (2, 1)]),
    attempt(1),
    ended(1, body: "{}", path: "me"),
    answered(2, status: nil, took: 60_000, failure: "no answer within 60 s"),
    attempt(0, call: 2, took: 60_000, outcome: .inDoubt, code: nil, failure: lost),
    attempt(2, call: 2, took: 60_000, outcome: .inDoubt, code: nil, failure: lost),
    ended(0, .inDoubt, code: nil, failure: lost, path: "me/feed"),
    ended(2, .cancelled, code: nil),
    ended(3, .skipped, code: nil, skipped: .dependency, because: "post"),
    end(.inDoubt, 3, after: 60_300, lowerBound: 1),
  ]

  private static let lost = Failure(
    error: GraphError(message: "no answer within 60 s", isFromGraph: false), category: .transient,
    reason: .timeout,
    hint: "Look whether it happened, then: graphflow resume --applied post=ID or --not-applied post"
  )

  /// The same run, killed in its second call, then resumed to the end.
  static let resumed: [RunEvent] =
    inDoubt.prefix(4) + [
      .runResumed(timestamp(90_000)),
      ended(1, body: "{}", path: "me"),
      call(3, [(0, 1)], kind: .confirm, at: 90_100),
      answered(3),
      ended(0, body: #"{"id":"1_9"}"#, path: "me/feed"),
      call(4, [(2, 1), (3, 1)], at: 90_500),
      answered(4),
      attempt(2, call: 4, at: 90_500),
      attempt(3, call: 4, at: 90_500),
      ended(2, body: "true", path: "1_2/likes"),
      ended(3, body: #"{"success":true}"#, path: "1_3"),
      end(.succeeded, 0, after: 91_000, lowerBound: 2),
    ]

  /// A run with names, messages and bodies of a hostile file or server.
  static let hostile: [RunEvent] = [
    start([
      RequestFacts(
        name: "::error file=x::\u{1b}[2J\u{202e}", method: .get, path: "a\nb", line: 1,
        dependsOn: ["\"\\"])
    ]),
    call(1, [(0, 1), (7, 1), (-1, .max)], kind: .single),
    answered(1, status: -1, took: -5),
    answered(9), attempt(5), ended(-1), ended(8),
    attempt(0, at: -begin - 5, took: .max, outcome: .failed, code: nil, failure: command),
    attempt(
      0, .max, at: 253_402_300_799_999, took: .max, outcome: .failed, code: nil, failure: command),
    ended(
      0, .failed, code: nil, body: "<html>\u{0}\u{7f}\u{85}", failure: command,
      expectations: [
        ExpectationResult(
          check: "##vso[task.setvariable]x", passed: false, message: "::stop-commands::x",
          actual: .string("\r\n::debug::" + String(repeating: "x", count: 300)))
      ], path: ""),
    end(.failed, 1, after: -begin, lowerBound: 0),
  ]

  private static let command = Failure(
    error: GraphError(
      message:
        "::set-output name=a::b\n::warning::c ##[group]d token EAAB0123456789abcdef0123456789",
      code: 1), category: .other, reason: .unknown, hint: "\u{2066}##teamcity[x]")
}
