import TestSupport
import Testing

@testable import GraphFlow
@testable import SimulatedWorld

/// Reports of simulated runs, with all that happens to them.
struct ReportFormatTests {
  @Test(arguments: 0..<4)
  func `every format agrees in its counts with the JSON report`(_ block: Int) throws {
    for seed in UInt64(5000 + block * 20)..<UInt64(5000 + block * 20 + 20) {
      let events = try Story(seed: seed).journaledEvents()
      let report = Report(of: events)
      let summary = report.summary
      let expected = ReportCounts(
        succeeded: summary.succeeded, failed: summary.failed, skipped: summary.skipped,
        inDoubt: summary.inDoubt, cancelled: summary.cancelled, unfinished: summary.unfinished)
      for format in ReportFileFormat.allCases where format.isStreamed {
        var output = ReportStream.Output(format.report())
        output.append(report)
        output.finish()
        let text = String(decoding: output.text, as: UTF8.self)
        var counts = try #require(ReportCounts(text, as: format.rawValue), "\(format)")
        if format == .sarif {
          // What the file ignores has no result.
          for request in report.requests where !request.isProblem {
            if request.status == .failed { counts.failed += 1 }
            if request.status == .inDoubt { counts.inDoubt += 1 }
          }
        }
        #expect(counts == expected.seen(in: format.rawValue), "\(format), seed \(seed)")
      }
    }
  }
}
