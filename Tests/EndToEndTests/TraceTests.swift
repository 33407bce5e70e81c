import CommandHarness
import GraphFlow
import JSONPath
import TestSupport
import Testing

@testable import GraphFlowCLI

/// Traces for OpenTelemetry; `make try-otlp` decodes what is sent.
struct TraceTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func run(_ variables: [String: String], _ flags: String...) throws -> Outcome {
    try graphflow.run(
      ["run", "workflows/post-and-verify.yaml", "--sandbox"] + flags, environment: variables)
  }

  @Test func `the spans of a run are a tree, and equal runs give equal spans`() throws {
    #expect(try run([:]).code == 0)
    let directory = StateDirectory(path: graphflow.state)
    let id = try #require(try directory.latest())
    let start = Timestamp(milliseconds: 0)
    func trace() throws -> [JSON] {
      let result = try RunResult(id, in: directory, since: start)
      return try #require(Trace(of: result.report, since: start)).spans
    }

    let spans = try trace()

    #expect(try trace() == spans)
    let names = spans.compactMap { $0["name"]?.string }
    #expect(
      names == [
        "run post-and-verify", "POST", "POST", "POST me/feed", "GET {result=status-post:$.id}",
      ])
    let ids = spans.map { $0["spanId"]?.string }
    let parents = spans.map { $0["parentSpanId"]?.string }
    #expect(Set(ids).count == 5)
    #expect(parents == ["", ids[0], ids[0], ids[2], ids[2]])
    #expect(Set(spans.map { $0["traceId"]?.string }).count == 1)
    #expect(spans.allSatisfy { $0["traceId"]?.string?.count == 32 && $0["status"] == [:] })
    let earlier = try RunResult(id, in: directory, since: start).report
    let later = Trace(of: earlier, since: WallClock.now().advanced(by: .seconds(60)))
    #expect(later?.spans.count == 1)
  }

  @Test func `a collector that is away, or another protocol, is one warning`() throws {
    let refused = try #require(LoopbackPort())

    let away = try run(["OTEL_EXPORTER_OTLP_ENDPOINT": refused.url])
    let other = try run([
      "OTEL_EXPORTER_OTLP_ENDPOINT": refused.url, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
    ])
    let off = try run([
      "OTEL_EXPORTER_OTLP_ENDPOINT": refused.url, "OTEL_SDK_DISABLED": "true",
    ])

    for outcome in [away, other, off] { #expect(outcome.code == 0, "\(outcome.error)") }
    let warnings = [away, other, off].map { outcome in
      outcome.error.split(separator: "\n").filter { $0.hasPrefix("warning:") }
    }
    #expect(warnings.map(\.count) == [1, 1, 0])
    #expect(warnings[0].first?.hasPrefix("warning: the trace was not sent: ") == true)
    let quiet = try run(["OTEL_EXPORTER_OTLP_ENDPOINT": refused.url], "--quiet")
    #expect(quiet.error == "")
    #expect(other.error.contains("OTEL_EXPORTER_OTLP_PROTOCOL must be http/json"))
  }
}
