/// The result of one request, for one item, in a report.
struct Finding: Sendable, Equatable {
  let status: String?
  let body: Value?
  /// The outcomes of its attempts.
  let attempts: [String]
  let reason: String?
  let skipReason: String?

  /// The results in a report, by the marks of the requests.
  static func reading(_ report: Value) -> [String: Finding] {
    var findings: [String: Finding] = [:]
    for request in report["requests"]?.elements ?? [] {
      let name = request["name"]?.string?.split(separator: ".").last.map(String.init) ?? ""
      let key = request["item"]?["key"]?.string
      findings[key.map { "\(name)-\($0)" } ?? name] = Finding(
        status: request["status"]?.string, body: request["body"],
        attempts: (request["attempts"]?.elements ?? []).compactMap { $0["outcome"]?.string },
        reason: request["error"]?["reason"]?.string, skipReason: request["skip_reason"]?.string)
    }
    return findings
  }

  /// Whether the product reports a failure and knows that the write took effect.
  var failedAfterEffect: Bool {
    status == "failed" && (attempts.contains("succeeded") || reason == "expectation")
  }
}
