import GraphFlow

/// A workflow and its inputs: all that is left is to run it.
struct RunJob: Sendable {
  /// The workflow, checked.
  let workflow: Workflow
  /// Its inputs, resolved.
  let inputs: InputValues
  /// How the run started, if it goes on rather than starts.
  var resuming: RunStart?
}
