/// The parts of a journal row that the checker needs.
enum JournalRow: Sendable {
  case started(names: [String])
  case call(
    number: Int, kind: String, operations: [(mark: String, attempt: Int)], round: Int, at: Int)
  case callEnded(number: Int)
  case attempt(mark: String, attempt: Int, outcome: String, reason: String?, call: Int)
  /// The status is `not_applied` if a person has found that the write did not happen.
  case request(mark: String, status: String, remark: String)
  case baseline(extent: String)
  case resumed
  case endLost
  case paused(cause: String)
  case concurrencyChanged(cause: String)
  case ended(status: String, exitCode: Int, at: Int, resumeAfter: Int?)
  case other

  /// Parses rows; the first one lists the requests that the indices refer to.
  static func reading(_ rows: [Store.Row]) -> [JournalRow] {
    var names: [String] = []
    return rows.map { row in
      guard let value = Value(parsing: row.json) else { return .other }
      switch row.kind {
      case "run_started":
        names = (value["requests"]?.elements ?? []).map { request in
          request["name"]?.string?.split(separator: ".").last.map(String.init) ?? ""
        }
        return .started(names: names)
      case "run_resumed": return .resumed
      case "end_lost": return .endLost
      case "call_started":
        let operations = (value["operations"]?.elements ?? []).map { operation in
          (mark(operation, names), operation["attempt"]?.integer ?? 1)
        }
        return .call(
          number: value["call"]?.integer ?? 0, kind: value["kind"]?.string ?? "",
          operations: operations, round: value["round"]?.integer ?? 0,
          at: value["at"]?.integer ?? 0)
      case "call_ended": return .callEnded(number: value["call"]?.integer ?? 0)
      case "attempt_ended":
        return .attempt(
          mark: mark(value, names), attempt: value["attempt"]?.integer ?? 1,
          outcome: value["outcome"]?.string ?? "succeeded",
          reason: value["failure"]?["reason"]?.string,
          call: value["call"]?.integer ?? 0)
      case "request_ended":
        let status = value["status"]?.string ?? "succeeded"
        let isDecision = value["decision"] != nil && status == "cancelled"
        return .request(
          mark: mark(value, names), status: isDecision ? "not_applied" : status,
          remark: (value["note"]?.string ?? "") + (value["failure"]?["hint"]?.string ?? ""))
      case "baseline_read": return .baseline(extent: value["extent"]?.string ?? "")
      case "paused": return .paused(cause: value["cause"]?.string ?? "")
      case "concurrency_changed":
        return .concurrencyChanged(cause: value["cause"]?.string ?? "")
      case "run_ended":
        return .ended(
          status: value["status"]?.string ?? "", exitCode: value["exit_code"]?.integer ?? -1,
          at: value["at"]?.integer ?? 0, resumeAfter: value["resume_after"]?.integer)
      default: return .other
      }
    }
  }

  /// The requests whose ends are in the rows.
  static func ended(_ rows: some Sequence<JournalRow>) -> Set<String> {
    Set(
      rows.compactMap { entry in
        if case .request(let mark, _, _) = entry { mark } else { nil }
      })
  }

  private static func mark(_ value: Value, _ names: [String]) -> String {
    guard let index = value["request"]?.integer, names.indices.contains(index) else { return "" }
    return value["key"]?.string.map { "\(names[index])-\($0)" } ?? names[index]
  }
}
