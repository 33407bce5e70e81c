import ArgumentParser
import GraphFlow

/// `graphflow resume`: continues a run that was interrupted or partly failed.
struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Continue an interrupted or partly failed run.",
    discussion: """
      What succeeded is not sent again. A write in doubt is not sent before a person has checked it. \
      The workflow file must be in its old place, and unchanged unless --accept-changed is given. \
      Secret inputs are not kept and must be given again; other inputs and options keep their values.

      Example: continue the newest run; then a run whose write was found on the page:

        graphflow resume latest
        graphflow resume latest --applied status-post=1234_5678
      """)

  @Argument(help: .value("run", "The run's id, or 'latest'."), completion: .runs)
  var name: String

  @OptionGroup var doubt: DoubtOptions
  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var state: StateOptions

  @Option(
    help: ArgumentHelp(
      "The most calls active at a time, 1 to 1000, or auto; default: as at the first start.",
      valueName: "n"))
  var concurrency: Concurrency?

  @OptionGroup var files: ResumedFileOptions

  @Flag(
    help: ArgumentHelp(
      "Continue although the end of the journal is lost.",
      discussion: """
        Every write that may not be repeated and has no result in the journal is then in doubt: it \
        is sent only with --not-applied.
        """))
  var lostInDoubt = false

  @Option(
    help: .value("url", "The address of the Graph API; a run that was sent elsewhere is refused."))
  var graphURL: String?

  @OptionGroup(title: "Limits") var limits: SessionLimits

  @Option(
    name: .customLong("report"),
    help: .value(
      "path",
      "Also write the report to this file, \(ReportFileFormat.endings), or - for standard output."),
    completion: .file())
  var reports: [ReportDestination] = []

  @OptionGroup(title: "Output") var rows: RowsOptions

  func validate() throws {
    try output.validate(reports)
  }

  func run() throws {
    let store = try state.store()
    let resumption = Resumption(
      inputs: inputs, acceptsChange: files.acceptChanged,
      findings: try doubt.findings(),
      acceptsLostEnd: lostInDoubt, isQuiet: output.quiet, concurrency: concurrency,
      budget: limits.budget, deadline: limits.deadline, maxWrites: limits.maxWrites,
      files: files.places)
    let start = try start(in: store)
    let configured = try Settings(profile: nil, graphURL: graphURL).graphURL
    let settings = try Settings(resuming: start, at: configured)
    let job = try resumption.job(for: start, in: store)
    try output.check(reports, for: job.workflow.name)
    try rows.check(for: [job.workflow])
    let printer = output.exchangePrinter
    defer { try? printer?.finish() }
    let session = RunSession(
      recorders: [printer].compactMap(\.self), store: store,
      output: RunOutput(options: output, reports: reports, files: state.files), onOverlap: .fail,
      resumption: resumption, rows: rows.destinations, minTokenLife: limits.minTokenLife,
      asksForLogin: limits.login)
    try Foreground.run { try await session.run([job], with: settings, until: $0) }
      .throwUnlessSucceeded()
  }

  /// How the chosen run started; `latest` is the newest one without `--sandbox`.
  private func start(in store: any StateStore) throws -> RunStart {
    if name == "latest" {
      var sandboxRun: RunStart?
      for id in try (store.runs() + store.lostRuns()).sorted(by: >) {
        guard let start = try start(of: id, in: store) else { continue }
        if !start.isSandboxRun { return start }
        sandboxRun = sandboxRun ?? start
      }
      // It cannot be resumed, but the error about it says why.
      if let sandboxRun { return sandboxRun }
    }
    let id = try store.run(named: name)
    guard let start = try start(of: id, in: store) else {
      throw CommandFailure(.invalid, "the run \(id) never started; run the workflow again")
    }
    return start
  }

  /// How a run started, according to its journal; nil if it was killed before it started.
  private func start(of id: RunID, in store: any StateStore) throws -> RunStart? {
    var damage = JournalEvidence.Damage.withoutStart
    do {
      if let start = try store.reading(id).start() {
        if !lostInDoubt { try store.refuseDamaged(id, of: start) }
        return start
      }
    } catch let error as JournalError {
      guard [.notFound, .damaged, .otherVersion].contains(error.kind) else { throw error }
      // A run that never existed is not found; one that existed is lost.
      guard try store.runs().contains(id) || store.isLost(id) else { throw error }
      damage = .unreadable(error.message)
    }
    switch try store.evidenceUnlessPruned(of: id)?.verdict {
    case .neverBegan?, nil: return nil
    case .damaged(let found)? where !found.hasReadableStart: damage = found
    // A run cannot continue without its start, whatever else is left.
    case .damaged?, .whole?: break
    }
    throw CommandFailure(lost: id, damage, of: nil, in: store)
  }
}

/// The options for files that are not what or where they were.
struct ResumedFileOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Continue although the workflow file, or many keys of its items, have changed.",
      discussion: """
        Requests are identified by their names. What succeeded stays as it is, even if the file has \
        changed there. Rows with other keys are sent as new ones.
        """))
  var acceptChanged = false

  @Option(
    name: .customLong("file"),
    help: .value(
      "name=path", "Where a file is now that the workflow reads; may be repeated.",
      discussion: """
        The name is the file's path in the workflow. A file of items must be the one with which the \
        run was started.
        """))
  var given: [FilePlacement] = []

  /// The places of given files, by their paths in the workflow.
  var places: [String: String] {
    Dictionary(given.map { ($0.name, $0.path) }, uniquingKeysWith: { $1 })
  }
}

/// The value of `--file`: a file's path in the workflow, and where it is now.
struct FilePlacement: ExpressibleByArgument {
  let name: String
  let path: String

  init?(argument: String) {
    let words = argument.split(separator: "=", maxSplits: 1)
    guard words.count == 2, !argument.hasPrefix("=") else { return nil }
    (name, path) = (String(words[0]), String(words[1]))
  }
}
