import Testing

@testable import GraphAPI

/// Whether a retry is useful, and whether it is safe.
///
/// All combinations of code, subcode, `is_transient`, status and rule.
struct ErrorCombinationTests {
  private static let throttles: [ClosedRange<Int>] = [
    4...4, 9...9, 17...17, 32...32, 341...341, 613...613, 80_000...80_014,
  ]

  /// Errors that prove nothing with any answer, unless they are throttles.
  private static let faults: Set<String> = [
    "1", "2", "99", "99/1", "960", "-1", "-2", "-1/2207001", "-1/2207032", "-1/2207053",
    "-2/2207003", "2/1504038", "2/1504041", "2/1504042", "4/2207051", "18", "100/1504018",
    "-2/2490547",
  ]

  /// Subcodes that prove nothing under a code without a row.
  private static let faultSubcodes: Set<Int> = [
    99, 2_207_003, 2_207_051, 1_363_019, 1_363_021, 1_363_030, 1_363_033, 1_363_041,
  ]

  static let errors: [(code: Int, subcode: Int?)] =
    ErrorCatalogueTests.entries.map { ($0.code, $0.subcode) } + [(4711, nil), (4711, 4712)]

  private func isThrottle(_ code: Int, _ subcode: Int?, _ status: Int) -> Bool {
    status == 429 || Self.throttles.contains { $0.contains(code) }
      || (code == 12_345 && [1996, 2_446_079, 2_207_042].contains(subcode))
  }

  @Test(arguments: [true, false, nil], [200, 400, 403, 404, 429, 500, 503])
  func `two predicates decide, and a write is never unsafe`(_ isTransient: Bool?, _ status: Int) {
    for (code, subcode) in Self.errors {
      for category in [nil] + ErrorCategory.allCases.map(Optional.some) {
        let error = GraphError(message: "m", code: code, subcode: subcode, isTransient: isTransient)
        let rules = category.map { [ErrorRule(code: code, category: $0)] } ?? []
        let judgement = ErrorTable.standard.classification(of: error, status: status, rules: rules)
        let name = subcode.map { "\(code)/\($0)" } ?? "\(code)"
        let table = ErrorTable.standard.row(code: code, subcode: subcode, status: status)

        let expected = isTransient == true ? .transient : category ?? table?.category
        #expect(judgement.category == expected, "\(name)")
        #expect(judgement.isRetryUseful || judgement.category == .other || category == nil)

        let isFault =
          Self.faults.contains(name)
          || (code == 12_345 && Self.faultSubcodes.contains(subcode ?? 0))
        // A row about a code with a subcode takes precedence over rows about code and status.
        let isExact = isFault && subcode != nil && name != "99/1"
        let isProof =
          isThrottle(code, subcode, status) && !isExact
          || (expected != .transient && !isFault && (400...499).contains(status))
        #expect(
          judgement.provesNothingHappened == isProof, "\(name) \(String(describing: category))")
      }
    }
  }

  @Test func `a rule may name a reason, and is_transient changes neither reason nor hint`() {
    let rules = [ErrorRule(code: 100, subcode: 33, category: .other, reason: .notFound)]
    let error = GraphError(message: "m", code: 100, subcode: 33, isTransient: true)
    let judgement = ErrorTable.standard.classification(of: error, status: 400, rules: rules)

    #expect(judgement.category == .transient && judgement.reason == .notFound)
    #expect(judgement.hint.contains("marks this error as temporary"))
  }
}
