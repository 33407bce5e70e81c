internal import GraphAPI
internal import JSONPath

/// A run's progress as lines: which events are worth one, and when a reminder is.
package struct ProgressLines: Sendable {
  /// What the lines are for.
  package enum Format: Hashable, Sendable {
    /// Above a block that shows the figures.
    case aboveBlock
    /// For pipes and log files, at a modest rate.
    case plain
    /// A line for each event.
    case verbose
    /// For programs: one object a line.
    case json
  }

  package private(set) var run: WatchedRun
  private let format: Format
  private var text = EventText()
  /// The kinds of failures that were shown.
  private var kinds = 0
  private var tenths = 0
  private var lastLine: Timestamp?

  package init(_ format: Format, total: WatchedRun.Total?) {
    (self.format, run) = (format, WatchedRun(total: total))
  }

  /// Adds an event of an earlier session, which is not shown again.
  package mutating func replay(_ event: RunEvent) {
    _ = run.apply(event)
    _ = text.line(for: event)
  }

  /// The lines for the next event.
  package mutating func lines(for event: RunEvent, at now: Timestamp) -> [String] {
    var isNew = run.apply(event)
    if isNew {
      kinds += 1
      isNew = kinds <= Report.shownGroups
    }
    if format == .verbose { return [text.line(for: event)].compactMap(\.self) }
    var lines: [String] = []
    if let name = name(of: event, isNew: isNew) {
      let line = text.line(for: event) ?? ""
      lines = [format == .json ? json(name, event, at: now) : line]
    } else if case .requestEnded = event, hasReachedTenth(at: now) {
      lines = [figures(at: now)]
    }
    if !lines.isEmpty { lastLine = now }
    return lines
  }

  /// A line with the figures, if there was none for a while: half a minute, and a second for programs.
  package mutating func reminder(at now: Timestamp) -> String? {
    run.note(at: now)
    guard format == .json || format == .plain, run.start != nil, run.end == nil else { return nil }
    let silence = Duration.seconds(format == .json ? 1 : 30)
    guard let last = lastLine, last.advanced(by: silence) > now else {
      defer { lastLine = now }
      return lastLine == nil ? nil : figures(at: now)
    }
    return nil
  }

  /// Whether one more tenth of a long run is done, ten seconds after the last line or later.
  private mutating func hasReachedTenth(at now: Timestamp) -> Bool {
    guard format == .plain, let total = run.total, total.known >= 100 else { return false }
    let reached = (run.percentage ?? 0) / 10
    guard reached > tenths, reached < 10 else { return false }
    tenths = reached
    return lastLine.map { $0.advanced(by: .seconds(10)) <= now } ?? true
  }

  private func figures(at now: Timestamp) -> String {
    format == .json ? json("progress", nil, at: now) : run.logLine
  }

  /// The name of an event that is worth a line; nil for others.
  private mutating func name(of event: RunEvent, isNew: Bool) -> String? {
    let isAbove = format == .aboveBlock
    switch event {
    case .runStarted:
      _ = text.line(for: event)
      return isAbove ? nil : "started"
    case .runResumed: return isAbove ? nil : "resumed"
    case .endLost: return "end_lost"
    case .permissionsRead: return "permissions"
    case .tokenRead: return "token"
    case .paused: return isAbove ? nil : "paused"
    case .requestEnded: return isNew ? "failure" : nil
    case .runEnded: return isAbove ? nil : "ended"
    case .callStarted, .callEnded, .baselineRead, .itemsListed, .reportRun, .concurrencyChanged,
      .attemptEnded:
      return nil
    }
  }

  private func json(_ name: String, _ event: RunEvent?, at now: Timestamp) -> String {
    var object: JSON.Object = [
      "event": .string(name), "at": .string(now.description),
      "run": run.start.map { .string($0.id.description) } ?? .null,
    ]
    switch event {
    case .requestEnded(let end): object["failure"] = failure(end)
    case .runEnded(let end):
      object["status"] = .string(end.status.rawValue)
      object["exit_code"] = .number(JSON.Number(end.exitCode))
    default: break
    }
    for (name, value) in run.figures(at: now) { object[name] = value }
    return JSON.object(object).serialized()
  }

  private func failure(_ end: RequestEnd) -> JSON {
    [
      "request": run.start.map { .string($0.requests[end.request].name) } ?? .null,
      "item": end.item.map { .string($0.key) } ?? .null,
      "status": .string(end.status.rawValue),
      "reason": end.failure.map { .string($0.reason.rawValue) } ?? .null,
      "code": end.failure?.error.code.map { .number(JSON.Number($0)) } ?? .null,
      "message": end.failure.map { .string($0.error.message) } ?? .null,
    ]
  }
}

extension WatchedRun {
  /// The figures for programs.
  fileprivate func figures(at now: Timestamp) -> JSON.Object {
    func number(_ value: Int?) -> JSON { value.map { .number(JSON.Number($0)) } ?? .null }
    let pause: JSON? = pause(at: now).map {
      [
        "cause": .string($0.cause.rawValue),
        "scope": $0.scope.map { .string($0.rawValue) } ?? .null,
        "until": .string($0.until.description),
      ]
    }
    return [
      "done": number(done.requests),
      "total": number(total.flatMap { $0.isComplete ? $0.known : nil }),
      "succeeded": number(done.succeeded), "failed": number(done.failed),
      "in_doubt": number(done.inDoubt), "skipped": number(done.skipped),
      "cancelled": number(done.cancelled), "retried": number(retried),
      "calls_in_flight": number(inFlight.count), "usage_percent": number(usage),
      "operations_per_second": number(operationsPerSecond.map { Int($0.rounded()) }),
      "seconds_left": number(millisecondsLeft.map { Int(($0 + 999) / 1000) }),
      "pause": pause ?? .null,
    ]
  }
}
