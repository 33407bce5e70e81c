import TestSupport
import Testing

@testable import GraphFlow

@Suite
struct EventTextTests {
  @Test(arguments: SampleRuns.cases.map(\.name))
  func `each reported event is one line`(name: String) throws {
    var progress = EventText()
    let events = try #require(SampleRuns.cases.first { $0.name == name }).events
    let lines = events.compactMap { progress.line(for: $0) }
    #expect(!lines.contains { $0.contains("\n") })
    let text = lines.map { $0 + "\n" }.joined()
    expectGolden(text, "\(ReportTests.golden)/\(name).progress.txt")
  }
}
