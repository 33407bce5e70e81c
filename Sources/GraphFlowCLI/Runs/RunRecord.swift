import GraphAPI
import GraphFlow

/// What became of a run so far, as its journal has it.
struct RunRecord: Sendable {
  /// Its id.
  let id: RunID
  /// How it started; nil if it was killed before.
  let start: RunStart?
  /// How it ended.
  let status: RunStatus
  /// The exit code of its command.
  let exitCode: Int
  /// When it ended; nil if it has not.
  let finishedAt: Timestamp?
  /// How many of its writes are in doubt.
  let inDoubt: Int
  /// Whether a write was sent, or may have been; unknown of runs that are over, and false then.
  let hasSentWrites: Bool
  /// Whether writes may have been sent of which the journal knows nothing.
  let hasLostEnd: Bool

  /// Reads a journal, all of it only if a write may be in doubt or the run is not at its end.
  init(_ id: RunID, in directory: StateDirectory) throws {
    self.id = id
    let reading = try directory.reading(id)
    let (first, last) = try reading.firstAndLastEvents()
    if case .runStarted(let start) = first { self.start = start } else { start = nil }
    if case .runEnded(let end) = last, end.status == .succeeded || end.status == .failed,
      try !reading.mayContainDoubt()
    {
      (status, exitCode, finishedAt) = (end.status, end.exitCode, end.finishedAt)
      (inDoubt, hasSentWrites, hasLostEnd) = (0, false, false)
      return
    }
    let report = Pipeline.report(of: RunHistory(try reading.events()))
    (status, exitCode) = (report.status, report.exitCode)
    finishedAt = report.end?.finishedAt
    inDoubt = report.summary.inDoubt
    hasLostEnd = report.hasLostEnd
    hasSentWrites = report.requests.contains { request in
      request.facts.method != .get && (!request.attempts.isEmpty || request.uncertainty != nil)
    }
  }

  /// Whether it was stopped on the way, by a signal, a throttle or a crash.
  var isUnfinished: Bool { status == .cancelled || status == .unfinished }

  /// Whether a person has to look what became of a write; not if the author said to ignore it.
  ///
  /// Where an end was lost, writes that the run never came to may have been sent before.
  var needsCheck: Bool {
    hasLostEnd ? status != .succeeded : inDoubt > 0 && status != .succeeded && status != .failed
  }

  /// Whether something would be lost with it, or sent twice without it.
  ///
  /// A rehearsal cannot go on, whatever it came to.
  var isWorthKeeping: Bool {
    guard let start, !start.isSandboxRun else { return false }
    return isUnfinished || inDoubt > 0 || needsCheck
  }
}

extension RunStart {
  /// The path of the workflow file, from wherever one is.
  var path: String {
    file.hasPrefix("/") ? file : (folder.map { $0 + "/" } ?? "") + file
  }
}
