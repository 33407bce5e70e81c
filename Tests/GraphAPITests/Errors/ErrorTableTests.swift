import Testing

@testable import GraphAPI

struct ErrorTableTests {
  private let table = ErrorTable.standard

  @Test func `every line of the data file is a row`() {
    #expect(table.rows.count == ErrorTable.rowLines(in: ErrorTable.graphErrors).count)
    #expect(table.rows.count > 100)
  }

  @Test func `no two rows have the same subject`() {
    #expect(Set(table.rows.map(\.subject)).count == table.rows.count)
  }

  @Test func `every row has a name, a hint and a source with its confidence`() {
    for row in table.rows {
      #expect(!row.name.isEmpty)
      #expect(row.hint.hasSuffix("."), "\(row.subject)")
      let isRated = ["[C]", "[W]", "[U]"].contains { row.source.contains($0) }
      #expect(isRated || row.statuses != nil, "\(row.subject)")
    }
  }

  @Test func `a transient error proves nothing unless it is a throttle`() {
    for row in table.rows where row.category == .transient {
      #expect(row.isRetryUseful, "\(row.subject)")
      #expect(row.proof == (row.reason == .throttled ? .always : .never), "\(row.subject)")
    }
  }

  @Test func `only throttles prove whatever the status says`() {
    for row in table.rows {
      #expect((row.proof == .always) == (row.reason == .throttled), "\(row.subject)")
    }
  }

  /// The codes with a meaning in Meta's pages, SDKs or recorded answers.
  @Test(arguments: [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 17, 18, 32, 100, 101, 102, 104, 190, 194, 200, 250,
    299, 341, 368, 412, 450, 452, 506, 601, 613, 803, 900, 951, 952, 953, 960, 2500, 2635,
    1_609_005,
    80_000, 80_001, 80_002, 80_003, 80_004, 80_005, 80_006, 80_007, 80_008, 80_009, 80_014,
  ])
  func `a known code has a row of its own`(_ code: Int) throws {
    let row = try #require(table.row(code: code, subcode: nil, status: 400))

    #expect(row.statuses == nil)
  }

  @Test(arguments: [
    (190, 463, "190/463"), (190, 1, "190"), (250, 463, "200...299"), (299, nil, "299"),
    (613, nil, "613"), (612, nil, "601...699"), (12_345, 463, "*/463"), (12_345, nil, "http 400"),
    (nil, 99, "*/99"), (nil, nil, "http 400"), (100, 33, "100/33"), (4, 1_504_022, "4/1504022"),
  ])
  func `the most specific row counts`(_ code: Int?, _ subcode: Int?, _ subject: String) {
    #expect(table.row(code: code, subcode: subcode, status: 400)?.subject.description == subject)
  }

  @Test(arguments: [200, 302, 400, 418, 429, 500, 504, 599, 0, 999])
  func `every status has a row`(_ status: Int) {
    #expect(table.row(status: status)?.statuses?.contains(status) == true)
  }

  @Test(arguments: [
    "", "1 | a | b", "x | n | other | unknown | no | never | h | s",
    "1 | n | odd | unknown | no | never | h | s", "1 | n | other | unknown | maybe | never | h | s",
    "9...1 | n | other | unknown | no | never | h | s", "# comment",
  ])
  func `an invalid line is ignored`(_ line: String) { #expect(ErrorTable(text: line).rows.isEmpty) }
}
