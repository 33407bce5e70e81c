import GraphAPI
import GraphFlow

/// The outcome of a run so far, according to its journal.
struct RunRecord: Sendable {
  let id: RunID
  let start: RunStart
  let status: RunStatus
  let exitCode: Int
  let finishedAt: Timestamp?
  let inDoubt: Int
  /// Whether a write was sent, or may have been; always false for finished runs.
  let hasSentWrites: Bool
  /// Whether writes may have been sent that are not in the journal.
  let hasLostEnd: Bool

  /// Reads a journal; all of it only if a write may be in doubt or the run is unfinished.
  ///
  /// Nil for a run that was killed before it started.
  init?(_ id: RunID, in directory: StateDirectory) throws {
    let reading = try directory.reading(id)
    let (first, last) = try reading.firstAndLastEvents()
    if case .runEnded(let end) = last, end.status == .succeeded || end.status == .failed,
      try !reading.mayContainDoubt()
    {
      (status, exitCode, finishedAt) = (end.status, end.exitCode, end.finishedAt)
      (inDoubt, hasSentWrites, hasLostEnd) = (0, false, false)
    } else {
      let report = Pipeline.report(of: RunHistory(try reading.events()))
      (status, exitCode, finishedAt) = (report.status, report.exitCode, report.end?.finishedAt)
      inDoubt = report.summary.inDoubt
      hasLostEnd = report.hasLostEnd
      hasSentWrites = report.requests.contains { request in
        request.facts.method != .get && (!request.attempts.isEmpty || request.uncertainty != nil)
      }
    }
    guard case .runStarted(let start) = first else { return nil }
    (self.id, self.start) = (id, start)
  }

  /// Whether it was stopped early, by a signal, a throttle or a crash.
  var isUnfinished: Bool { status == .cancelled || status == .unfinished }

  /// Whether a person has to check a write; not if the workflow ignores writes in doubt.
  ///
  /// If the end of a journal was lost, writes that have no entry may have been sent.
  var needsCheck: Bool {
    hasLostEnd ? status != .succeeded : inDoubt > 0 && status != .succeeded && status != .failed
  }

  /// Whether removing it could lose a result or cause a write to be sent twice.
  ///
  /// A run with `--sandbox` is never worth keeping, because it cannot be continued.
  var isWorthKeeping: Bool {
    !start.isSandboxRun && (isUnfinished || inDoubt > 0 || needsCheck)
  }
}

extension RunStart {
  /// The path of the workflow file, valid in any current folder.
  var path: String { file.hasPrefix("/") ? file : (folder.map { $0 + "/" } ?? "") + file }
}
