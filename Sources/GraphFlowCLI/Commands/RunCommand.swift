import ArgumentParser
import GraphAPI
import GraphFlow
import JSONPath

/// `graphflow run`: runs workflows.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run workflows.",
    discussion: """
      Standard output gets the workflow's outputs as one line of JSON, and nothing else. Progress \
      and the summary go to standard error. The report of every run is kept in the state directory. \
      Several files run one after the other. The exit code is that of the worst: 0 success, 1 \
      something failed, 3 a person has to check a write, 65 a file or an input is invalid, 75 try \
      again later.

      Example: publish a status and read it back, on a sandbox inside the process:

        graphflow run workflows/post-and-verify.yaml --sandbox --input message="Hello"

      Example: at most once a day, however often it is started, and silent unless it fails:

        graphflow run post.yaml --quiet --run-key "$(date -u +%F)" --on-overlap wait
      """)

  @Argument(help: .value("file", "The workflows; - is standard input."), completion: .workflows)
  var files: [String]

  @OptionGroup(title: "Inputs") var inputs: InputOptions
  @OptionGroup(title: "Graph API") var graph: GraphOptions
  @OptionGroup(title: "Packing") var packing: PackingOptions
  @OptionGroup(title: "Limits") var limits: RunLimits
  @OptionGroup(title: "Other runs of the file") var rules: StartRules
  @OptionGroup(title: "Other runs of the file") var part: ShardOption
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var state: StateOptions

  @Option(
    name: .customLong("report"),
    help: .value(
      "path", "Also write the report to this file; may be repeated.",
      discussion: """
        The name's ending is the format: \(ReportFileFormat.endings). All but .json are written \
        during the run, whatever its size. - is JSON on standard output, which then gets nothing \
        else. With several workflows the path must hold {name}, which is replaced by the \
        workflow's name.
        """), completion: .file())
  var reports: [ReportDestination] = []

  @OptionGroup(title: "Output") var rows: RowsOptions

  @Option(
    help: .value(
      "file.json", "Refuse to run unless plan --output would write exactly this file now."),
    completion: .json)
  var plan: String?

  func validate() throws {
    try require(
      !limits.dryRun || graph.record == nil,
      "--record has nothing to record: --dry-run sends nothing")
    try require(
      !limits.session.login || !graph.sandbox && !limits.dryRun,
      "--login is for runs with stored logins, without --sandbox and --dry-run")
    try require(
      part.shard == nil || rules.key != nil,
      "--shard needs --run-key, which is the same for all parts of a job")
    try require(
      part.shard == nil || plan == nil, "--plan is for a run of everything, without --shard")
    if limits.selection.usesEarlierRun {
      try require(part.shard == nil, "--from cannot be combined with --shard")
      try require(!graph.sandbox, "--from needs an earlier run, and each --sandbox is a new world")
    } else {
      try require(limits.earlierRun == nil, "--of needs --from")
    }
    try require(
      !limits.preview.preview
        || part.shard == nil && !limits.dryRun && !limits.selection.usesEarlierRun,
      "--preview is for a run of everything, without --shard, --from and --dry-run")
    try output.validate(reports)
  }

  /// Refuses options that do not fit the files.
  ///
  /// `validate()` is too early: the value of an unknown option could be taken for a file.
  private func checkFiles() throws {
    try require(plan == nil || files.count == 1, "--plan takes one workflow")
    try require(
      limits.selection.part == .whole || files.count == 1, "--only and --from take one workflow")
    let needsFile = rules.key != nil ? "--run-key" : "--from"
    try require(
      rules.key == nil && !limits.selection.usesEarlierRun || !files.contains("-"),
      "\(needsFile) needs a file; standard input is not a file")
    try require(
      files.count == 1
        || (reports + rows.destinations.map(\.file)).allSatisfy({ $0.path.contains("{name}") }),
      "with several workflows, --report and --rows need {name} in their paths, as in "
        + "'reports/{name}.json'")
    try require(
      files.count == 1 || output.outputs?.isForEachWorkflow != false,
      "with several workflows, --outputs needs {name} in its path, or must be -")
  }

  func run() throws {
    try checkFiles()
    let jobs = try jobs()
    try refuseDuplicateDestinations(of: jobs)
    guard !limits.dryRun else {
      for job in jobs { try show(job) }
      return
    }
    let store = try state.store()
    let target = try GraphTarget(graph, printer: output.exchangePrinter)
    let session = RunSession(
      recorders: target.recorders, store: store,
      output: RunOutput(options: output, reports: reports, files: state.files),
      onOverlap: rules.onOverlap, onUnfinished: rules.onUnfinished,
      resumption: Resumption(inputs: inputs, refusesNewInputs: false, isQuiet: output.quiet),
      rows: rows.destinations, minTokenLife: limits.session.minTokenLife,
      preview: limits.preview.answer, asksForLogin: limits.session.login)
    try target.run { try await session.run(jobs, with: $0, until: $1) }
  }

  /// The files, with all inputs, checked before the first call; all problems are printed.
  private func jobs() throws -> [RunJob] {
    var outcome = CommandOutcome()
    func recording<Result>(_ file: String, _ body: () throws -> Result) throws -> Result? {
      do {
        return try body()
      } catch let failure as CommandFailure {
        outcome.recordFailure(failure)
        if files.count > 1 { Terminal.notify("  nothing was sent because of '\(file)'") }
        return nil
      }
    }
    let workflows = try files.compactMap { file in
      try recording(file) {
        try WorkflowFiles.workflow(at: file, part: limits.selection.part, quietly: output.quiet)
      }
    }
    // The inputs of a file that cannot be used are unknown.
    let areAllKnown = outcome.status == .succeeded
    let known = Set(workflows.flatMap(\.inputs).map(\.name.description))
    let jobs = try workflows.compactMap { workflow in
      try recording(workflow.source.path) {
        try job(of: workflow) { !areAllKnown || known.contains($0) }
      }
    }
    try outcome.status.throwUnlessSucceeded()
    try rows.check(for: workflows)
    return jobs
  }

  /// A workflow with its inputs, checked before the first call; inputs may belong to another file
  /// of the command.
  private func job(of workflow: Workflow, _ belongsElsewhere: (String) -> Bool) throws -> RunJob {
    try limits.check(workflow)
    try part.check(workflow)
    let inputs = try inputs.resolved(
      for: workflow, quietly: output.quiet, belongsElsewhere: belongsElsewhere)
    try FileCheck.refuseMissing(of: workflow, inputs: inputs)
    try output.check(reports, for: workflow.name)
    let (items, files) = try ItemCheck.items(of: workflow, inputs: inputs, shard: part.shard)
    if part.shard == nil { try limits.session.check(workflow, items) }
    var job = RunJob(
      workflow: workflow, inputs: inputs, itemFiles: files,
      total: WatchedRun.Total(of: workflow, items, shard: part.shard), options: options,
      key: rules.key)
    if limits.selection.usesEarlierRun {
      let search = EarlierOutcomeSearch(
        job: job, settings: try graph.settings(), store: try state.store())
      let (from, note) = try search.outcomes(ofRun: limits.earlierRun, limits.selection.part.names)
      job.options.extent = .from(from)
      if !output.quiet { Terminal.notify(note) }
    }
    if let plan { try PlanFile(path: plan).check(job, limits: options.limits) }
    return job
  }

  /// Refuses names with which the report of one workflow would overwrite that of another.
  private func refuseDuplicateDestinations(of jobs: [RunJob]) throws {
    for report in reports + (output.outputs.map { [$0] } ?? []) where !report.isStandardOutput {
      var files: [String: String] = [:]
      for job in jobs {
        let path = report.file(for: job.workflow.name).path
        let file = job.workflow.source.path
        guard let other = files.updateValue(file, forKey: path), other != file else { continue }
        throw CommandFailure(
          .usage, "'\(other)' and '\(file)' have the same name, so both reports would be \(path)",
          hint: "give one of them another `name`, or run them one by one")
      }
    }
  }

  /// Shows inputs, permissions and plan of a job, and sends nothing.
  private func show(_ job: RunJob) throws {
    let workflow = job.workflow
    var lines = job.inputs.forReport.map { name, value in "input \(name) = \(value.serialized())" }
    var permissions: [String] = []
    for permission in workflow.requests.flatMap(\.permissions)
    where !permissions.contains(permission) { permissions.append(permission) }
    if !permissions.isEmpty {
      lines.append("permissions to check: " + permissions.joined(separator: ", "))
    }
    if !graph.sandbox {
      let settings = try graph.settings()
      try settings.requestGuard.check(workflow)
      lines.append("profile \(settings.profile ?? workflow.token), \(settings.graphURL)")
    }
    let printing = try PlanPrinting(
      workflow, inputs: job.inputs, limits: options.limits, isGuarded: !graph.sandbox)
    try Terminal.printText(lines.map { $0 + "\n" }.joined())
    try printing.print(as: .text)
  }

  private var options: RunOptions {
    var options = RunOptions(
      limits: packing.limits(unsafeWrites: limits.unsafeWrites.maximum),
      concurrency: limits.concurrency.number, maxUnsafeWrites: limits.unsafeWrites.maximum,
      requiresPermissions: limits.requirePermissions, budget: limits.session.budget ?? RunBudget(),
      deadline: limits.session.deadline, maxWrites: limits.session.maxWrites,
      recovers: !limits.noRecovery, shard: part.shard,
      only: limits.selection.usesEarlierRun ? [] : limits.selection.part.names)
    options.windows = limits.windows.selection
    return options
  }
}
