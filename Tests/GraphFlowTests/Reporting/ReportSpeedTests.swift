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
    let watch = ContinuousClock()
    var report = Report(of: [])
    var bytes: [UInt8] = []
    var text = ""
    let folding = watch.measure { report = Report(of: events) }
    let before = processorSeconds
    let writing = watch.measure { bytes = report.json }
    print("processor time of the JSON: \(processorSeconds - before) s")
    let saving = try watch.measure { try writeAtomically(bytes, to: scratch.path + "/report") }
    let summing = watch.measure { text = report.text() }
    #expect(report.summary.succeeded == 100_000)
    print("fold \(folding), JSON \(writing) (\(bytes.count) bytes), disk \(saving)")
    print("text \(summing) (\(text.utf8.count) bytes)")
  }

  private var processorSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}
