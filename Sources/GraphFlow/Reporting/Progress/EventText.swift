internal import GraphAPI

/// The events of a run as lines for people.
package struct EventText: Sendable {
  private var names: [String] = []
  private var start: RunStart?

  package init() {}

  /// The text for the next event, without the last line break; nil for none.
  ///
  /// Untrusted text is escaped, so it can neither control the terminal nor inject commands of a CI
  /// system.
  package mutating func line(for event: RunEvent) -> String? {
    switch event {
    case .runStarted(let start):
      self.start = start
      names = start.requests.map { UntrustedText.safe($0.name) }
      let count = names.count
      return "run \(start.id): \(UntrustedText.safe(start.workflow)), "
        + "\(count) \(count == 1 ? "request" : "requests")"
    case .runResumed(let time): return "resumed at \(time)"
    case .endLost:
      return "the end of the journal is lost: writes without a result in it are in doubt"
    case .permissionsRead(let readings):
      return "permissions read: "
        + readings.map { UntrustedText.safe("\($0.permission) \($0.status)") }
        .joined(separator: ", ")
    case .tokenRead(let reading): return line(for: reading)
    case .callStarted(let start): return line(for: start)
    case .callEnded(let end): return line(for: end)
    case .baselineRead, .itemsListed: return nil
    case .reportRun(let run):
      return run.run.map {
        "\(name(run.request, run.item)) is made by the run \(UntrustedText.safe($0))"
      }
    case .paused(let pause): return "paused until \(pause.until): \(pause.reason)"
    case .concurrencyChanged(let change): return line(for: change)
    case .attemptEnded(let end): return line(for: end)
    case .requestEnded(let end): return line(for: end)
    case .runEnded(let end): return line(for: end)
    }
  }

  private func line(for reading: TokenReading) -> String {
    let found =
      switch reading.outcome {
      case .renewed: "returned a new token"
      case .unchanged: "returned the same token"
      case .unavailable: "returned no token"
      }
    return "the profile \(UntrustedText.safe(reading.profile)) \(found)"
      + text(of: reading.failure)
  }

  private func line(for start: CallStart) -> String {
    let count = start.operations.count
    let load =
      switch start.kind {
      case .batch: count == 1 ? "1 operation" : "\(count) operations"
      case .single: start.operations.first.map { name($0.request, $0.item) } ?? "1 operation"
      case .confirm:
        start.operations.isEmpty
          ? "reads what exists before a write" : "checks whether a write happened"
      case .auth: "looks up permissions"
      }
    return "call \(start.number), round \(start.round): \(load)"
  }

  private func line(for end: CallEnd) -> String {
    let time = ElapsedTime.text(milliseconds: end.durationMilliseconds)
    let status = end.httpStatus.map { "HTTP \($0)" } ?? "no answer"
    let failure = end.failure.map { ": " + UntrustedText.safe($0) } ?? ""
    let versions = end.otherVersions.map {
      ", " + UntrustedText.safe("\($0.asked) as \($0.served)")
    }
    return "call \(end.number): \(status) after \(time)\(versions.joined())\(failure)"
  }

  private func line(for change: ConcurrencyChange) -> String {
    let reason =
      switch change.cause {
      case .growth: "answers are as fast as with fewer"
      case .latency: "with more, answers take longer"
      case .throttled: "Graph has refused operations"
      case .timeout: "a call has timed out"
      }
    return "up to \(change.calls) \(change.calls == 1 ? "call" : "calls") at a time: \(reason)"
  }

  private func line(for end: AttemptEnd) -> String? {
    guard end.outcome != .succeeded else { return nil }
    return "attempt \(end.attempt.number) of \(name(end.attempt.request, end.attempt.item)) "
      + (end.outcome == .failed ? "failed" : "is in doubt") + text(of: end.failure)
  }

  private func line(for end: RequestEnd) -> String {
    var line = "\(end.status.displayText): \(name(end.request, end.item))"
    if let reason = end.skipReason { line += " (\(reason.rawValue))" }
    return line + text(of: end.failure)
  }

  private func line(for end: RunEnd) -> String {
    guard let start else { return "run \(end.status.displayText)" }
    var report = Report(of: [.runStarted(start)])
    report.apply(.runEnded(end))
    let time = report.durationMilliseconds.map { " in " + ElapsedTime.text(milliseconds: $0) }
    return "run \(start.id): \(end.status.displayText)\(time ?? "")"
  }

  private func text(of failure: Failure?) -> String {
    guard let failure else { return "" }
    return ": \(UntrustedText.safe(failure.error.message)) [\(failure.reason.rawValue)]"
  }

  private func name(_ request: Int, _ item: ItemID?) -> String {
    let name = names.indices.contains(request) ? names[request] : "request \(request)"
    return item.map { "\(name)[\(UntrustedText.safe($0.key))]" } ?? name
  }
}
