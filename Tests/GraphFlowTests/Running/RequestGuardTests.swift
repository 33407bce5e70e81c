import GraphAPI
import JSONPath
import Testing

@testable import GraphFlow

/// A machine's guard: what it refuses, and that nobody gets around it.
struct RequestGuardTests {
  private func rule(
    _ methods: Set<OperationMethod> = [], _ path: String? = nil, host: String? = nil
  ) throws -> RequestGuard.Rule {
    RequestGuard.Rule(
      methods: methods, path: try path.map { try #require(GuardedPaths($0)) }, host: host,
      place: "config.yaml:2")
  }

  private func operation(
    _ method: OperationMethod, _ path: String, _ parameters: [(String, String)] = [],
    headers: [HeaderField] = []
  ) -> BatchOperation {
    BatchOperation(
      method: method, path: path,
      parameters: parameters.map { BatchOperation.Parameter(name: $0.0, value: $0.1) },
      headers: headers)
  }

  @Test(arguments: [
    ("me/feed", "me/feed", true), ("*/feed", "me/feed", true), ("*/feed", "feed", false),
    ("*/feed", "1/2/feed", false), ("**/feed", "1/2/feed", true), ("**/feed", "feed", true),
    ("123/**", "123", true), ("123/**", "123/feed/x", true), ("123/**", "1234", false),
    ("123_*", "123_4", true), ("123_*", "123", false), ("**", "", true),
    ("act_*/ads", "act_1/ads", true),
    ("*a*b", "xaxxb", true), ("*a*b", "xbxa", false),
  ])
  func `a pattern matches whole paths`(_ pattern: String, _ path: String, _ isMatch: Bool) throws {
    let rules = RequestGuard(deny: [try rule([], pattern)])

    #expect((rules.refusal(of: operation(.get, path)) != nil) == isMatch)
  }

  @Test(arguments: ["", "a//b", "v25.0/me", "a?b=1", "a/../b", "a b", "{x}"])
  func `a pattern that no path could match is refused`(_ text: String) {
    #expect(GuardedPaths(text) == nil)
  }

  /// Ways to reach the messages of a page that a rule denies.
  @Test(
    arguments: [
      ("1/conversations", []), ("/1/conversations", []), ("1//conversations/", []),
      ("v25.0/1/conversations", []), ("v1.0/V2.0/1/conversations", []), ("1/Conversations", []),
      ("1/%63onversations", []), ("1/%2563onversations", []), ("1%2Fconversations", []),
      ("2/../1/conversations", []), ("1/./conversations", []), ("1/conversations%20", []),
      ("1/conversations%3Fx", []), ("1;x/conversations", []), ("1/conversations%00", []),
      ("conversations?ids=1,2", []), ("conversations", [("ids", "2,1")]),
      ("conversations", [("ids", "[\"1\"]")]), ("conversations", [("ids[0]", "1")]),
      ("?id=1/conversations", []), ("", [("id", "1/conversations")]),
      ("", [("ids", "1/conversations")]),
      ("conversations", [("id", "1")]), ("1", [("fields", "name,conversations{messages}")]),
      ("me/accounts", [("fields", "conversations.limit(5)")]), ("1?fields=id%2Cconversations", []),
      ("1?%66ields=conversations", []), ("1/{result=a:$.x}", []), ("{result=a:$.x}", []),
      ("1", [("fields", "{result=a:$.x}")]), ("", [("ids", "{result=a:$.x}")]),
    ] as [(String, [(String, String)])])
  func `a denied edge cannot be read in another way`(
    _ path: String, _ parameters: [(String, String)]
  ) throws {
    let rules = RequestGuard(deny: [try rule([.get], "*/conversations")], file: "config.yaml")

    #expect(rules.refusal(of: operation(.get, path, parameters)) != nil)
    #expect(rules.refusal(of: operation(.post, path, parameters)) == nil)
  }

  @Test(
    arguments: [
      ("1/feed", []), ("1", [("fields", "id,name")]), ("feed", [("ids", "1,2")]),
      ("", [("ids", "1,2")]), ("1/feed", [("message", "conversations")]), ("1/feed?since=2", []),
      ("conversations/1", []),
    ] as [(String, [(String, String)])])
  func `other requests pass`(_ path: String, _ parameters: [(String, String)]) throws {
    let rules = RequestGuard(deny: [try rule([], "*/conversations")])

    #expect(rules.refusal(of: operation(.get, path, parameters)) == nil)
  }

  @Test(
    arguments: [
      ("1/feed", [], true), ("1/feed/", [], true), ("v25.0/1/feed", [], true),
      ("2/feed", [], false),
      ("1/Feed", [], false), ("feed", [("ids", "1")], true), ("feed", [("ids", "1,2")], false),
      ("1/feed", [("ids", "2")], false), ("feed", [("id", "1")], false),
      ("1/feed/../../2", [], false),
      ("{result=a:$.id}", [], false), ("1/feed", [("fields", "x")], true),
    ] as [(String, [(String, String)], Bool)])
  func `all that a request leads to must be allowed`(
    _ path: String, _ parameters: [(String, String)], _ passes: Bool
  ) throws {
    let rules = RequestGuard(allow: [try rule([.get], "1/feed")])

    #expect((rules.refusal(of: operation(.get, path, parameters)) == nil) == passes)
    #expect(rules.refusal(of: operation(.post, path, parameters)) != nil)
  }

  @Test func `a request that names another method is refused`() throws {
    let rules = RequestGuard(deny: [try rule([.delete])])
    let header = try #require(HeaderField("X-HTTP-Method", "DELETE"))

    #expect(rules.refusal(of: operation(.post, "1")) == nil)
    #expect(rules.refusal(of: operation(.delete, "1")) != nil)
    #expect(rules.refusal(of: operation(.post, "1?method=delete")) != nil)
    #expect(rules.refusal(of: operation(.post, "1?%6Dethod=delete")) != nil)
    #expect(rules.refusal(of: operation(.post, "1", [("method", "delete")])) != nil)
    #expect(rules.refusal(of: operation(.post, "1", headers: [header])) != nil)
    #expect(RequestGuard().refusal(of: operation(.post, "1?method=delete")) == nil)
  }

  @Test func `deny wins, and a host that is not meant has no rule`() throws {
    let rules = RequestGuard(
      allow: [try rule(), try rule([.post], "x", host: "localhost")],
      deny: [try rule([.delete], host: "graph.facebook.com")])
    let local = try #require(GraphURL("http://localhost:8080"))

    #expect(rules.at(.standard).refusal(of: operation(.delete, "1")) != nil)
    #expect(rules.at(.standard).refusal(of: operation(.get, "1")) == nil)
    #expect(rules.at(local).refusal(of: operation(.delete, "1")) == nil)
    #expect(RequestGuard(allow: []).refusal(of: operation(.get, "1")) != nil)
  }

  @Test(arguments: [
    ("a: {delete: \"{input=x}\"}", true), ("a: {post: me/feed}", true),
    ("a: {post: 1/feed}", false),
    ("a: {post: \"{input=x}/feed\"}", false), ("a: {get: \"?ids=2\"}", false),
    ("a: {get: 2/secret}", true), ("a: {get: secret, params: {ids: [1, 2]}}", true),
    (
      "a: {post: 1/feed, confirm: {get: 1/secret, params: {fields: id}, when: \"$.data[?@.id]\"}}",
      true
    ),
  ])
  func `what is refused with any values is found before the run`(
    _ request: String, _ isRefused: Bool
  ) throws {
    let rules = RequestGuard(
      allow: [try rule([.get]), try rule([.post], "1/*")], deny: [try rule([.get], "*/secret")])
    let workflow = try workflow("graphflow: 1\ninputs: {x: string}\nrequests:\n  \(request)\n")

    #expect(rules.refusals(of: workflow).map(\.request.displayName) == (isRefused ? ["a"] : []))
  }

  // MARK: - In a run

  private let pair = ["a: {post: me/feed, idempotent: true}", "b: {delete: \"{result=a:$.id}\"}"]

  @Test func `a reference in a path is filled in here if a rule reads the path`() throws {
    var free = try Simulation(
      try workflow(requests: pair).under(RequestGuard(deny: [try rule([.get], "x")])))
    _ = try free.run()
    var run = try Simulation(
      try workflow(requests: pair).under(RequestGuard(deny: [try rule([.delete], "*/x")])))
    _ = try run.run()

    #expect(free.calls.count == 1)
    #expect(run.calls.count == 2)
    #expect(run.calls.last?.operations.first?.path.contains("{result=") == false)
    #expect(run.outcomes.values.allSatisfy { $0.status == .succeeded })
    let plan = Plan(for: run.workflow)
    #expect(plan.callCount == 2)
    #expect(plan.text().contains("the machine's guard reads where it leads"))
  }

  @Test func `a refused request fails by itself and leaves no intent`() throws {
    let rules = RequestGuard(
      allow: [try rule([.post]), try rule([.delete], "1")], file: "config.yaml")
    var run = try Simulation(try workflow(requests: pair).under(rules))
    _ = try run.run()

    #expect(run.outcomes["a"]?.status == .succeeded)
    let failure = try #require(run.outcomes["b"]?.failure)
    #expect(failure.reason == .notAllowed)
    #expect(failure.error.message.contains("no rule of 'allow' matches DELETE "))
    #expect(failure.error.message.contains("(config.yaml)"))
    #expect(run.calls.flatMap(\.operations).map(\.method) == [.post])
    let attempts = run.events.filter {
      if case .callStarted(let call) = $0 {
        call.operations.contains { $0.request == 1 }
      } else {
        false
      }
    }
    #expect(attempts.isEmpty)
  }
}
