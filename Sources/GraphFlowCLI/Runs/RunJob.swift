import GraphFlow

/// A workflow and its inputs: all that is left is to run it.
struct RunJob: Sendable {
  /// The workflow, checked.
  let workflow: Workflow
  /// Its inputs, resolved.
  let inputs: InputValues
  /// The digests of the files that its items come from, by path.
  let itemFiles: [String: String]
  /// What the person who started it has chosen.
  var options: RunOptions
  /// The key under which there is at most one run of the file.
  var key: String?
  /// Whether it starts in place of a run that is lost: every write that may not be repeated is in
  /// doubt then.
  var beginsInDoubt = false
  /// The run that it goes on with, if it does not start one.
  var resuming: ResumedRun?
}

/// A run that was started before and goes on.
struct ResumedRun: Sendable {
  /// How it started.
  let start: RunStart
  /// Whether the workflow file is another one now, and that is accepted.
  let isChanged: Bool
  /// Whether files may have changed in more than a few rows.
  let acceptsChange: Bool
  /// What a person found out about writes in doubt.
  let findings: [DoubtFinding]
  /// Whether it goes on although its journal has lost its end.
  let hasLostEnd: Bool

  /// What is journaled before the run continues with a changed file; nothing for an unchanged one.
  ///
  /// The file, and the loss of the journal's end if that is accepted.
  func beginning(with changed: RunStart, at moment: Timestamp) -> [RunEvent] {
    guard isChanged else { return [] }
    return [.runStarted(changed)] + (hasLostEnd ? [.endLost(moment)] : [])
  }
}
