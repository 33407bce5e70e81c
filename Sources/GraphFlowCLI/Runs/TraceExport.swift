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

  /// Sends the trace of a session; returns why that failed.
  func send(_ trace: Trace, route: HTTPRoute) async -> String? {
    guard !isForeign else { return "OTEL_EXPORTER_OTLP_PROTOCOL must be http/json" }
    let body: JSON = [
      "resourceSpans": [
        [
          "resource": ["attributes": .array(resource.map { .attribute($0, .string($1)) })],
          "scopeSpans": [
            [
              "scope": ["name": "graphflow", "version": .string(toolVersion)],
              "spans": .array(trace.spans),
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

/// The spans of a session of a run: the run, its calls, and their operations; a fold over its events.
///
/// Their ids follow from the run's, so that equal runs give equal bytes. Memory is bounded: what comes
/// after ``limit`` spans is only counted.
struct Trace {
  static let limit = 2000
  private let start: RunStart
  private let traceID: String
  /// The span of the run; a resumed run has one for each session.
  private let root: String
  private var begin: Timestamp
  private var last: Timestamp
  private var end: RunEnd?
  private var callsInFlight: [Int: CallStart] = [:]
  private var calls: [JSON] = []
  private var operations: [JSON] = []
  private var total = 1

  /// Begins the trace of a session, after those that a report knows.
  init(of start: RunStart, after earlier: Report) {
    self.start = start
    traceID = Trace.hash("\(start.id)", digits: 32)
    root = "run \(earlier.start == nil ? 0 : earlier.resumed + 1)"
    (begin, last) = (start.startedAt, start.startedAt)
  }

  mutating func apply(_ event: RunEvent) {
    switch event {
    case .runResumed(let time): (begin, last) = (time, time)
    case .callStarted(let call): callsInFlight[call.number] = call
    case .callEnded(let call):
      guard let start = callsInFlight.removeValue(forKey: call.number) else { return }
      add(start, call)
    case .attemptEnded(let attempt): add(attempt)
    case .runEnded(let end):
      self.end = end
      last = max(last, end.finishedAt)
      // Calls that got no answer.
      for call in callsInFlight.values.sorted(by: { $0.number < $1.number }) { add(call, nil) }
    default: break
    }
  }

  /// The run, then its calls, then as many operations as there is room for.
  var spans: [JSON] {
    let exitCode = end?.exitCode
    let rest = (calls + operations).prefix(Trace.limit - 1)
    let leftOut = total - 1 - rest.count
    let run = span(
      root, in: nil, "run \(start.workflow)", kind: 1, (begin, last),
      [
        .attribute("graphflow.run", .string("\(start.id)")),
        .attribute("graphflow.workflow", .string(start.workflow)),
        .attribute("graphflow.status", .string((end?.status ?? .unfinished).rawValue)),
      ] + (exitCode.map { [.attribute("graphflow.exit_code", .number(.init($0)))] } ?? [])
        + (leftOut > 0 ? [.attribute("graphflow.spans_left_out", .number(.init(leftOut)))] : []),
      problem: exitCode == 0 ? nil : (end?.status ?? .unfinished).rawValue)
    return [run] + rest
  }

  private mutating func add(_ call: CallStart, _ end: CallEnd?) {
    let status = end?.httpStatus
    let finish = call.startedAt.advanced(by: .milliseconds(end?.durationMilliseconds ?? 0))
    last = max(last, finish)
    total += 1
    guard calls.count < Trace.limit else { return }
    let host = start.graphURL.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    calls.append(
      span(
        "call \(call.number)", in: root, "POST", kind: 3, (call.startedAt, finish),
        [
          .attribute("http.request.method", "POST"),
          .attribute("url.full", .string("\(start.graphURL)/\(start.graphVersion)/")),
          .attribute("server.address", .string(host)),
          .attribute("graphflow.call.kind", .string(call.kind.rawValue)),
          .attribute("graphflow.call.number", .number(.init(call.number))),
        ]
          + (status.map { [.attribute("http.response.status_code", .number(.init($0)))] } ?? []),
        problem: end?.failure ?? (status.map { $0 >= 400 } == true ? "" : nil)))
  }

  private mutating func add(_ end: AttemptEnd) {
    let attempt = end.attempt
    guard start.requests.indices.contains(attempt.request) else { return }
    total += 1
    guard operations.count < Trace.limit else { return }
    let facts = start.requests[attempt.request]
    let name = attempt.item.map { "\(facts.name)[\($0.key)]" } ?? facts.name
    let method = facts.method.rawValue
    operations.append(
      span(
        "\(name) \(attempt.number)", in: "call \(end.call)", "\(method) \(facts.path)", kind: 3,
        (end.startedAt, end.startedAt.advanced(by: .milliseconds(end.durationMilliseconds))),
        [
          .attribute("http.request.method", .string(method)),
          .attribute("url.template", .string(facts.path)),
          .attribute("graphflow.request", .string(name)),
          .attribute("http.request.resend_count", .number(.init(attempt.number - 1))),
        ]
          + (end.code.map { [.attribute("http.response.status_code", .number(.init($0)))] } ?? []),
        problem: end.outcome == .succeeded ? nil : end.outcome.rawValue))
  }

  private func span(
    _ key: String, in parent: String?, _ name: String, kind: Int,
    _ time: (start: Timestamp, end: Timestamp), _ attributes: [JSON], problem: String?
  ) -> JSON {
    [
      "traceId": .string(traceID), "spanId": .string(Trace.hash("\(start.id)/\(key)", digits: 16)),
      "parentSpanId": .string(parent.map { Trace.hash("\(start.id)/\($0)", digits: 16) } ?? ""),
      "name": .string(name), "kind": .number(.init(kind)),
      "startTimeUnixNano": .string("\(time.start.milliseconds)000000"),
      "endTimeUnixNano": .string("\(max(time.start, time.end).milliseconds)000000"),
      "attributes": .array(attributes),
      "status": problem.map { ["code": 2, "message": .string($0)] } ?? [:],
    ]
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
