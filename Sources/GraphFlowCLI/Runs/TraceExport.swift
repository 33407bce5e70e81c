import GraphAPI
import GraphFlow
import JSONPath

/// Sends a trace of a finished session of a run to a collector, if OpenTelemetry's variables name one.
///
/// https://opentelemetry.io/docs/specs/otel/protocol/exporter/. Of the protocols only `http/json` is
/// spoken.
struct TraceExport: Sendable {
  private let url: String
  private let headers: [HeaderField]
  private let resource: [(name: String, value: String)]
  /// Whether the variables ask for another protocol.
  private let isForeign: Bool
  private static let timeout = Duration.seconds(5)

  /// Reads the variables; nil without a collector.
  init?() {
    func value(_ name: String) -> String? {
      Environment.value("OTEL_EXPORTER_OTLP_TRACES_" + name)
        ?? Environment.value("OTEL_EXPORTER_OTLP_" + name)
    }
    let base = Environment.value("OTEL_EXPORTER_OTLP_ENDPOINT").map { base in
      (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/v1/traces"
    }
    guard let url = Environment.value("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") ?? base,
      Environment.value("OTEL_SDK_DISABLED")?.lowercased() != "true"
    else { return nil }
    isForeign = value("PROTOCOL").map { $0 != "http/json" } ?? false
    let fields = TraceExport.pairs(value("HEADERS"))
    // They authorize at the collector.
    ProcessRedactor.record(fields.map(\.value).filter { $0.utf8.count >= 8 })
    self.url = url
    headers =
      [HeaderField("Content-Type", "application/json")].compactMap(\.self)
      + fields.compactMap { HeaderField($0.name, $0.value) }
    let given = TraceExport.pairs(Environment.value("OTEL_RESOURCE_ATTRIBUTES"))
    let name = "service.name"
    let service =
      Environment.value("OTEL_SERVICE_NAME") ?? given.first { $0.name == name }?.value
    resource = [(name, service ?? "graphflow")] + given.filter { $0.name != name }
  }

  /// Pairs as in `api-key=secret,other=value`, with percent-encoded values.
  private static func pairs(_ text: String?) -> [(name: String, value: String)] {
    (text ?? "").split(separator: ",").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
      return parts.count == 2 ? (parts[0], PercentEncoding.decoded(parts[1])) : nil
    }
  }

  /// Sends the trace of what a run has done since a time; returns why that failed.
  func send(_ report: Report, since session: Timestamp, route: HTTPRoute) async -> String? {
    guard !isForeign else { return "OTEL_EXPORTER_OTLP_PROTOCOL must be http/json" }
    guard let spans = Trace(of: report, since: session)?.spans else { return nil }
    let body: JSON = [
      "resourceSpans": [
        [
          "resource": ["attributes": .array(resource.map { .attribute($0, .string($1)) })],
          "scopeSpans": [
            [
              "scope": ["name": "graphflow", "version": .string(toolVersion)],
              "spans": .array(spans),
            ]
          ],
        ]
      ]
    ]
    let text = ProcessRedactor.redacted(Array(TokenShape.masking(body.serialized()).utf8))
    let request = WireRequest(method: "POST", url: url, headers: headers, body: text)
    do {
      let response = try await HTTPClientTransport.withTransport(route: route) {
        try await $0.send(request, timeout: TraceExport.timeout)
      }
      return (200..<300).contains(response.status)
        ? nil : "the collector answered with \(response.status)"
    } catch {
      return (error as? TransportFailure)?.message ?? "\(error)"
    }
  }
}

/// The spans of a session of a run: the run, its calls, and their operations.
///
/// Their ids follow from the run's, so that equal runs give equal bytes.
struct Trace {
  private(set) var spans: [JSON] = []
  private static let limit = 2000
  private let id: RunID
  private let traceID: String

  /// Nil for a run that never started.
  init?(of report: Report, since session: Timestamp) {
    guard let start = report.start else { return nil }
    id = start.id
    traceID = Trace.hash("\(id)", digits: 32)
    let calls = report.calls.filter { $0.start.startedAt >= session }
    let ends = calls.map { end(of: $0) } + [report.end?.finishedAt ?? session]
    let root = "run \(report.resumed)"
    add(
      root, in: nil, "run \(start.workflow)", kind: 1, max(session, start.startedAt),
      ends.max() ?? session,
      [
        .attribute("graphflow.run", .string("\(id)")),
        .attribute("graphflow.workflow", .string(start.workflow)),
        .attribute("graphflow.status", .string(report.status.rawValue)),
        .attribute("graphflow.exit_code", .number(.init(report.exitCode))),
      ], problem: report.exitCode == 0 ? nil : report.status.rawValue)
    let host = start.graphURL.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    for call in calls {
      let status = call.end?.httpStatus
      add(
        "call \(call.start.number)", in: root, "POST", kind: 3, call.start.startedAt, end(of: call),
        [
          .attribute("http.request.method", "POST"),
          .attribute("url.full", .string("\(start.graphURL)/\(start.graphVersion)/")),
          .attribute("server.address", .string(host)),
          .attribute("graphflow.call.kind", .string(call.start.kind.rawValue)),
          .attribute("graphflow.call.number", .number(.init(call.start.number))),
        ] + (status.map { [.attribute("http.response.status_code", .number(.init($0)))] } ?? []),
        problem: call.end?.failure ?? (status.map { $0 >= 400 } == true ? "" : nil))
    }
    let numbers = Set(calls.map(\.start.number))
    for request in report.requests {
      for attempt in request.attempts where numbers.contains(attempt.call) {
        add(request, attempt)
      }
    }
  }

  private mutating func add(_ request: Report.Request, _ attempt: Report.Attempt) {
    let method = request.facts.method.rawValue
    add(
      "\(request.displayName) \(attempt.number)", in: "call \(attempt.call)",
      "\(method) \(request.facts.path)", kind: 3, attempt.startedAt,
      attempt.startedAt.advanced(by: .milliseconds(attempt.durationMilliseconds)),
      [
        .attribute("http.request.method", .string(method)),
        .attribute("url.template", .string(request.facts.path)),
        .attribute("graphflow.request", .string(request.displayName)),
        .attribute("http.request.resend_count", .number(.init(attempt.number - 1))),
      ]
        + (attempt.code.map { [.attribute("http.response.status_code", .number(.init($0)))] } ?? []),
      problem: attempt.outcome == .succeeded ? nil : attempt.outcome.rawValue)
  }

  private mutating func add(
    _ key: String, in parent: String?, _ name: String, kind: Int, _ start: Timestamp,
    _ end: Timestamp, _ attributes: [JSON], problem: String?
  ) {
    guard spans.count < Trace.limit else { return }
    spans.append([
      "traceId": .string(traceID), "spanId": .string(Trace.hash("\(id)/\(key)", digits: 16)),
      "parentSpanId": .string(parent.map { Trace.hash("\(id)/\($0)", digits: 16) } ?? ""),
      "name": .string(name), "kind": .number(.init(kind)),
      "startTimeUnixNano": .string("\(start.milliseconds)000000"),
      "endTimeUnixNano": .string("\(max(start, end).milliseconds)000000"),
      "attributes": .array(attributes),
      "status": problem.map { ["code": 2, "message": .string($0)] } ?? [:],
    ])
  }

  private func end(of call: Report.Call) -> Timestamp {
    call.start.startedAt.advanced(by: .milliseconds(call.end?.durationMilliseconds ?? 0))
  }

  private static func hash(_ text: String, digits: Int) -> String {
    var digest = FileDigest()
    digest.update(Array(text.utf8))
    return String(digest.text.prefix(digits))
  }
}

extension JSON {
  /// An attribute of a span; numbers are strings in the JSON of Protocol Buffers.
  fileprivate static func attribute(_ name: String, _ value: JSON) -> JSON {
    let typed: JSON =
      value.number == nil ? ["stringValue": value] : ["intValue": .string(value.serialized())]
    return ["key": .string(name), "value": typed]
  }
}
