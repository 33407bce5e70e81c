import JSONPath
import Testing

@testable import GraphFlow

/// Why requests wait: the reasons in plans and explanations, and the edits that remove them.
struct PlanReasonTests {
  /// A request that cannot share the batch of its dependency, and the same request after an edit.
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: String
    let before: [String]
    let after: [String]
    var testDescription: String { rule }

    init(_ rule: String, _ before: String, after: String) {
      self.rule = rule
      self.before = ["a: {get: me/feed}", before]
      self.after = ["a: {get: me/feed}", after]
    }

    init(_ rule: String, other before: String, other after: String, _ request: String) {
      self.rule = rule
      self.before = [before, request]
      self.after = [after, request]
    }
  }

  private static let plain = "b: {get: \"{result=a:$.id}\"}"

  static let cases = [
    Case("filter", "b: {get: \"{result=a:$.data[?@.x].id}\"}", after: plain),
    Case("slice", "b: {get: \"?ids={result=a:$.data[0:2].id}\"}", after: plain),
    Case("descendants", "b: {get: \"?ids={result=a:$..id}\"}", after: plain),
    Case("negative_index", "b: {get: \"{result=a:$.data[-1].id}\"}", after: plain),
    Case("selectors", "b: {get: \"?ids={result=a:$.data[0,1].id}\"}", after: plain),
    Case("whole_body", "b: {get: me, params: {x: \"{result=a}\"}}", after: plain),
    Case("default", "b: {get: \"{result=a:$.id | 4}\"}", after: plain),
    Case(
      "inside_json", "b: {get: me, params: {x: [\"{result=a:$.id}\"]}}",
      after: "b: {get: me, params: {x: \"{result=a:$.id}\"}}"),
    Case(
      "post_parameter", other: "a: {post: me/feed, idempotent: false}",
      other: "a: {post: me/feed, idempotent: false}",
      "b: {post: x/feed, idempotent: false, params: {m: \"{result=a:$.name}\"}}"),
    Case(
      "write_path", "b: {delete: \"{result=a:$.id}/likes\"}",
      after: "b: {delete: \"{result=a:$.id}\"}"),
    Case("when", "b: {get: me, when: \"{result=a:$.id} == '4'\"}", after: plain),
    Case("header", "b: {get: me, headers: {If-None-Match: \"{result=a:$.etag}\"}}", after: plain),
    Case("token", "b: {get: me, token: \"{result=a:$.access_token}\"}", after: plain),
    Case("alone", "b: {get: \"{result=a:$.id}\", batch: alone}", after: plain),
    Case(
      "on_dependency_failure", "b: {get: me, depends_on: [a], on_dependency_failure: run}",
      after: "b: {get: me, depends_on: [a]}"),
    Case("expect", other: "a: {get: me, expect: [\"$.id\"]}", other: "a: {get: me}", plain),
    Case("paginate", other: "a: {get: me/feed, paginate: true}", other: "a: {get: me/feed}", plain),
    Case("until", other: "a: {get: me, until: {check: \"$.id\"}}", other: "a: {get: me}", plain),
    Case("alone", other: "a: {get: me, batch: alone}", other: "a: {get: me}", plain),
    Case("group", other: "a: {get: me, for_each: [1]}", other: "a: {get: me}", plain),
    Case("source", "b: {get: \"{item}\", for_each: \"{result=a:$.data[*].id}\"}", after: plain),
  ]

  private func explanation(of requests: [String]) throws -> Explanation {
    let workflow = try workflow(requests: requests)
    return Explanation(of: 1, in: Plan(for: workflow, items: [.known(["1"])]))
  }

  @Test(arguments: cases)
  func `an explanation lists the obstacle that the planner found`(_ example: Case) throws {
    let explanation = try explanation(of: example.before)
    let json = explanation.json

    let rules = json["waits_for"]?[0]?["reasons"]?[0]?["obstacles"]?.array ?? []
    #expect(rules.map { $0["rule"]?.string } == [example.rule])
    #expect(json["waits_for"]?[0]?["kind"] == "hard")
    #expect(json["rounds"] == [[2, 2]])
    #expect(explanation.text.contains("hard: its answer must arrive first"))
    let graph = DependencyGraph(of: explanation.plan.workflow)
    #expect(graph.predecessors(of: 1).map(\.kind) == [.hard])
  }

  @Test(arguments: cases.filter { $0.before != $0.after })
  func `without the obstacle both are sent in one call`(_ example: Case) throws {
    let json = try explanation(of: example.after).json

    #expect(json["waits_for"]?[0]?["kind"]?.string != "hard")
    #expect(json["calls"] == [[1, 1]])
    #expect(json["earlier"] == ["nothing has to change: it is sent in the first round"])
  }

  @Test(arguments: cases)
  func `the plan shows for each call which requests wait for its answer`(_ example: Case) throws {
    let plan = Plan(for: try workflow(requests: example.before), items: [.known(["1"])])

    let reason = plan.json["batches"]?[0]?["ends_because"]?.string ?? ""
    if case .alone = plan.calls[0].closeReason {
      #expect(reason == "travels alone")
    } else {
      #expect(reason.hasPrefix("'b' waits for the answer of 'a' ("), "\(reason)")
    }
  }

  @Test func `a request with several obstacles shows all of them`() throws {
    let text = try explanation(of: [
      "a: {get: me, expect: [\"$.id\"]}", "b: {get: \"?ids={result=a:$..id | 4}\", batch: alone}",
    ]).text

    #expect(text.contains("'a': all of: remove `expect` from 'a'"))
    #expect(text.contains("; remove the default; "))
    #expect(text.contains("use names, indices from 0 and [*] instead of descendants"))
  }

  @Test func `a second order in one batch is a reason of its own`() throws {
    let plan = Plan(
      for: try workflow(requests: [
        "a: {get: me}", "b: {get: me}", "c: {get: me, depends_on: [a, b]}",
      ]))

    #expect(plan.text().contains("'c' waits for the answer of 'a' (Graph accepts one `depends_on`"))
  }

  @Test(arguments: [
    ("a: {get: me}", "never: it writes nothing"),
    ("a: {post: me/feed, idempotent: true}", "never: it may be repeated"),
    ("a: {post: me/feed, idempotent: false}", "--applied a=ID"),
    (
      "a: {post: me/feed, confirm: {get: me/feed, params: {fields: \"message,created_time\"}, "
        + "when: \"$.data[?@.message == 'x']\"}}", "`confirm` sends GET me/feed"
    ),
    ("a: {get: me, on_error: stop}", "nothing else is started; exit code 1"),
    (
      "a: {get: me, always: true, on_error: stop}",
      "nothing else is started but what cleans up (`always`); exit code 1"
    ),
    ("a: {get: me, always: true}", "not because of a failure, a signal or the deadline"),
    ("a: {get: me, on_error: ignore}", "exit code 0"),
    ("a: {get: me, permissions: [email]}", "a permission is missing: exit code 77"),
    ("a: {get: me, when: \"1 == 1\"}", "`when` (1 == 1) is false: a success, exit code 0"),
  ])
  func `every outcome shows its consequence`(_ request: String, _ phrase: String) throws {
    let plan = Plan(
      for: try workflow(requests: [
        request, "b: {get: \"{result=a:$.id}\"}", "c: {get: \"{result=b:$.id}\"}",
        "d: {get: me, depends_on: [a], on_dependency_failure: run}",
      ]))
    let text = Explanation(of: 0, in: plan).text

    #expect(text.contains(phrase), "\(text)")
    #expect(text.contains("can start then: 'b', 'd'"))
    #expect(text.contains("skipped, directly or not: 'b', 'c'"))
    #expect(text.contains("still run, unless they need its body: 'd'"))
  }
}
