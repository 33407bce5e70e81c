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
    let reading = try directory.reading(try #require(try directory.latest()))
    let start = try #require(try reading.start())
    func trace(after earlier: Report = Report(of: [])) throws -> [JSON] {
      var trace = Trace(of: start, after: earlier)
      for event in try reading.events() { trace.apply(event) }
      return trace.spans
    }

    let spans = try trace()

    #expect(try trace() == spans)
    let names = spans.compactMap { $0["name"]?.string }
    #expect(
      names == [
        // A page's token has no list of permissions: `debug_token` is asked, too.
        "run post-and-verify", "POST", "POST", "POST", "POST me/feed",
        "GET {result=status-post:$.id}",
      ])
    let ids = spans.map { $0["spanId"]?.string }
    let parents = spans.map { $0["parentSpanId"]?.string }
    #expect(Set(ids).count == 6)
    #expect(parents == ["", ids[0], ids[0], ids[0], ids[3], ids[3]])
    #expect(Set(spans.map { $0["traceId"]?.string }).count == 1)
    #expect(spans.allSatisfy { $0["traceId"]?.string?.count == 32 && $0["status"] == [:] })
    let later = try trace(after: Pipeline.report(of: RunHistory(try reading.events())))
    #expect(later[0]["spanId"] != spans[0]["spanId"])
    #expect(later[0]["traceId"] == spans[0]["traceId"])
  }

  @Test func `a trace of a long run is bounded, and says what it leaves out`() throws {
    let file = try graphflow.folder.write(
      "graphflow: 1\nrequests:\n  a: {for_each: \(Array(0..<3000)), get: me}\n", to: "long.yaml")
    #expect(try graphflow("run", file, "--sandbox", "--batch-size", "1").code == 0)
    let directory = StateDirectory(path: graphflow.state)
    let reading = try directory.reading(try #require(try directory.latest()))
    var trace = Trace(of: try #require(try reading.start()), after: Report(of: []))
    for event in try reading.events() { trace.apply(event) }

    let spans = trace.spans

    #expect(spans.count == Trace.limit)
    let attributes = spans[0]["attributes"]?.array ?? []
    let leftOut = attributes.first { $0["key"]?.string == "graphflow.spans_left_out" }
    #expect(leftOut?["value"]?["intValue"]?.string == "\(6001 - Trace.limit)")
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
