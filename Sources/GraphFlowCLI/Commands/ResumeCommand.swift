import ArgumentParser
import GraphFlow
import JSONPath

/// `graphflow resume`: goes on with a run that was interrupted or partly failed.
struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Go on with an interrupted or partly failed run.",
    discussion: """
      What succeeded is not sent again, and neither is what is in doubt, before a person has looked. \
      The workflow file must be where it was, and unchanged; secret inputs are not kept and must be \
      given again, the others stay what they were.

      Example: go on with the newest run; then with one whose write was found on the page:

        graphflow resume latest
        graphflow resume latest --applied status-post=1234_5678
      """
  )

  @Argument(help: ArgumentHelp("The run's id, or 'latest'.", valueName: "run"))
  var name: String

  @Option(
    help: ArgumentHelp(
      "A write in doubt that did happen, and the id of what it made; may be repeated.",
      discussion: "An instance of a group is NAME[KEY].",
      valueName: "name=id"
    )
  )
  var applied: [String] = []

  @Option(
    help: ArgumentHelp(
      "A write in doubt that did not happen, so that it is sent again; may be repeated.",
      valueName: "name"
    )
  )
  var notApplied: [String] = []

  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Output") var talk: TalkOptions
  @OptionGroup(title: "Output") var state: StateOptions

  @Option(
    help: ArgumentHelp("The most calls under way at a time.", valueName: "n")
  )
  var concurrency = 4

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Also write the report there: .json, .jsonl, or - for standard output.",
      valueName: "path"
    )
  )
  var reports: [ReportDestination] = []

  func validate() throws {
    guard (1...1000).contains(concurrency) else {
      throw ValidationError("--concurrency is \(concurrency), but must be from 1 to 1000")
    }
    _ = try DoubtFinding.reading(applied: applied, notApplied: notApplied)
    if let problem = reports.lazy.compactMap(\.problem).first { throw ValidationError(problem) }
  }

  func run() throws {
    let directory = StateDirectory(state)
    let findings = try DoubtFinding.reading(applied: applied, notApplied: notApplied)
    let status = try Foreground.run { interruption in
      let start = try await start(in: directory)
      let workflow = try unchangedWorkflow(of: start)
      try refuseNewInputs(of: workflow)
      for report in reports { try report.check(for: workflow.name) }
      let values = try inputs.resolved(for: workflow, recorded: recorded(start, workflow))
      let files = try ItemCheck.digests(of: workflow, inputs: values)
      try ItemCheck.refuseChanges(of: workflow, inputs: values, from: start, to: files)
      let job = RunJob(
        workflow: workflow,
        inputs: values,
        itemFiles: files,
        findings: findings,
        resuming: start
      )
      let session = RunSession(
        settings: try Settings(resuming: start),
        options: RunOptions(concurrency: concurrency),
        directory: directory,
        outlet: RunOutlet(talk: talk, reports: reports, directory: directory)
      )
      return try await session.run([job], until: interruption)
    }
    if status != .succeeded { throw CommandFailure.silent(status) }
  }

  /// How the run that is meant started; the newest one that was no rehearsal, for `latest`.
  private func start(in directory: StateDirectory) async throws -> RunStart {
    guard name == "latest" else {
      return try await start(of: try directory.run(named: name), in: directory)
    }
    var rehearsal: RunStart?
    for id in try directory.runs() {
      guard let start = try? await start(of: id, in: directory) else { continue }
      if !start.isRehearsal { return start }
      rehearsal = rehearsal ?? start
    }
    // It cannot be resumed, but the message that says why is the right one.
    if let rehearsal { return rehearsal }
    return try await start(of: try directory.run(named: name), in: directory)
  }

  /// How a run started: the first event of its journal.
  private func start(of id: RunID, in directory: StateDirectory) async throws -> RunStart {
    let journal = try directory.openJournal(id)
    let first = try await journal.firstEvent()
    try await journal.close()
    guard case .runStarted(let start)? = first else {
      throw CommandFailure(.invalid, "the run \(id) never started; run the workflow again")
    }
    return start
  }

  /// The workflow that the run was started with.
  private func unchangedWorkflow(of start: RunStart) throws -> Workflow {
    guard start.file != "-" else {
      throw CommandFailure(.invalid, "the workflow came from standard input and is not kept")
    }
    let isAbsolute = start.file.hasPrefix("/")
    let path = isAbsolute ? start.file : (start.folder.map { $0 + "/" } ?? "") + start.file
    // What has been sent already may have gone since.
    let workflow = try WorkflowFiles.workflow(at: path, needsFiles: false)
    guard workflow.source.digest == start.fileDigest else {
      throw CommandFailure(
        .invalid,
        "'\(start.file)' has changed since the run \(start.id) was started",
        hint: "put the old file back, or run the workflow anew"
      )
    }
    return workflow
  }

  private func secrets(of workflow: Workflow) -> Set<String> {
    Set(workflow.inputs.filter { $0.type == .secret }.map(\.name.description))
  }

  /// Refuses to change an input half-way: what was sent already was sent with the old one.
  private func refuseNewInputs(of workflow: Workflow) throws {
    let secrets = secrets(of: workflow)
    guard let input = inputs.values.first(where: { !secrets.contains($0.name) }) else { return }
    throw CommandFailure(
      .invalid,
      "the input '\(input.name)' stays what it was when the run started",
      hint: "only secret inputs are given again; with other inputs, run the workflow anew"
    )
  }

  /// The inputs as the journal has them, as if they stood on the command line.
  ///
  /// Secrets are not in the journal.
  private func recorded(_ start: RunStart, _ workflow: Workflow) -> [InputAssignment] {
    let secrets = secrets(of: workflow)
    return start.inputs.compactMap { name, value in
      guard !secrets.contains(name) else { return nil }
      return InputAssignment(name: name, value: value.string ?? value.serialized())
    }
  }
}
