import ArgumentParser
import GraphFlow

/// `graphflow resume`: goes on with a run that was interrupted or partly failed.
struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Go on with an interrupted or partly failed run.",
    discussion: """
      What succeeded is not sent again, and neither is what is in doubt, before a person has looked. \
      The workflow file must be where it was, and unchanged unless --accept-changed is given; secret \
      inputs are not kept and must be given again. The others and the options stay what they were.

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
      discussion: """
        NAME stands for all instances of a request or group that are in doubt, * in NAME[KEY] for \
        any text.
        """,
      valueName: "name"
    )
  )
  var notApplied: [String] = []

  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var state: StateOptions

  @Option(
    help: ArgumentHelp(
      "The most calls under way at a time, if it is to be another number than before.",
      valueName: "n"
    )
  )
  var concurrency: Int?

  @Flag(
    help: ArgumentHelp(
      "Go on although the workflow file, or many keys of its items, have changed since.",
      discussion: """
        Requests are found again by their names. What succeeded stays as it is, even if the file \
        says something else now. Rows with other keys are sent as new ones.
        """
    )
  )
  var acceptChanged = false

  @Flag(
    help: ArgumentHelp(
      "Go on although the end of the journal is lost.",
      discussion: """
        Every write that may not be repeated and has no result in the journal is in doubt then: it \
        is sent once you have said --not-applied.
        """
    )
  )
  var lostInDoubt = false

  @Option(
    name: .customLong("graph-url"),
    help: ArgumentHelp(
      "Where the Graph API is; the run is refused if it was sent elsewhere.",
      valueName: "url"
    )
  )
  var graphURL: String?

  @OptionGroup(title: "Limits") var budget: BudgetOption

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Also write the report there: .json, .jsonl, or - for standard output.",
      valueName: "path"
    )
  )
  var reports: [ReportDestination] = []

  func validate() throws {
    if let concurrency { try RunLimits.validate(concurrency: concurrency) }
    _ = try DoubtFinding.reading(applied: applied, notApplied: notApplied)
    try ReportDestination.validate(reports)
  }

  func run() throws {
    let directory = StateDirectory(state)
    let resumption = Resumption(
      inputs: inputs,
      acceptsChange: acceptChanged,
      findings: try DoubtFinding.reading(applied: applied, notApplied: notApplied),
      acceptsLostEnd: lostInDoubt,
      isQuiet: output.quiet,
      concurrency: concurrency,
      budget: budget.value
    )
    let start = try start(in: directory)
    let configured = try Settings(profile: nil, graphURL: graphURL).graphURL
    let settings = try Settings(resuming: start, at: configured)
    let job = try resumption.job(for: start)
    for report in reports { try report.check(for: job.workflow.name) }
    let session = RunSession(
      directory: directory,
      output: RunOutput(options: output, reports: reports, directory: directory),
      onOverlap: .fail,
      resumption: resumption
    )
    try Foreground.run { try await session.run([job], with: settings, until: $0) }
      .throwUnlessSucceeded()
  }

  /// How the run that is meant started; the newest one that was no rehearsal, for `latest`.
  private func start(in directory: StateDirectory) throws -> RunStart {
    if name == "latest" {
      var rehearsal: RunStart?
      for id in try (directory.runs() + directory.lostRuns()).sorted(by: >) {
        guard let start = try start(of: id, in: directory) else { continue }
        if !start.isRehearsal { return start }
        rehearsal = rehearsal ?? start
      }
      // It cannot be resumed, but the message that says why is the right one.
      if let rehearsal { return rehearsal }
    }
    let id = try directory.run(named: name)
    guard let start = try start(of: id, in: directory) else {
      throw CommandFailure(.invalid, "the run \(id) never started; run the workflow again")
    }
    return start
  }

  /// How a run started, by its journal; nil if it was killed before.
  ///
  /// - Throws: a ``CommandFailure`` for a run of which nobody knows what it has sent.
  private func start(of id: RunID, in directory: StateDirectory) throws -> RunStart? {
    var damage = JournalEvidence.Damage.withoutStart
    do {
      if let start = try directory.reading(id).start() {
        if !lostInDoubt { try directory.refuseDamaged(id, of: start) }
        return start
      }
    } catch let error as JournalError {
      guard [.notFound, .damaged, .otherVersion].contains(error.kind) else { throw error }
      // A run that was never there is not found, and one that was is lost.
      guard try directory.runs().contains(id) || directory.isLost(id) else { throw error }
      damage = .unreadable(error.message)
    }
    switch try directory.evidenceUnlessPruned(of: id)?.verdict {
    case .neverBegan?, nil: return nil
    case .damaged(let found)? where !found.leavesBeginning: damage = found
    // Without its start no run can go on, whatever else is left.
    case .damaged?, .whole?: break
    }
    throw CommandFailure(lost: id, damage, of: nil, in: directory)
  }
}
