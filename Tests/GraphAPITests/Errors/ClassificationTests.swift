import GraphAPI
import Testing

struct ClassificationTests {
  private let table = ErrorTable.standard

  /// Code, subcode, status, category, reason.
  @Test(arguments: [
    "1 - 500 transient server",
    "2 - 500 transient server",
    "4 - 400 transient throttled",
    "17 - 400 transient throttled",
    "341 - 400 transient throttled",
    "9 - 400 transient throttled",
    "32 - 400 transient throttled",
    "613 - 400 transient throttled",
    "80004 2446079 400 transient throttled",
    "368 - 400 other policy",
    "102 - 400 recoverable token",
    "190 463 400 recoverable token",
    "190 459 400 other token",
    "190 464 400 other token",
    "412 - 400 recoverable token",
    "10 - 403 recoverable permission",
    "200 - 403 recoverable permission",
    "299 - 400 recoverable permission",
    "506 1455006 400 other duplicate",
    "100 - 400 other parameter",
    "100 33 400 other not_found",
    "803 - 400 other not_found",
    "2500 - 400 other parameter",
    "960 - 500 transient timeout",
    "- - 429 transient throttled",
    "- - 503 transient server",
    "- - 401 other token",
    "- - 404 other not_found",
    "4711 - 400 other unknown",
  ])
  func `an error is classified as by Graph's SDKs and docs`(_ row: String) throws {
    let columns = row.split(separator: " ").map(String.init)
    let status = try #require(Int(columns[2]))
    let error = GraphError(message: "m", type: "T", code: Int(columns[0]), subcode: Int(columns[1]))

    let judgement = table.classification(of: error, status: status)

    #expect(judgement.category.rawValue == columns[3])
    #expect(judgement.reason.rawValue == columns[4])
    #expect(judgement.isRetryUseful == (judgement.category != .other))
    #expect(!judgement.hint.isEmpty && !judgement.source.isEmpty)
  }

  @Test func `is_transient takes precedence over rules and table`() {
    let rules = [ErrorRule(code: 100, category: .other, reason: .parameter)]
    let error = GraphError(message: "m", code: 100, isTransient: true)

    let judgement = table.classification(of: error, status: 400, rules: rules)

    #expect(judgement.category == .transient)
    #expect(judgement.isRetryUseful)
    #expect(!judgement.provesNothingHappened)
    #expect(table.classification(of: error, status: 400).reason == .server)
  }

  @Test func `is_transient false does not change a transient error`() {
    let error = GraphError(message: "m", code: 2, isTransient: false)

    #expect(table.classification(of: error, status: 500).category == .transient)
  }

  @Test func `an error marked as transient keeps the hint of its row`() {
    let error = GraphError(message: "m", code: 2, subcode: 1_504_038, isTransient: true)

    let hint = table.classification(of: error, status: 500).hint
    #expect(hint.hasPrefix("Graph marks this error as temporary"))
    #expect(hint.contains("Ask for less"))
  }

  @Test func `the workflow's rules take precedence over the table, the most specific first`() {
    let rules = [
      ErrorRule(code: 100, category: .transient),
      ErrorRule(code: 100, subcode: 33, category: .other, reason: .notFound),
      ErrorRule(code: 100, subcode: 44, category: .recoverable, reason: .token),
      ErrorRule(code: 100, category: .other),
    ]

    func judgement(_ subcode: Int?) -> Classification {
      table.classification(
        of: GraphError(message: "m", code: 100, subcode: subcode), status: 400, rules: rules)
    }
    #expect(judgement(nil).category == .transient)
    #expect(judgement(nil).reason == .parameter)
    #expect(!judgement(nil).provesNothingHappened)
    #expect(judgement(33).category == .other)
    #expect(judgement(33).provesNothingHappened)
    #expect(judgement(44).reason == .token)
  }

  @Test func `the code in an old message counts`() {
    let error = GraphError(message: "(#4) Application request limit reached", type: "Exception")

    #expect(table.classification(of: error, status: 400).reason == .throttled)
  }
}
