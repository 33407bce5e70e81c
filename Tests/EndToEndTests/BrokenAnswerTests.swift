import CommandHarness
import JSONPath
import Testing

/// Invalid answers: an outcome in the report, never a crash and never a guess.
struct BrokenAnswerTests {
  /// The answer to a batch of two.
  struct Answer: Sendable, CustomTestStringConvertible {
    let name: String
    var status = "200 OK"
    var headers: [String] = []
    var length: Int?
    var body: String
    var testDescription: String { name }
  }

  static let answers = [
    Answer(name: "cut short", length: 500, body: #"[{"code":200,"body":"{}"}"#),
    Answer(name: "not JSON", body: "<html>busy</html>"),
    Answer(name: "empty", body: ""),
    Answer(name: "of the wrong length", body: #"[{"code":200,"body":"{\"id\":\"1\"}"}]"#),
    Answer(name: "an object instead of a list", body: "{}"),
    Answer(name: "a page of a proxy", status: "502 Bad Gateway", body: "<html>"),
    Answer(
      name: "a redirect", status: "302 Found", headers: ["Location: http://127.0.0.1:1/elsewhere"],
      body: ""),
    Answer(
      name: "items with broken bodies",
      body: #"[{"code":200,"body":"{\"id\":\"100_9"},{"code":200,"body":"<html>busy</html>"}]"#),
    Answer(name: "items without bodies", body: #"[{"code":200},{"code":200,"body":""}]"#),
    Answer(
      name: "items with odd codes",
      body: #"[{"code":100,"body":"{}"},{"code":302,"body":"{\"id\":\"1\"}"}]"#),
    Answer(name: "deeper than anything", body: String(repeating: "[", count: 100_000)),
  ]

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  /// The answer to one operation alone.
  static let singleAnswers = [
    Answer(name: "cut", body: #"{"id":"100_9"#), Answer(name: "HTML", body: "<html>busy</html>"),
    Answer(name: "nothing", body: ""),
    Answer(
      name: "too deep",
      body: String(repeating: "[", count: 513)
        + String(repeating: "]", count: 513)),
    Answer(name: "HTML that is not found", status: "404 Not Found", body: "<html>"),
    Answer(name: "a redirect", status: "302 Found", body: #"{"id":"1"}"#),
  ]

  private func report(
    on answer: Answer, verb: String, packing: String = "auto"
  ) throws -> (outcome: Outcome, report: JSON) {
    let port = try ScriptedPort(
      status: answer.status, headers: answer.headers, length: answer.length, body: answer.body)
    let file = try graphflow.folder.write(
      """
      graphflow: 1
      defaults: {retry: false}
      requests:
        a:
          \(verb): me/feed
          batch: \(packing)
        b:
          \(verb): me/feed
          batch: \(packing)

      """, to: "two.yaml")
    return try graphflow.report(
      "run", file, "--graph-url", port.url, environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])
  }

  @Test(arguments: answers)
  func `reads fail`(_ answer: Answer) throws {
    let (outcome, report) = try report(on: answer, verb: "get")

    #expect(outcome.code == 1, "\(outcome.error)")
    #expect(try report.all("$.requests[*].status") == ["failed", "failed"])
    #expect(try report.all("$.requests[*].error.message").count == 2)
  }

  @Test(arguments: answers)
  func `writes are in doubt`(_ answer: Answer) throws {
    let (outcome, report) = try report(on: answer, verb: "post")

    #expect(outcome.code == 3, "\(outcome.error)")
    #expect(try report.all("$.requests[*].status") == ["in_doubt", "in_doubt"])
    #expect(try report.one("$.summary.calls") == 1)
  }

  @Test(arguments: singleAnswers)
  func `alone they are classified as in a batch`(_ answer: Answer) throws {
    let reads = try report(on: answer, verb: "get", packing: "alone")
    #expect(reads.outcome.code == 1, "\(reads.outcome.error)")
    #expect(try reads.report.all("$.requests[*].status") == ["failed", "failed"])
    #expect(try reads.report.all("$.requests[*].error.category") == ["transient", "transient"])

    let writes = try report(on: answer, verb: "post", packing: "alone")
    #expect(writes.outcome.code == 3, "\(writes.outcome.error)")
    #expect(try writes.report.all("$.requests[*].status") == ["in_doubt", "in_doubt"])
  }
}
