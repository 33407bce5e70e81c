import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// A recoverable error leads to one recovery for everything that is sent with its token.
struct RecoveryTests {
  private static let three = ["a: {post: a}", "b: {get: b}", "c: {get: c, depends_on: [a]}"]

  static let errors: [(code: Int, subcode: Int?, rule: String)] = [
    (190, nil, ""), (190, 463, ""), (190, 467, ""), (102, nil, ""), (450, nil, ""),
    (4711, nil, "errors: [{code: 4711, category: recoverable, reason: token}]\n"),
    (4711, nil, "errors: [{code: 4711, category: recoverable}]\n"),
  ]

  @Test(arguments: errors)
  func `a refused token is obtained again, and all requests continue`(
    _ code: Int, _ subcode: Int?, _ rule: String
  ) throws {
    let requests = Self.three.map { "  \($0)\n" }.joined()
    var run = try Simulation(workflow("graphflow: 1\n\(rule)requests:\n\(requests)"))
    run.giving(["default": ["old", "new"]])
    run.refusing(["old"], with: GraphError(message: "no", code: code, subcode: subcode))

    let end = try run.run()

    #expect(end?.exitCode == 0)
    #expect(run.graph.ledger.sorted() == ["GET b", "GET c", "POST a"])
    #expect(run.readings.map(\.outcome) == [.renewed])
    #expect(run.readings.first?.failure.error.code == code)
    #expect(run.calls.count == 2)
  }

  @Test(arguments: [true, false])
  func `recovery can be switched off`(_ isOption: Bool) throws {
    let requests = Self.three.map { "  \($0)\n" }.joined()
    var run = try Simulation(
      workflow("graphflow: 1\n\(isOption ? "" : "recovery: false\n")requests:\n\(requests)"),
      options: RunOptions(recovers: !isOption))
    run.giving(["default": ["old", "new"]])
    run.refusing(["old"])

    let end = try run.run()

    #expect(end?.exitCode == 77)
    #expect(run.graph.ledger.isEmpty && run.readings.isEmpty)
    #expect(run.calls.count == 1)
  }

  @Test func `a source that repeats a refused token has a dead one, and others continue`() throws {
    var run = try Simulation(
      workflow(
        requests: Self.three + [
          "d: {get: d, token: other, expect: [\"status() == 200\"]}",
          "e: {get: e, depends_on: [d]}",
        ]))
    run.refusing(["token-of-default"])

    let end = try run.run()

    #expect(run.graph.ledger == ["GET d"])
    // A request that was refused along with others was refused for its own token, too.
    #expect(
      run.statuses == ["a": .failed, "b": .failed, "c": .failed, "d": .succeeded, "e": .failed])
    #expect(end?.exitCode == 77)
    #expect(run.readings.map(\.outcome) == [.unchanged])
    let hint = run.outcomes["e"]?.failure?.hint ?? ""
    #expect(hint.contains("the profile 'default' gives the same token again"))
    // Later requests are not sent at all.
    #expect(!run.sent.contains("GET e"))
  }

  static let lastTokens: [(tokens: [String?], outcomes: [TokenReading.Outcome], calls: Int)] = [
    (["old", "older"], [.renewed], 2), (["old", nil], [.unavailable], 1),
    (["old", "old"], [.unchanged], 1),
  ]

  @Test(arguments: lastTokens)
  func `the source is read again at most once`(
    _ tokens: [String?], _ outcomes: [TokenReading.Outcome], _ calls: Int
  ) throws {
    var run = try Simulation(workflow(requests: Self.three))
    run.giving(["default": tokens])
    run.refusing(["old", "older"])

    let end = try run.run()

    #expect(end?.exitCode == 77)
    #expect(run.graph.ledger.isEmpty)
    #expect(run.readings.map(\.outcome) == outcomes)
    #expect(run.calls.count == calls)
    #expect(run.reason("a") == "token")
  }

  @Test func `calls that were under way together share one recovery`() throws {
    var run = try Simulation(
      workflow(requests: (1...8).map { "r\($0): {post: \"p\($0)\"}" }),
      options: RunOptions(limits: BatchLimits(width: 2), concurrency: 4))
    run.giving(["default": ["old", "new"]])
    run.refusing(["old"])

    let end = try run.run()

    #expect(end?.exitCode == 0)
    #expect(run.readings.count == 1)
    #expect(run.graph.ledger.sorted() == (1...8).map { "POST p\($0)" })
  }

  @Test func `two profiles with one token have one recovery each, and it is dead for both`() throws
  {
    var run = try Simulation(workflow(requests: ["a: {get: a}", "b: {get: b, token: other}"]))
    run.giving(["default": ["same"], "other": ["same"]])
    run.refusing(["same"])

    let end = try run.run()

    #expect(end?.exitCode == 77)
    #expect(run.calls.count == 1)
    #expect(run.readings.map(\.profile) == ["default", "other"])
  }

  @Test func `requests that share a batch with a refused token are sent once`() throws {
    var run = try Simulation(
      workflow(requests: ["a: {get: a}", "b: {post: b, token: other}", "c: {get: c, token: third}"])
    )
    run.refusing(["token-of-default", "token-of-third"])

    let end = try run.run()

    #expect(run.graph.ledger == ["POST b"])
    #expect(run.statuses == ["a": .failed, "b": .succeeded, "c": .failed])
    #expect(run.attempts.filter { $0.hasPrefix("b") } == ["b 1 succeeded"])
    #expect(end?.exitCode == 77)
  }

  @Test func `a token without a source is dead at once, with its requests only`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {key: secret}
        requests:
          a: {get: a, token: "{input=key}"}
          b: {get: b, expect: ["status() == 200"]}
          c: {get: c, token: "{input=key}", depends_on: [b]}

        """), inputs: [("key", "from-outside")])
    run.refusing(["from-outside"])

    let end = try run.run()

    #expect(run.statuses == ["a": .failed, "b": .succeeded, "c": .failed])
    #expect(run.reason("c") == "token")
    #expect(run.outcomes["c"]?.failure?.hint.contains("cannot be obtained again") == true)
    #expect(!run.sent.contains("GET c"))
    #expect(run.readings.isEmpty)
    #expect(end?.exitCode == 77)
  }

  @Test func `the tokens of items are refused and recovered independently`() throws {
    var run = try Simulation(
      workflow(
        """
        graphflow: 1
        inputs: {pages: list}
        requests:
          each:
            for_each: "{input=pages}"
            key: "{item=$.id}"
            post: "{item=$.id}/feed"
            token: "{item=$.token}"

        """),
      inputs: [
        ("pages", #"[{"id":"1","token":"one"},{"id":"2","token":"two"},{"id":"3","token":"one"}]"#)
      ])
    run.refusing(["one"])

    let end = try run.run()

    #expect(run.statuses == ["each[1]": .failed, "each[2]": .succeeded, "each[3]": .failed])
    #expect(run.graph.ledger == ["POST 2/feed"])
    #expect(end?.exitCode == 77)
  }
}
