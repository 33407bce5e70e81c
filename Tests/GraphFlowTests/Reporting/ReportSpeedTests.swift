import Testing

@testable import GraphFlow

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Measures; run with `GRAPHFLOW_MEASURE=1 swift test -c release --filter Speed`.
@Suite(.serialized, .enabled(if: getenv("GRAPHFLOW_MEASURE") != nil))
struct ReportSpeedTests {
  @Test
  func `a hundred thousand requests are folded and written`() throws {
    let body = #"{"data":[{"id":"1234567890_1234567890","message":"Hello"}],"paging":{}}"#
    let events = SampleRuns.reads(100_000) { _ in body }
    let scratch = try ScratchFolder()
    let clock = ContinuousClock()
    var report = Report(of: [])
    var bytes: [UInt8] = []
    var text = ""
    let folding = clock.measure { report = Report(of: events) }
    let writing = clock.measure { bytes = report.json }
    let saving = try clock.measure { try writeAtomically(bytes, to: scratch.path + "/report") }
    let summing = clock.measure { text = report.text() }
    #expect(report.summary.succeeded == 100_000)
    print("fold \(folding), JSON \(writing) (\(bytes.count) bytes), disk \(saving)")
    print("text \(summing) (\(text.utf8.count) bytes)")
  }
}
