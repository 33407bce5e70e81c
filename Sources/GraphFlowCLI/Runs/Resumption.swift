import GraphFlow
import JSONPath

/// Prepares to continue a run with its file, its inputs and its options.
struct Resumption: Sendable {
  /// The inputs on the command line: secret ones, which are not in the journal.
  let inputs: InputOptions
  /// Whether flags for other inputs are an error; otherwise they are meant for a new run.
  var refusesNewInputs = true
  /// Whether the workflow file, and more than a few keys of its items, may have changed.
  var acceptsChange = false
  var findings: [DoubtFinding] = []
  /// Whether a journal that has lost its end is accepted, with its writes in doubt.
  var acceptsLostEnd = false
  var isQuiet = false
  var concurrency: Concurrency?
  var budget: RunBudget?
  var deadline: Duration?
  var maxWrites: Int?
  /// The places of files that are not where they were, by their paths in the workflow.
  var files: [String: String] = [:]

  /// The same for a run of this command, whose doubts and lost end are settled.
  var again: Resumption {
    var again = self
    (again.findings, again.acceptsLostEnd) = ([], false)
    return again
  }

  func job(for start: RunStart, in store: any StateStore) throws -> RunJob {
    let workflow = try workflow(of: start, in: store)
    let isChanged = workflow.source.digest != start.fileDigest
    if refusesNewInputs { try refuseNewInputs(of: workflow, start, isChanged: isChanged) }
    let values = try inputs.resolved(
      for: workflow, recorded: recorded(start, workflow), ignoringFlags: !refusesNewInputs,
      quietly: isQuiet)
    try refuseDifferentValues(values, than: start)
    let shard = start.options.shard
    let (items, digests) = try ItemCheck.items(
      of: workflow, inputs: values, shard: shard, given: files, datesFrom: start.identity.datesFrom)
    try refuseOtherFiles(than: start, digests)
    try ItemCheck.refuseChanges(of: workflow, inputs: values, from: start, to: digests)
    var options = start.options
    if let concurrency { options.concurrency = concurrency.number }
    if let budget { options.budget = budget }
    if let deadline { options.deadline = deadline }
    if let maxWrites { options.maxWrites = maxWrites }
    return RunJob(
      workflow: workflow, inputs: values, itemFiles: digests,
      total: WatchedRun.Total(of: workflow, items, shard: shard), options: options, key: start.key,
      resuming: ResumedRun(start: start, isChanged: isChanged, resumption: self), givenFiles: files)
  }

  /// Refuses a given file of items that is not the one with which the run was started.
  private func refuseOtherFiles(than start: RunStart, _ digests: [String: String]) throws {
    for (path, place) in files.sorted(by: { $0.key < $1.key }) {
      guard let old = start.itemFiles[path], old != digests[path] else { continue }
      throw CommandFailure(
        .invalid, "'\(place)' is not the '\(path)' with which the run \(start.id) was started",
        hint: "nothing was sent; copy the file from the host where the run was started")
    }
  }

  /// The workflow with which the run was started, or its changed version if that is accepted.
  ///
  /// On a host that does not have the file, the copy in the store is used.
  private func workflow(of start: RunStart, in store: any StateStore) throws -> Workflow {
    guard start.file != "-" else {
      throw CommandFailure(
        .invalid,
        "the run cannot be continued: its workflow came from standard input and is not kept")
    }
    // Files that were sent may have been removed since.
    let copy = FileStatus(start.path) == nil ? try store.keptFile(of: start.id) : nil
    let workflow = try WorkflowFiles.workflow(
      at: start.path, copy: copy, part: start.options.part, needsFiles: false, quietly: isQuiet)
    guard workflow.source.digest == start.fileDigest || acceptsChange else {
      throw CommandFailure(
        .invalid, "'\(start.file)' has changed since the run \(start.id) was started",
        hint:
          "restore the old file, or accept the new one: graphflow resume \(start.id) --accept-changed"
      )
    }
    return workflow
  }

  /// The inputs whose values the journal does not hold: secrets, and what looks like a secret.
  private func missing(from start: RunStart, _ workflow: Workflow) -> Set<String> {
    Set(
      workflow.inputs
        .filter { $0.isSecret || start.inputs[$0.name.text]?.isMasked == true }.map(\.name.text))
  }

  /// Refuses values that differ from those that the journal has masked.
  private func refuseDifferentValues(_ values: InputValues, than start: RunStart) throws {
    guard let name = values.differing(from: start.inputs).first else { return }
    throw CommandFailure(
      .invalid, "the input '\(name)' does not have the value with which the run was started",
      hint: "the journal keeps no value that looks like a token: give the same value again, with "
        + "--input \(name)=… or as at the start of the run")
  }

  /// Refuses to change an input in the middle of a run: earlier requests were sent with the old value.
  ///
  /// A changed file may have new inputs.
  private func refuseNewInputs(of workflow: Workflow, _ start: RunStart, isChanged: Bool) throws {
    let secrets = missing(from: start, workflow)
    let refused = inputs.values.first { input in
      !secrets.contains(input.name) && !(isChanged && start.inputs[input.name] == nil)
    }
    guard let refused else { return }
    throw CommandFailure(
      .invalid, "the input '\(refused.name)' keeps the value with which the run was started",
      hint:
        "only values that the journal has masked are given again; for other inputs start a new run")
  }

  /// The inputs in the journal, in the form of the command line.
  ///
  /// Masked values are left out, and so are inputs that a changed file does not declare.
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
  /// Refuses a changed file without a write that is in doubt.
  func refuseLostDoubt(in report: Report, for changed: RunStart) throws {
    var facts: [String: RequestFacts] = [:]
    for request in changed.requests { facts[request.name] = request }
    for request in report.requests where request.status == .inDoubt {
      let now = facts[request.facts.name]
      guard now?.method != request.facts.method || now?.isRepeated != request.facts.isRepeated
      else { continue }
      throw CommandFailure(
        .invalid,
        "'\(request.displayName)' is in doubt, but the changed file has removed or changed it",
        hint: "restore it, or first resume with the old file and report what happened: "
          + "--applied NAME=ID or --not-applied NAME")
    }
  }
}

/// A workflow and its inputs, ready to run.
struct RunJob: Sendable {
  let workflow: Workflow
  let inputs: InputValues
  /// The digests of the files that its items come from, by path.
  private(set) var itemFiles: [String: String]
  /// The number of its requests, as far as it is known before the run.
  private(set) var total: WatchedRun.Total
  var options: RunOptions
  /// The key under which there is at most one run of the file.
  var key: String?
  /// Whether it replaces a lost run: every write that may not be repeated is then in doubt.
  var beginsInDoubt = false
  /// The run that it continues; nil if it starts a new one.
  var resuming: ResumedRun?
  /// The places of files that are not in the workflow's folder, by their paths in the workflow.
  var givenFiles: [String: String] = [:]

  /// The identity of its run; nil before the run, or its preview, starts.
  var identity: RunIdentity?

  /// The instant of its dates; nil before the run starts.
  private(set) var datesFrom: Timestamp?

  /// The job with dates of an instant: its files of items may have other names then.
  ///
  /// A run that is continued keeps its dates.
  func counting(from instant: Timestamp) throws -> RunJob {
    guard resuming == nil else { return self }
    var job = self
    job.datesFrom = instant
    guard workflow.hasDatedItems else { return job }
    let (items, digests) = try ItemCheck.items(
      of: workflow, inputs: inputs, shard: options.shard, given: givenFiles, datesFrom: instant)
    job.itemFiles = digests
    job.total = WatchedRun.Total(of: workflow, items, shard: options.shard)
    return job
  }

  /// The folder from which the workflow reads files.
  var folder: WorkflowFolder { WorkflowFolder(of: workflow.source.path, given: givenFiles) }
}

/// A run that was started before and is continued.
struct ResumedRun: Sendable {
  let start: RunStart
  /// Whether the workflow file has changed, and that is accepted.
  let isChanged: Bool
  let resumption: Resumption
}
