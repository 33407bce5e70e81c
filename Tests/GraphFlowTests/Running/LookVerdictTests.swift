import JSONPath
import Testing

@testable import GraphFlow

/// What an answer proves of a write that may have happened.
struct LookVerdictTests {
  /// A feed, what is known, and what follows.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// The nodes of the feed; `T` stands for a `created_time` after the intent.
    let feed: String
    var result: String?
    var claimed: [String] = []
    let verdict: LookVerdict
    var testDescription: String { name }
  }

  static let intent = Timestamp(milliseconds: 1_763_629_200_000)
  private static let new = #""created_time": "2025-11-20T09:00:01+0000""#
  private static let old = #""created_time": "2025-11-20T08:57:59+0000""#
  private static let skewed = #""created_time": "2025-11-20T08:58:00+0000""#

  private static func found(_ id: String) -> LookVerdict {
    .found(
      FoundNode(
        body: ["id": .string(id), "message": "hi", "created_time": "2025-11-20T09:00:01+0000"],
        ids: [id]
      )
    )
  }

  static let cases = [
    Case(name: "an empty feed", feed: "[]", verdict: .nothing),
    Case(name: "one match", feed: #"[{"id": "1", "message": "hi", T}]"#, verdict: found("1")),
    Case(
      name: "one match among others",
      feed: #"[{"id": "9", "message": "yo", T}, {"id": "1", "message": "hi", T}]"#,
      verdict: found("1")
    ),
    Case(name: "only others", feed: #"[{"id": "9", "message": "yo", T}]"#, verdict: .nothing),
    Case(name: "an old match", feed: #"[{"id": "1", "message": "hi", OLD}]"#, verdict: .nothing),
    Case(
      name: "an old match and a new one",
      feed: #"[{"id": "1", "message": "hi", T}, {"id": "0", "message": "hi", OLD}]"#,
      verdict: found("1")
    ),
    Case(
      name: "two matches",
      feed: #"[{"id": "1", "message": "hi", T}, {"id": "2", "message": "hi", T}]"#,
      verdict: .unproved(.several(["1", "2"]))
    ),
    Case(
      name: "the same node twice",
      feed: #"[{"id": "1", "message": "hi", T}, {"id": "1", "message": "hi", T}]"#,
      verdict: found("1")
    ),
    Case(
      name: "a match that is another write's",
      feed: #"[{"id": "1", "message": "hi", T}]"#,
      claimed: ["1"],
      verdict: .nothing
    ),
    Case(
      name: "two matches, one of which is another write's",
      feed: #"[{"id": "2", "message": "hi", T}, {"id": "1", "message": "hi", T}]"#,
      claimed: ["2"],
      verdict: found("1")
    ),
    Case(
      name: "a match without a time",
      feed: #"[{"id": "1", "message": "hi"}]"#,
      verdict: .unproved(.undated)
    ),
    Case(
      name: "a match whose time is none",
      feed: #"[{"id": "1", "message": "hi", "created_time": "yesterday"}]"#,
      verdict: .unproved(.undated)
    ),
    Case(
      name: "another write's match without a time",
      feed: #"[{"id": "1", "message": "hi"}]"#,
      claimed: ["1"],
      verdict: .nothing
    ),
    Case(
      name: "a match without an id",
      feed: #"[{"message": "hi", T}]"#,
      verdict: .unproved(.unnamed)
    ),
    Case(name: "an old match without an id", feed: #"[{"message": "hi", OLD}]"#, verdict: .nothing),
    Case(
      name: "a result that is another node",
      feed: #"[{"id": "1", "message": "hi", T}, {"id": "9", "message": "link", T}]"#,
      result: "$.data[?@.message == 'link']",
      verdict: .found(
        FoundNode(
          body: ["id": "9", "message": "link", "created_time": "2025-11-20T09:00:01+0000"],
          ids: ["1", "9"]
        )
      )
    ),
    Case(
      name: "a result that is old",
      feed: #"[{"id": "1", "message": "hi", T}, {"id": "9", "message": "link", OLD}]"#,
      result: "$.data[?@.message == 'link']",
      verdict: .unproved(.noResult)
    ),
    Case(
      name: "several results",
      feed: #"[{"id": "1", "message": "hi", T}, {"id": "9", "message": "yo", T}]"#,
      result: "$.data[*]",
      verdict: .unproved(.noResult)
    ),
    Case(
      name: "a result without a match",
      feed: #"[{"id": "9", "message": "link", T}]"#,
      result: "$.data[?@.message == 'link']",
      verdict: .nothing
    ),
  ]

  private func reading(_ result: String? = nil, claimed: [String] = []) throws -> LookReading {
    let text = """
      graphflow: 1
      inputs: {message: {type: string, default: hi}}
      requests:
        w:
          post: me/feed
          confirm:
            get: me/feed
            params: {fields: "id,message,created_time"}
            when: "$.data[?@.message == {input=message}]"
            \(result.map { "result: \"\($0)\"" } ?? "within: 30s")

      """
    let confirmation = try #require(try workflow(text).requests[0].confirmation)
    var claims = ClaimedNodes()
    claims.claim(claimed, at: Self.intent)
    return LookReading(
      match: LookReading.Selection(query: confirmation.match.query, operands: [["hi"]]),
      result: confirmation.result.map { LookReading.Selection(query: $0.query, operands: []) },
      intent: Self.intent,
      claimed: claims
    )
  }

  @Test(arguments: cases)
  func `an answer proves this`(_ example: Case) throws {
    let feed = example.feed.replacing(" T}", with: " \(Self.new)}")
      .replacing("OLD", with: Self.old)

    let verdict = try reading(example.result, claimed: example.claimed)
      .verdict(on: JSON(parsing: #"{"data": \#(feed)}"#))

    #expect(verdict == example.verdict)
  }

  @Test func `an id that is a number keeps its digits`() throws {
    let feed = #"{"data": [{"id": 12345678901234567890, "message": "hi", \#(Self.new)}]}"#
    guard case .found(let node) = try reading().verdict(on: JSON(parsing: feed)) else {
      Issue.record("nothing was found")
      return
    }
    #expect(node.ids == ["12345678901234567890"])
    let answer = try JSON(parsing: #"{"id": 10150000000000000001, "post_id": "1_2"}"#)
    #expect(answer.madeIDs == ["10150000000000000001", "1_2"])
  }

  @Test func `clocks may differ by two minutes`() throws {
    let reading = try reading()
    let late = try JSON(parsing: #"{"data": [{"id": "1", "message": "hi", \#(Self.skewed)}]}"#)
    #expect(reading.verdict(on: late) != .nothing)
    let tooLate = try JSON(parsing: #"{"data": [{"id": "1", "message": "hi", \#(Self.old)}]}"#)
    #expect(reading.verdict(on: tooLate) == .nothing)
  }

  @Test(arguments: ["{}", "[]", #"{"data": {}}"#, #"{"data": null}"#, #"{"data": ["hi"]}"#])
  func `what holds no nodes is nothing`(_ body: String) throws {
    #expect(try reading().verdict(on: JSON(parsing: body)) == .nothing)
  }

  @Test func `a page reaches back if its newest nodes come first and its last is old`() throws {
    let reading = try reading()
    func page(_ times: String...) throws -> JSON {
      try JSON(parsing: "{\"data\": [\(times.map { "{\($0)}" }.joined(separator: ","))]}")
    }
    #expect(try reading.reachesBack(page(Self.new, Self.old)))
    #expect(try !reading.reachesBack(page(Self.old, Self.new)))
    #expect(try !reading.reachesBack(page(Self.new, Self.new)))
    #expect(try !reading.reachesBack(page(Self.new, Self.skewed)))
    #expect(try !reading.reachesBack(page(#""id": "1""#, Self.old)))
    #expect(try !reading.reachesBack(page()))
    #expect(!reading.reachesBack(["feed": []]))
  }
}
