internal import JSONPath

/// Makes one history of the runs of a job's parts, one after the other.
///
/// Its events are those of one run of the whole workflow, with the calls of all parts. A report of the
/// job is a fold over them.
package struct JobHistory: Sendable {
  /// The first event.
  package let start: RunStart
  /// Whether each request is one of the current part's own.
  private var isOwn: [Bool] = []
  /// The number of calls of the parts before the current one.
  private var callsBefore = 0
  private var calls = 0
  /// The ends of the parts before, and of the current one if it has ended.
  private var ends: [RunEnd] = []
  private var end: RunEnd?

  /// Begins the history of a job; nil without a part.
  package init?(of parts: [RunStart]) {
    guard var start = parts.first else { return nil }
    start.startedAt = parts.map(\.startedAt).min() ?? start.startedAt
    // The first run's start, from which all parts count dates, is that of the job.
    start.datesFrom = nil
    let totals = parts.compactMap(\.total)
    start.total = totals.count == parts.count ? totals.reduce(0, +) : nil
    for index in start.requests.indices { start.requests[index].part = nil }
    self.start = start
  }

  /// Begins the part with this start.
  package mutating func beginPart(_ start: RunStart) {
    isOwn = start.requests.map { !start.isElsewhere($0) }
  }

  /// Ends a part.
  ///
  /// - Returns: Whether it has ended for good, and not only in its last session.
  package mutating func finishPart() -> Bool {
    callsBefore = calls
    defer { end = nil }
    if let end { ends.append(end) }
    return end != nil
  }

  /// An event of the current part as an event of the job; nil for its start and its end, and for a GET
  /// of another part that it has sent again.
  package mutating func event(_ event: RunEvent) -> RunEvent? {
    let own = event.renumbered { isOwn.indices.contains($0) && isOwn[$0] ? $0 : nil }
    switch own {
    case nil, .runStarted: return nil
    case .runEnded(let end):
      self.end = end
      return nil
    case .runResumed:
      end = nil
      return own
    case .callStarted(var start):
      start.number += callsBefore
      calls = max(calls, start.number)
      return .callStarted(start)
    case .callEnded(var end):
      end.number += callsBefore
      return .callEnded(end)
    case .attemptEnded(var end):
      end.call += callsBefore
      return .attemptEnded(end)
    case .endLost, .permissionsRead, .tokenRead, .baselineRead, .itemsListed, .reportRun,
      .paused, .concurrencyChanged, .requestEnded:
      return own
    }
  }

  /// The last event, once all parts have ended.
  ///
  /// - Parameter worst: the status and the exit code of the job.
  /// - Returns: The event; nil if no part has ended.
  package func end(as worst: (status: RunStatus, exitCode: Int)) -> RunEnd? {
    guard let latest = ends.map(\.finishedAt).max() else { return nil }
    return RunEnd(
      finishedAt: latest, status: worst.status, exitCode: worst.exitCode, outputs: outputs,
      callsLowerBound: ends.map(\.callsLowerBound).reduce(0, +),
      waitedMilliseconds: ends.map(\.waitedMilliseconds).reduce(0, +),
      resumeAfter: ends.compactMap(\.resumeAfter).max())
  }

  /// The outputs of all parts; rows are counted together, and null if a part lacks one.
  private var outputs: JSON.Object {
    var names: [String] = []
    var values: [String: JSON] = [:]
    for (name, value) in ends.flatMap({ $0.outputs.map { ($0.0, $0.1) } }) {
      guard let known = values[name] else {
        names.append(name)
        values[name] = value
        continue
      }
      guard let one = known["rows"]?.integer, let other = value["rows"]?.integer else {
        values[name] = .null
        continue
      }
      values[name] = ["rows": .number(JSON.Number(one + other))]
    }
    return JSON.Object(names.map { ($0, values[$0] ?? .null) })
  }
}
