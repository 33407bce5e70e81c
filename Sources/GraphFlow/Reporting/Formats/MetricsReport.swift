internal import GraphAPI
internal import JSONPath

/// A report as metrics in Prometheus' text format, for the textfile collector of node_exporter.
///
/// The figures of several runs are added up. When a run does not succeed, the time of the last success
/// is that of the file that the report replaces.
struct MetricsReport: ReportFormat {
  private var start: RunStart?
  private let earlier: String
  private var total = Report.Summary()
  private var milliseconds: Int64 = 0
  private var exitCode = 0
  private var lastSuccess: Timestamp?
  private var finishedAt: Timestamp?
  private var durations = Histogram()
  /// The last known use of each limit, in percent, by its labels.
  private var quota: [String: Double] = [:]

  init(replacing earlier: String) { self.earlier = earlier }

  /// How many calls took at most how long.
  private struct Histogram: Sendable {
    static let bounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
    private(set) var counts = [Int](repeating: 0, count: bounds.count)
    private(set) var count = 0
    private(set) var milliseconds: Int64 = 0

    mutating func add(_ duration: Int64) {
      let duration = min(max(0, duration), 1 << 40)
      for (index, bound) in Self.bounds.enumerated() where Double(duration) <= bound * 1000 {
        counts[index] += 1
      }
      count += 1
      milliseconds += duration
    }
  }

  mutating func begin(_ report: Report, to output: inout [UInt8]) {
    start = report.start
    for call in report.calls { if let end = call.end { add(end) } }
  }

  mutating func observe(_ event: RunEvent) { if case .callEnded(let end) = event { add(end) } }

  func add(_ request: Report.Request, to output: inout [UInt8]) {}

  mutating func end(_ report: Report, to output: inout [UInt8]) {
    total.add(report.summary)
    milliseconds += max(0, report.durationMilliseconds ?? 0)
    if exitCode == 0 { exitCode = report.exitCode }
    finishedAt = report.end?.finishedAt
    if report.exitCode == 0 { lastSuccess = report.end?.finishedAt }
  }

  private mutating func add(_ end: CallEnd) {
    durations.add(end.durationMilliseconds)
    for (limit, uses) in end.usage?.object ?? [:] {
      for use in uses.array ?? [uses] {
        var labels: [(String, String)] = [("limit", limit)]
        if let id = use["id"]?.string { labels.append(("id", id)) }
        if let type = use["type"]?.string { labels.append(("type", type)) }
        for (measure, value) in use.object ?? [:] where !measure.hasSuffix("_seconds") {
          guard let percent = value.number?.double else { continue }
          quota[labelText(labels + [("measure", measure)])] = percent
        }
      }
    }
  }

  func finish(to output: inout [UInt8]) {
    var text = ""
    func family(_ name: String, _ help: String, _ samples: [(labels: String, value: String)]) {
      guard !samples.isEmpty else { return }
      text += "# HELP graphflow_\(name) \(help)\n# TYPE graphflow_\(name) gauge\n"
      for (labels, value) in samples { text += "graphflow_\(name){\(labels)} \(value)\n" }
    }
    let own = labelText([])
    family(
      "run_requests", "Requests of the last run by status.",
      total.statuses.map { status in
        (labelText([("status", status.name.replacing(" ", with: "_"))]), "\(status.count)")
      })
    family("run_attempts", "Attempts of the last run.", [(own, "\(total.attempts)")])
    family(
      "run_calls", "HTTP calls of the last run that carried requests.", [(own, "\(total.calls)")])
    family("run_exit_code", "Exit code of the last run.", [(own, "\(exitCode)")])
    family(
      "run_start_timestamp_seconds", "When the last run began.",
      start.map { [(own, ElapsedTime.seconds($0.startedAt.milliseconds))] } ?? [])
    family(
      "run_end_timestamp_seconds", "When the last run ended.",
      finishedAt.map { [(own, ElapsedTime.seconds($0.milliseconds))] } ?? [])
    family(
      "run_duration_seconds", "How long the last run took.",
      [(own, ElapsedTime.seconds(milliseconds))])
    family(
      "run_waited_seconds", "How long the last run waited for limits and retries.",
      [(own, ElapsedTime.seconds(total.waitedMilliseconds ?? 0))])
    family(
      "last_success_timestamp_seconds", "When a run last succeeded.",
      lastSuccessText.map { [(own, $0)] } ?? [])
    family(
      "quota_used_ratio", "Used share of each limit of Graph, as last reported.",
      quota.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value / 100)") })
    output += (text + histogram).utf8
  }

  private var histogram: String {
    let name = "graphflow_call_duration_seconds"
    let own = labelText([])
    var text = "# HELP \(name) How long the HTTP calls of the last run took.\n"
    text += "# TYPE \(name) histogram\n"
    for (bound, count) in zip(Histogram.bounds, durations.counts) {
      text += "\(name)_bucket{\(labelText([("le", "\(bound)")]))} \(count)\n"
    }
    text += "\(name)_bucket{\(labelText([("le", "+Inf")]))} \(durations.count)\n"
    text += "\(name)_sum{\(own)} \(ElapsedTime.seconds(durations.milliseconds))\n"
    return text + "\(name)_count{\(own)} \(durations.count)\n"
  }

  /// The time of the last success; the earlier file's if these runs did not succeed.
  private var lastSuccessText: String? {
    if let lastSuccess { return ElapsedTime.seconds(lastSuccess.milliseconds) }
    let prefix = "graphflow_last_success_timestamp_seconds{\(labelText([]))} "
    let line = earlier.split(separator: "\n").first { $0.hasPrefix(prefix) }
    guard let value = line?.dropFirst(prefix.count), Double(value) != nil else { return nil }
    return String(value)
  }

  private func labelText(_ labels: [(String, String)]) -> String {
    let own = [("workflow", start?.workflow ?? ""), ("profile", start?.profile ?? "")]
    return (own + labels).map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
  }

  /// Source: Prometheus, "Exposition formats", "Text-based format".
  private func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
