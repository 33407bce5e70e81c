public import GraphAPI

/// The steps of the program: each one takes and returns complete values.
///
/// ```
/// SourceFile ──load──▶ Workflow ──plan──▶ rounds of calls
///                         │ + inputs
///                         └──run──▶ events, journaled ──report──▶ Report
/// ```
///
/// The command, the tests and programs that embed GraphFlow use the same four steps. Loading,
/// planning and reporting are pure functions; only a run waits, sends and writes.
public enum Pipeline {
  /// Reads a workflow file: its YAML, then every rule of the language.
  ///
  /// It never throws. Problems are returned as diagnostics, all of them, sorted by location.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - filePresence: Reports what is at a path in the file's folder. Without it no file is
  ///     checked, and the function is pure.
  ///   - part: The requests and groups that are run.
  ///   - settings: The day, and the versions, for advice about what Graph ends.
  /// - Returns: The workflow or the part, if no diagnostic is an error; and the diagnostics, always of
  ///   the whole file.
  package static func load(
    _ source: SourceFile, filePresence: ((_ path: String) -> FilePresence)?,
    part: WorkflowPart = .whole, settings: LintSettings = .standard
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let (workflow, diagnostics) = Workflow.reading(
      source, filePresence: filePresence, settings: settings)
    guard part != .whole, let workflow, Set(part.names).isSubset(of: workflow.outerNames) else {
      return (workflow, diagnostics)
    }
    if let part = workflow.part(part, in: source) { return (part, diagnostics) }
    // The list of pages for `as` is a request that the file does not name.
    let problem = Diagnostic(
      rule: RuleID.missingKey.rawValue, message: "the part has no request of the file",
      file: source.path, location: .start, hint: "name a request or a group that the file has")
    return (nil, diagnostics + [problem])
  }

  /// Packs a workflow into calls: the course of a run in which every request succeeds.
  ///
  /// - Returns: The figures; the rounds are computed lazily one by one.
  package static func plan(
    _ workflow: Workflow, items: [Plan.Items], limits: BatchLimits
  ) -> Plan { Plan(for: workflow, items: items, limits: limits) }

  /// Performs a run until it has finished; every event is journaled, then observed.
  ///
  /// - Parameters:
  ///   - state: A new run, or one that has replayed its journal.
  ///   - runner: Makes the calls, keeps the events, and waits.
  ///   - elapsed: How long ago the run first started.
  ///   - stop: Stops the run: nothing new is started then.
  ///   - collect: Receives the rows of outputs, each output's in the order of its items.
  ///   - observe: Receives every event after it was journaled.
  /// - Returns: How the run ended.
  /// - Throws: The error of the journal. Nothing is sent after that.
  @discardableResult package static func run<C>(
    _ state: inout RunState, on runner: Runner<C>, since elapsed: Duration = .zero,
    stop: StopSignal = StopSignal(), collect: (OutputPart) -> Void = { _ in },
    observe: (RunEvent) -> Void
  ) async throws -> RunEnd {
    try await runner.run(&state, since: elapsed, stop: stop, collect: collect, observe: observe)
  }

  /// Folds the events of a run into a report, for a run just finished as for an old journal.
  package static func report(of history: RunHistory) -> Report { Report(of: history.events) }
}

/// The same steps for programs that embed GraphFlow, with the defaults of the command.
extension Pipeline {
  /// Reads a workflow file, without checking any other file.
  ///
  /// - Returns: The workflow, if no diagnostic is an error; and all diagnostics, sorted by
  ///   location.
  public static func load(_ source: SourceFile) -> (workflow: Workflow?, diagnostics: [Diagnostic])
  { load(source, filePresence: nil) }

  /// Packs a workflow into batches of at most 50 operations.
  public static func plan(_ workflow: Workflow) -> Plan { Plan(for: workflow) }

  /// Runs a workflow with one token, and keeps its journal in a state directory, where
  /// `graphflow runs` finds it.
  ///
  /// - Parameters:
  ///   - workflow: What to run.
  ///   - inputs: Its inputs, from
  ///     ``InputValues/resolving(_:flags:file:environment:belongsElsewhere:)``.
  ///   - token: The token of every profile in the workflow.
  ///   - transport: Makes HTTP calls.
  ///   - graphURL: The host that is called.
  ///   - stateDirectory: The folder of the journals; it is created if it does not exist.
  ///   - now: Milliseconds since 1970.
  ///   - generator: The source of the run's id and of its jitter.
  ///   - readFile: Reads a file that the workflow refers to, by its path as written there.
  /// - Returns: The report, with the result of each request. A failed request is not an error.
  /// - Throws: A `JournalError` if the journal cannot be written; nothing is sent after that.
  public static func run(
    _ workflow: Workflow, inputs: InputValues, token: AccessToken, over transport: any Transport,
    at graphURL: GraphURL = .standard, stateDirectory: String, now: Int64,
    using generator: inout some RandomNumberGenerator,
    readFile: @escaping @Sendable (_ path: String) throws -> [UInt8]
  ) async throws -> Report {
    let startedAt = Timestamp(milliseconds: now)
    let id = RunID(startedAt: startedAt, using: &generator)
    var state = RunState(
      workflow: workflow, inputs: inputs, options: RunOptions(),
      context: RunContext(
        graphURL: graphURL, version: workflow.version ?? .current, token: { _ in token },
        readFile: readFile, openItems: { try ItemStream(path: $0, bytes: readFile($0)) }), id: id,
      startedAt: startedAt, seed: generator.next())
    let directory = StateDirectory(path: stateDirectory)
    let journal = try directory.createJournal(for: id, named: RunNames())
    let lock = try directory.lock(id)
    defer { withExtendedLifetime(lock) {} }
    let runner = Runner(
      transport: transport, journal: journal, clock: ContinuousClock(),
      quota: directory.quota { _ in })
    var report = Report(of: [])
    try await run(&state, on: runner) { report.apply($0) }
    try await journal.close()
    return report
  }
}
