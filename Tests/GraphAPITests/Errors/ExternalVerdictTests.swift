import Testing

@testable import GraphAPI

/// The verdicts of others on errors, from their own tables.
struct ExternalVerdictTests {
  /// Code, subcode, then iOS, Android, PHP, pages; `-` means no verdict.
  @Test(arguments: [
    "1 - transient other transient transient",
    "2 - transient transient transient transient",
    "4 - transient transient transient transient",
    "9 - transient transient recoverable -",
    "17 - transient transient transient transient",
    "341 - transient transient transient transient",
    "32 - other other transient transient",
    "613 - other other transient transient",
    "80001 - other other recoverable transient",
    "368 - other other recoverable transient",
    "102 - recoverable recoverable recoverable recoverable",
    "190 - recoverable recoverable recoverable recoverable",
    "190 459 recoverable recoverable recoverable recoverable",
    "412 - other recoverable recoverable -",
    "10 - other other recoverable recoverable",
    "299 - other other recoverable recoverable",
    "506 - other other other other",
    "100 - other other recoverable -",
    "803 - other other recoverable -",
    "4711 458 other other recoverable -",
  ])
  func `verdicts equal those of SDKs and pages`(_ row: String) {
    let columns = row.split(separator: " ").map(String.init)
    let judgements = ExternalVerdict.all(code: Int(columns[0]) ?? 0, subcode: Int(columns[1]))
    func category(_ judge: String) -> String {
      judgements.first { $0.judge == judge }?.category?.rawValue ?? "-"
    }

    #expect(category("iOS SDK") == columns[2])
    #expect(category("Android SDK") == columns[3])
    #expect(category("PHP SDK") == columns[4])
    #expect(category("Meta's pages") == columns[5])
  }

  @Test func `every verdict has a source with a URL`() {
    for (code, subcode) in ErrorCombinationTests.errors {
      for judgement in ExternalVerdict.all(code: code, subcode: subcode) {
        #expect(!judgement.verdict.isEmpty)
        #expect(!ErrorSource.named(in: judgement.source).isEmpty, "\(judgement.source)")
      }
    }
    for row in ErrorTable.standard.rows where row.source.contains("[C]") {
      #expect(!ErrorSource.named(in: row.source).isEmpty, "\(row.subject): \(row.source)")
    }
    #expect(ErrorSource.all.allSatisfy { $0.address.hasPrefix("https://") })
  }

  @Test func `a source whose name is part of another is not named twice`() {
    let found = ErrorSource.named(in: "koala issue 422; facebook-ios-sdk")
    #expect(found.map(\.name) == ["facebook-ios-sdk", "koala issue 422"])
  }
}
