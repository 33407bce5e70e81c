import GraphFlow

/// A workflow and its inputs: all that is left is to run it.
struct RunJob: Sendable {
  /// The workflow, checked.
  let workflow: Workflow
  /// Its inputs, resolved.
  let inputs: InputValues
  /// The digests of the files that its items come from, by path.
  let itemFiles: [String: String]
  /// What a person found out about writes in doubt.
  var findings: [DoubtFinding] = []
  /// How the run started, if it goes on rather than starts.
  var resuming: RunStart?
}
