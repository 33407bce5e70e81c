import JSONPath
import Testing

@testable import GraphFlow

/// What the answer of a confirmation check proves about a write in doubt.
struct CheckVerdictTests {
  /// A feed, the evidence, and the expected verdict.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// The nodes of the feed; `T` stands for a `created_time` after the intent.
    let feed: String
    var result: String?
    var claimed: [String] = []
    let verdict: CheckVerdict
    var testDescription: String { name }
  }

  /// Nine o'clock by Graph's clock.
  static let sentAt = Timestamp(milliseconds: 1_763_629_200_000)
  /// The evidence of a baseline that was read at nine, with an uncertainty of five seconds.
  static func evidence(
    _ extent: Baseline.Extent?, ids: Set<String> = [], isTimed: Bool = true
  ) -> WriteEvidence {
    let time = ServerTime(
      earliest: sentAt.advanced(by: .seconds(-5)), latest: sentAt.advanced(by: .seconds(5)))
    let known = isTimed ? time : nil
    return WriteEvidence(
      sentAt: known,
      baseline: extent.map { Baseline(number: 1, ids: ids, readAt: known, extent: $0) })
  }

  private static let new = #""created_time": "2025-11-20T09:00:01+0000""#
  private static let old = #""created_time": "2025-11-20T08:59:54+0000""#
  private static let border = #""created_time": "2025-11-20T08:59:55+0000""#
  private static let after = #""created_time": "2025-11-20T09:00:06+0000""#

  private static func found(_ id: String) -> CheckVerdict {
    .found(
      FoundNode(
        body: ["id": .string(id), "message": "hi", "created_time": "2025-11-20T09:00:01+0000"],
        ids: [id]))
  }

  static let cases = [
    Case(name: "an empty feed", feed: "[]", verdict: .nothing),
    Case(name: "one match", feed: #"[{"id": "1", "message": "hi", T}]"#, verdict: found("1")),
    Case(
      name: "one match among others",
      feed: #"[{"id": "9", "message": "yo", T}, {"id": "1", "message": "hi", T}]"#,
      verdict: found("1")),
    Case(name: "only others", feed: #"[{"id": "9", "message": "yo", T}]"#, verdict: .nothing),
    Case(name: "an old match", feed: #"[{"id": "1", "message": "hi", OLD}]"#, verdict: .nothing),
    Case(
      name: "an old match and a new one",
      feed: #"[{"id": "1", "message": "hi", T}, {"id": "0", "message": "hi", OLD}]"#,
      verdict: found("1")),
    Case(
      name: "two matches",
      feed: #"[{"id": "1", "message": "hi", T}, {"id": "2", "message": "hi", T}]"#,
      verdict: .unproved(.several(["1", "2"]))),
    Case(
      name: "the same node twice",
      feed: #"[{"id": "1", "message": "hi", T}, {"id": "1", "message": "hi", T}]"#,
      verdict: found("1")),
    Case(
      name: "a match that is another write's", feed: #"[{"id": "1", "message": "hi", T}]"#,
      claimed: ["1"], verdict: .nothing),
    Case(
      name: "two matches, one of which is another write's",
      feed: #"[{"id": "2", "message": "hi", T}, {"id": "1", "message": "hi", T}]"#, claimed: ["2"],
      verdict: found("1")),
    Case(
      name: "another write's match without a time", feed: #"[{"id": "1", "message": "hi"}]"#,
      claimed: ["1"], verdict: .nothing),
    Case(
      name: "a match without an id", feed: #"[{"message": "hi", T}]"#, verdict: .unproved(.unnamed)),
    Case(name: "an old match without an id", feed: #"[{"message": "hi", OLD}]"#, verdict: .nothing),
    Case(
      name: "a result that is another node",
      feed: #"[{"id": "1", "message": "hi", T}, {"id": "9", "message": "link", T}]"#,
      result: "$.data[?@.message == 'link']",
      verdict: .found(
        FoundNode(
          body: ["id": "9", "message": "link", "created_time": "2025-11-20T09:00:01+0000"],
          ids: ["1", "9"]))),
    Case(
      name: "a result that is old",
      feed: #"[{"id": "1", "message": "hi", T}, {"id": "9", "message": "link", OLD}]"#,
      result: "$.data[?@.message == 'link']", verdict: .unproved(.noResult)),
    Case(
      name: "several results",
      feed: #"[{"id": "1", "message": "hi", T}, {"id": "9", "message": "yo", T}]"#,
      result: "$.data[*]", verdict: .unproved(.noResult)),
    Case(
      name: "a result without a match", feed: #"[{"id": "9", "message": "link", T}]"#,
      result: "$.data[?@.message == 'link']", verdict: .nothing),
  ]

  private func reading(
    _ result: String? = nil, claimed: [String] = [],
    after evidence: WriteEvidence = evidence(.recent)
  ) throws -> CheckReading {
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
    claims.claim(claimed, at: Self.sentAt)
    return CheckReading(
      match: CheckReading.Selection(query: confirmation.match.query, operands: [["hi"]]),
      result: confirmation.result.map { CheckReading.Selection(query: $0.query, operands: []) },
      evidence: evidence, claimed: claims)
  }

  @Test(arguments: cases)
  func `an answer of the check has the expected verdict`(_ example: Case) throws {
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

  /// The extent of the baseline, the time of the only match, and the expected verdict.
  private static let borders: [(WriteEvidence, created: String?, String)] = [
    (evidence(.whole), old, "nothing"), (evidence(.whole), border, "found"),
    (evidence(.whole), after, "found"), (evidence(.whole), nil, "found"),
    (evidence(.whole, ids: ["1"]), border, "nothing"),
    (evidence(.whole, ids: ["1"]), nil, "nothing"),
    (evidence(.whole, isTimed: false), old, "found"),
    (evidence(.whole, isTimed: false), nil, "found"),
    (evidence(.whole, ids: ["1"], isTimed: false), after, "nothing"),
    (evidence(.recent), old, "nothing"), (evidence(.recent), border, "found"),
    (evidence(.recent), nil, "undated"), (evidence(.recent, ids: ["1"]), border, "nothing"),
    (evidence(.part), old, "nothing"), (evidence(.part), border, "atBorder"),
    (evidence(.part), after, "found"), (evidence(.part), nil, "undated"),
    (evidence(.part, isTimed: false), after, "untimed"), (evidence(nil), old, "nothing"),
    (evidence(nil), border, "atBorder"), (evidence(nil), after, "found"),
    (evidence(nil), nil, "undated"), (evidence(nil, isTimed: false), after, "untimed"),
  ]

  @Test(arguments: 0..<borders.count)
  func `the verdict on a match depends on the baseline`(_ number: Int) throws {
    let (evidence, created, expected) = Self.borders[number]
    let time = created.map { ", " + $0 } ?? ""
    let feed = try JSON(parsing: "{\"data\": [{\"id\": \"1\", \"message\": \"hi\"\(time)}]}")

    let verdict = try reading(after: evidence).verdict(on: feed)

    let word =
      switch verdict {
      case .found: "found"
      case .nothing: "nothing"
      case .unproved(let obstacle): "\(obstacle)"
      }
    #expect(word == expected, "\(number)")
  }

  @Test func `a post between the baseline and the send is not the write's`() throws {
    var evidence = Self.evidence(.whole)
    evidence.baseline?.readAt = ServerTime(
      earliest: Self.sentAt.advanced(by: .seconds(-3605)),
      latest: Self.sentAt.advanced(by: .seconds(-3595)))
    let feed = try JSON(parsing: #"{"data": [{"id": "1", "message": "hi", \#(Self.old)}]}"#)
    #expect(try reading(after: evidence).verdict(on: feed) == .nothing)
  }

  @Test func `without a time a page reaches back to the nodes of the baseline`() throws {
    let page = try JSON(
      parsing:
        "{\"data\": [{\"id\": \"2\", \(Self.after)}, {\"id\": \"1\", \(Self.old)}]}")
    let known = Self.evidence(.whole, ids: ["1"], isTimed: false)
    #expect(try reading(after: known).reachesBack(page))
    #expect(try !reading(after: Self.evidence(.whole, isTimed: false)).reachesBack(page))
  }

  @Test(arguments: ["{}", "[]", #"{"data": {}}"#, #"{"data": null}"#, #"{"data": ["hi"]}"#])
  func `an answer without nodes has no page`(_ body: String) throws {
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
    #expect(try !reading.reachesBack(page(Self.new, Self.border)))
    #expect(try !reading.reachesBack(page(#""id": "1""#, Self.old)))
    #expect(try !reading.reachesBack(page()))
    #expect(!reading.reachesBack(["feed": []]))
  }
}
