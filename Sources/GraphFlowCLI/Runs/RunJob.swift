import GraphFlow

/// A workflow and its inputs, ready to run.
struct RunJob: Sendable {
  let workflow: Workflow
  let inputs: InputValues
  /// The digests of the files that its items come from, by path.
  let itemFiles: [String: String]
  var options: RunOptions
  /// The key under which there is at most one run of the file.
  var key: String?
  /// Whether it replaces a lost run: every write that may not be repeated is then in doubt.
  var beginsInDoubt = false
  /// The run that it continues; nil if it starts a new one.
  var resuming: ResumedRun?
}

/// A run that was started before and is continued.
struct ResumedRun: Sendable {
  let start: RunStart
  /// Whether the workflow file has changed, and that is accepted.
  let isChanged: Bool
  /// Whether more than a few keys may have changed in files of items.
  let acceptsChange: Bool
  let findings: [DoubtFinding]
  /// Whether it continues although its journal has lost its end.
  let hasLostEnd: Bool

  /// The events to append before the run continues with a changed file; none for an unchanged one.
  ///
  /// They hold the new start, and the loss of the journal's end if that is accepted.
  func beginning(with changed: RunStart, at time: Timestamp) -> [RunEvent] {
    guard isChanged else { return [] }
    return [.runStarted(changed)] + (hasLostEnd ? [.endLost(time)] : [])
  }
}
