public import GraphAPI

/// The program on one page: each step takes whole values and returns whole values.
///
/// ```
/// SourceFile ──load──▶ Workflow ──plan──▶ rounds of calls
///                         │ + inputs
///                         └──run──▶ events, journaled ──report──▶ Report
/// ```
///
/// The command, the tests and programs that embed GraphFlow take the same four steps. Loading,
/// planning and reporting are pure; only a run waits, sends and writes.
public enum Pipeline {
  /// Reads a workflow file: YAML, then every rule of the language.
  ///
  /// Never throws: what is wrong comes back as diagnostics, all of them, sorted by place.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - filePresence: Reports what is at a path in the file's folder; without it no file is looked
  ///     for, and reading is pure.
  /// - Returns: The workflow, if no diagnostic is an error; and the diagnostics.
  package static func load(
    _ source: SourceFile,
    filePresence: ((_ path: String) -> FilePresence)?
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    Workflow.reading(source, filePresence: filePresence)
  }

  /// Packs a workflow into calls: the course of a run in which every request succeeds.
  ///
  /// - Returns: The rounds, worked out one by one as they are asked for.
  package static func plan(
    _ workflow: Workflow,
    items: [Plan.Items] = [],
    limits: BatchLimits = BatchLimits()
  ) -> PlanRounds {
    PlanRounds(for: workflow, items: items, limits: limits)
  }

  /// Decides and acts until nothing is left to do; every event is journaled, then observed.
  ///
  /// - Parameters:
  ///   - state: A new run, or one that has replayed its journal.
  ///   - runner: Makes the calls, keeps the events, and waits.
  ///   - elapsed: How long ago the run first started.
  ///   - stop: Becomes an exit code when the run is to stop: nothing new is started then.
  ///   - observe: Sees every event, after it was journaled.
  /// - Throws: What the journal reports. Nothing is sent after that.
  package static func run<C>(
    _ state: RunState,
    on runner: Runner<C>,
    since elapsed: Duration = .zero,
    stop: StopSignal = StopSignal(),
    observe: (RunEvent) -> Void
  ) async throws {
    _ = try await runner.run(state, since: elapsed, stop: stop, observe: observe)
  }

  /// Folds what happened into a report, the same for a run just finished and for an old journal.
  package static func report(of history: RunHistory) -> Report { Report(of: history.events) }
}

/// The same steps for programs that embed GraphFlow, with the defaults of the command.
extension Pipeline {
  /// Reads a workflow file; no other file is looked for.
  ///
  /// - Returns: The workflow, if no diagnostic is an error; and all diagnostics, sorted by place.
  public static func load(
    _ source: SourceFile
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    load(source, filePresence: nil)
  }

  /// Packs a workflow into batches of at most 50 operations.
  public static func plan(_ workflow: Workflow) -> Plan {
    Plan(for: workflow)
  }

  /// Runs a workflow with one token, and keeps its journal where `graphflow runs` and
  /// `graphflow resume` find it.
  ///
  /// - Parameters:
  ///   - workflow: What to run.
  ///   - inputs: Its inputs, from ``InputValues/resolving(_:flags:file:environment:belongsElsewhere:)``.
  ///   - token: The token of every profile that the workflow names.
  ///   - transport: Makes HTTP calls.
  ///   - graphURL: The host that is called.
  ///   - stateDirectory: The folder that keeps journals; it is made if it does not exist.
  ///   - now: Milliseconds since 1970.
  ///   - generator: The source of the run's id and of its jitter.
  ///   - readFile: Reads a file that the workflow names, by its path as it is written there.
  /// - Returns: What became of each request. A request that fails is no error.
  /// - Throws: A `JournalError` if the journal cannot be written; nothing is sent after that.
  public static func run(
    _ workflow: Workflow,
    inputs: InputValues,
    token: AccessToken,
    over transport: any Transport,
    at graphURL: GraphURL = .standard,
    stateDirectory: String,
    now: Int64,
    using generator: inout some RandomNumberGenerator,
    readFile: @escaping @Sendable (_ path: String) throws -> [UInt8]
  ) async throws -> Report {
    let startedAt = Timestamp(milliseconds: now)
    let id = RunID(startedAt: startedAt, using: &generator)
    let state = RunState(
      workflow: workflow,
      inputs: inputs,
      options: RunOptions(),
      context: RunContext(
        graphURL: graphURL,
        version: workflow.version ?? .current,
        token: { _ in token },
        readFile: readFile,
        openItems: { try ItemStream(path: $0, bytes: readFile($0)) }
      ),
      id: id,
      startedAt: startedAt,
      seed: generator.next()
    )
    let directory = StateDirectory(path: stateDirectory)
    let journal = try directory.createJournal(for: id, named: RunNames())
    let lock = try directory.lock(id)
    defer { withExtendedLifetime(lock) {} }
    let quota = QuotaFile(in: directory) { _ in }
    let runner = Runner(
      transport: transport,
      journal: journal,
      clock: ContinuousClock(),
      quota: quota
    )
    var report = Report(of: [])
    try await run(state, on: runner) { report.apply($0) }
    try await journal.close()
    return report
  }
}
