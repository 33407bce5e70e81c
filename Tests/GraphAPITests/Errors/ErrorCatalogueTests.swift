import Testing

@testable import GraphAPI

/// Every code and subcode that Meta's pages, SDKs and reports name, and its classification.
struct ErrorCatalogueTests {
  /// Category and reason, then the errors: a code, a code and a subcode, or a range of codes.
  private static let catalogue = """
    transient server: 1 2 99 99/1 12345/99 -1 -1/2207001 -1/2207032 -1/2207053 -2/2490547
    transient timeout: 960 -2/2207003
    transient throttled: 4 4/1504022 4/1504039 9 17 17/1349172 17/2446079 32 341 613 613/1996 \
    80000 80000/2446079 80001 80002 80003 80003/2446079 80004 80004/2446079 80005 80006 80007 80008 \
    80009 80010 80014 12345/2446079 12345/1996
    other throttled: 9/2207042 12345/2207042
    recoverable token: 102 102/458 102/460 102/463 102/467 102/492 190 190/458 190/460 190/461 \
    190/462 190/463 190/465 190/466 190/467 190/468 190/492 190/493 412 450 452 12345/458 12345/460 \
    12345/463 12345/467 12345/492 12345/493
    other token: 102/459 102/464 104 190/459 190/464 190/490 12345/459 12345/464 31/9 463/1349152
    recoverable permission: 10 200 201 210 250 298 299
    other permission: 3
    other policy: 4/2207051 5 15 25 25/2207050 368 368/1390008 368/1 12345/2207051
    other timeout: 2/1504038 100/1504018
    other duplicate: 506 506/1455006 10900 12345/1455006
    other not_found: 100/33 803
    other parameter: 2/1504041 2/1504042 6 7 8 11 12 100 100/1 100/1366046 100/1487534 101 194 352 352/2207026 601 650 699 900 951 \
    952 953 2500 2601 2601/1815107 2635 9004 9004/2207052 9007 9007/2207027 36000 36000/2207004 36003 36003/2207009 \
    1609005 -2/2207020 12345/1815379 12345/1363037 12345/2207026 12345/2207027
    other unknown: 18 -2 12345/1363019 12345/1363021 12345/1363030 12345/1363033 12345/1363041
    """

  struct Entry: CustomTestStringConvertible {
    let code: Int
    let subcode: Int?
    let judgement: String

    var testDescription: String { "\(code)\(subcode.map { "/\($0)" } ?? "") \(judgement)" }
  }

  static let entries: [Entry] = catalogue.split(separator: "\n").flatMap { line in
    let parts = line.split(separator: ":")
    return parts[1].split(separator: " ").compactMap { error -> Entry? in
      let numbers = error.split(separator: "/").compactMap { Int($0) }
      guard let code = numbers.first else { return nil }
      let subcode = numbers.count > 1 ? numbers[1] : nil
      return Entry(code: code, subcode: subcode, judgement: String(parts[0]))
    }
  }

  @Test(arguments: entries.filter { $0.code != 31 })
  func `every known error has a row with its category and reason`(_ entry: Entry) throws {
    let row = try #require(
      ErrorTable.standard.row(code: entry.code, subcode: entry.subcode, status: 400))

    #expect(row.statuses == nil)
    #expect("\(row.category.rawValue) \(row.reason.rawValue)" == entry.judgement)
  }

  @Test func `no row is missing in the list`() {
    let listed = Set(
      Self.entries.compactMap {
        ErrorTable.standard.row(code: $0.code, subcode: $0.subcode, status: 400)?.subject
      })
    let missing = ErrorTable.standard.rows.filter { row in
      guard row.statuses == nil, !listed.contains(row.subject) else { return false }
      // Subcodes of the login and of Instagram have rows under any code and under their own.
      return row.subject.words == nil && row.code != nil && row.code != 31
    }
    #expect(missing.map { "\($0.subject)" } == [])
  }

  @Test(arguments: [
    (368, nil, "You've already posted this. Posting it repeatedly isn't allowed.", "duplicate"),
    (368, 1, "YOU'VE ALREADY POSTED THIS", "duplicate"),
    (368, 1_390_008, "We limit how often you can post. You've already posted.", "policy"),
    (368, nil, "It looks like you were misusing this feature by going too fast.", "policy"),
    (1, nil, "Please reduce the amount of data you're asking for, then retry", "server"),
  ])
  func `words of the message distinguish errors with the same code`(
    _ code: Int, _ subcode: Int?, _ message: String, _ reason: String
  ) {
    let error = GraphError(message: message, code: code, subcode: subcode)
    let judgement = ErrorTable.standard.classification(of: error, status: 400)

    #expect(judgement.reason.rawValue == reason)
    #expect(judgement.provesNothingHappened == (code == 368))
  }

  @Test func `words of the user message count as well`() {
    let error = GraphError(message: "m", code: 368, userMessage: "You have already posted this.")

    #expect(ErrorTable.standard.classification(of: error, status: 400).reason == .duplicate)
  }

  @Test(arguments: ["1\"a\" ", "x \"a\"", "1 \"a", "1 \"", "1 \"A\"", "\"a\""])
  func `a subject with invalid words is not a row`(_ subject: String) {
    #expect(ErrorTable(text: "\(subject) | n | other | unknown | no | never | h | s").rows.isEmpty)
  }
}
