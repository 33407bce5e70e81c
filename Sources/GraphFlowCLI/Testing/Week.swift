import GraphAPI
import GraphFlow
import GraphSandbox

/// A week of a schedule in one world, whose runs know of each other as those that cron starts.
struct Week: Sendable {
  let workflow: Workflow
  let inputs: InputValues
  let given: TestFile.Given
  private let schedule: Workflow.Schedule
  private let zone: ZoneClock

  /// A start of the workflow.
  private struct Start: Sendable {
    let line: String
    let exit: Int
    /// The errors of Graph, each with its time in seconds since 1970.
    let errors: [(error: String, time: Int)]
    let writes: [SandboxCall.Operation]
  }

  init(of workflow: Workflow, inputs: InputValues, given: TestFile.Given) throws {
    (self.workflow, self.inputs, self.given) = (workflow, inputs, given)
    schedule = try workflow.requiredSchedule()
    guard let zone = ZoneClock(named: schedule.timeZone) else {
      throw CommandFailure(.internalError, "the rules of \(schedule.timeZone) are missing")
    }
    self.zone = zone
  }

  private static let length: Int64 = 7 * 86_400

  /// Plays the week and prints what came of each start; the status says whether all succeeded.
  func play() async throws -> ExitStatus {
    let first = Int64(Stage.opening(of: given))
    let times = schedule.cron.times(7 * 24 * 60, after: first - 1, in: zone)
      .filter { $0 < first + Self.length }
    let starts = try await Stage.opened(for: given, isKept: true) { stage in
      var keys: Set<String> = []
      var starts: [Start] = []
      for time in times where keys.insert(schedule.runKey(at: time, in: zone)).inserted {
        try Task.checkCancellation()
        // A run that takes longer than to the next time delays that one.
        try await stage.clock.sleep(until: .init(offset: .seconds(time)), tolerance: nil)
        let key = schedule.runKey(at: time, in: zone)
        let result = try await stage.run(workflow, key: key) { inputs }
        let start = start(at: time, result)
        try Terminal.printText(start.line + "\n")
        starts.append(start)
      }
      return starts
    }
    let end = Timestamp(milliseconds: (first + Self.length) * 1000)
    try Terminal.printText(summary(of: starts, until: "\(end)".prefix(19) + "Z"))
    return starts.allSatisfy { $0.exit == 0 } ? .succeeded : .failed
  }

  private func start(at time: Int64, _ result: Stage.Result) -> Start {
    let (calls, writes) = (result.report?.summary.calls ?? 0, result.writes)
    var words = [
      zone.rfc3339(time), "exit \(result.exit)", calls == 1 ? "1 call" : "\(calls) calls",
      writes.count == 1 ? "1 write" : "\(writes.count) writes",
    ]
    let problem = result.report?.failureGroups.first { $0.status != .skipped }
    if let problem, let status = problem.status?.rawValue {
      let reason = problem.failure.map { ": \($0.error.message)" } ?? ""
      words.append("\(problem.first.displayName) \(status)\(reason)")
    } else if result.report == nil {
      words.append(String(result.messages.trimmingPrefix("error: ").prefix { $0 != "\n" }))
    }
    return Start(
      line: words.joined(separator: "  "), exit: result.exit, errors: errors(of: result, at: time),
      writes: writes)
  }

  /// The errors that operations got, and those of calls that were refused as a whole.
  private func errors(of result: Stage.Result, at time: Int64) -> [(error: String, time: Int)] {
    let own = result.calls.flatMap { call in
      // Look-ups of permissions are expected to fail for some tokens.
      call.operations.filter { !$0.resolvedURL.hasPrefix("me/permissions") }
        .compactMap { operation in operation.error.map { ($0, call.time) } }
    }
    let others = (result.report?.requests ?? []).compactMap { request -> String? in
      let error = request.currentEnd?.failure?.error
      return error?.code.map { code in "\(code)" + (error?.subcode.map { "/\($0)" } ?? "") }
    }
    let seen = Set(own.map(\.0))
    return own + others.filter { !seen.contains($0) }.map { ($0, Int(time)) }
  }

  private func summary(of starts: [Start], until end: some StringProtocol) -> String {
    func counted<Key: Hashable>(_ keys: some Sequence<Key>) -> [(key: Key, count: Int)] {
      var (order, counts): ([Key], [Key: Int]) = ([], [:])
      for key in keys where counts.updateValue((counts[key] ?? 0) + 1, forKey: key) == nil {
        order.append(key)
      }
      return order.map { ($0, counts[$0] ?? 0) }
    }
    let exits = counted(starts.map(\.exit)).map { "\($0.count) with exit \($0.key)" }
    let count = starts.count == 1 ? "1 start" : "\(starts.count) starts"
    var lines = [
      "\(count) until \(end)" + (exits.isEmpty ? "" : ": ") + exits.joined(separator: ", ")
    ]
    let errors = starts.flatMap(\.errors)
    for (error, count) in counted(errors.map(\.error)) {
      let seconds = errors.first { $0.error == error }?.time ?? 0
      let time = "\(Timestamp(milliseconds: Int64(seconds) * 1000))".prefix(19) + "Z"
      let hint = ErrorExplanation(error)?.rows.first.map { ": \($0.hint)" } ?? ""
      lines.append(
        "error \(error), \(count == 1 ? "once" : "\(count) times"), first at \(time)\(hint)")
    }
    let writes = starts.flatMap(\.writes).map { operation in
      "\(operation.method) \(operation.resolvedURL) \(operation.written?.dropFirst() ?? "")"
    }
    for (write, count) in counted(writes) where count > 1 {
      lines.append("written \(count) times: \(write)")
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
