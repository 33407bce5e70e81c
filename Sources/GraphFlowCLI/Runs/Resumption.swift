import GraphFlow
import JSONPath

/// Prepares to go on with a run: its file, its inputs and its options as they were.
struct Resumption: Sendable {
  /// What the command line says of inputs: the secret ones, which no journal has.
  let inputs: InputOptions
  /// Whether flags for other inputs are an error, or meant for a run that starts.
  var refusesNewInputs = true
  /// Whether the workflow file, and more than a few keys of its items, may have changed.
  var acceptsChange = false
  /// What a person found out about writes in doubt.
  var findings: [DoubtFinding] = []
  /// Whether a journal that has lost its end is gone on with, its writes in doubt.
  var acceptsLostEnd = false
  /// Whether only errors are told of.
  var isQuiet = false
  /// How many calls may be under way, if it is to be another number than before.
  var concurrency: Int?
  /// How much of Graph's limits may be used, if it is to be something else than before.
  var budget: RunBudget?

  /// The job of a run that goes on.
  ///
  /// - Throws: a ``CommandFailure`` with ``ExitStatus/invalid`` if it cannot.
  func job(for start: RunStart) throws -> RunJob {
    let workflow = try workflow(of: start)
    let isChanged = workflow.source.digest != start.fileDigest
    if refusesNewInputs { try refuseNewInputs(of: workflow, start, isChanged: isChanged) }
    let values = try inputs.resolved(
      for: workflow,
      recorded: recorded(start, workflow),
      ignoringFlags: !refusesNewInputs,
      quietly: isQuiet
    )
    try refuseDifferentValues(values, than: start)
    let files = try ItemCheck.digests(of: workflow, inputs: values)
    try ItemCheck.refuseChanges(of: workflow, inputs: values, from: start, to: files)
    var options = start.options
    if let concurrency { options.concurrency = concurrency }
    if let budget { options.budget = budget }
    return RunJob(
      workflow: workflow,
      inputs: values,
      itemFiles: files,
      options: options,
      key: start.key,
      resuming: ResumedRun(
        start: start,
        isChanged: isChanged,
        acceptsChange: acceptsChange,
        findings: findings,
        hasLostEnd: acceptsLostEnd
      )
    )
  }

  /// The workflow that the run was started with, or what has become of it.
  private func workflow(of start: RunStart) throws -> Workflow {
    guard start.file != "-" else {
      throw CommandFailure(.invalid, "the workflow came from standard input and is not kept")
    }
    // What has been sent already may have gone since.
    let workflow = try WorkflowFiles.workflow(
      at: start.path,
      needsFiles: false,
      quietly: isQuiet
    )
    guard workflow.source.digest == start.fileDigest || acceptsChange else {
      throw CommandFailure(
        .invalid,
        "'\(start.file)' has changed since the run \(start.id) was started",
        hint: "put the old file back, or accept it: graphflow resume \(start.id) --accept-changed"
      )
    }
    return workflow
  }

  /// The inputs whose values the journal does not hold: secrets, and what looks like one.
  private func missing(from start: RunStart, _ workflow: Workflow) -> Set<String> {
    Set(
      workflow.inputs
        .filter { $0.isSecret || start.inputs[$0.name.text]?.isMasked == true }.map(\.name.text)
    )
  }

  /// Refuses values that cannot be those that the journal has masked.
  private func refuseDifferentValues(_ values: InputValues, than start: RunStart) throws {
    guard let name = values.differing(from: start.inputs).first else { return }
    throw CommandFailure(
      .invalid,
      "the input '\(name)' is not what it was when the run started",
      hint: "the journal keeps nothing that looks like a token: give the same value again, by "
        + "--input \(name)=… or as the run was given it"
    )
  }

  /// Refuses to change an input half-way: what was sent already was sent with the old one.
  ///
  /// A changed file may have new ones.
  private func refuseNewInputs(
    of workflow: Workflow,
    _ start: RunStart,
    isChanged: Bool
  ) throws {
    let secrets = missing(from: start, workflow)
    let refused = inputs.values.first { input in
      !secrets.contains(input.name) && !(isChanged && start.inputs[input.name] == nil)
    }
    guard let refused else { return }
    throw CommandFailure(
      .invalid,
      "the input '\(refused.name)' stays what it was when the run started",
      hint:
        "only what the journal has masked is given again; with other inputs, run the workflow anew"
    )
  }

  /// The inputs as the journal has them, as if they stood on the command line.
  ///
  /// What was masked is not in the journal, and a changed file may take fewer.
  private func recorded(_ start: RunStart, _ workflow: Workflow) -> [InputAssignment] {
    let secrets = missing(from: start, workflow)
    let known = Set(workflow.inputs.map(\.name.description))
    return start.inputs.compactMap { name, value in
      guard !secrets.contains(name), known.contains(name) else { return nil }
      return InputAssignment(name: name, value: value.string ?? value.serialized())
    }
  }
}

extension ResumedRun {
  /// Refuses a changed file that would lose sight of a write in doubt.
  func refuseLostDoubt(in report: Report, for changed: RunStart) throws {
    var facts: [String: RequestFacts] = [:]
    for request in changed.requests { facts[request.name] = request }
    for request in report.requests where request.status == .inDoubt {
      let now = facts[request.facts.name]
      guard now?.method != request.facts.method || now?.isRepeated != request.facts.isRepeated
      else { continue }
      throw CommandFailure(
        .invalid,
        "'\(request.displayName)' is in doubt, and the changed file does not have it as it was",
        hint: "put it back, or say what happened first: --applied NAME=ID or --not-applied NAME "
          + "with the old file"
      )
    }
  }
}
