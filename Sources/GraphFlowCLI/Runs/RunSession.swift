import GraphAPI
import GraphFlow

/// Runs jobs one after the other, against one Graph API, and tells of each what it came to.
struct RunSession: Sendable {
  /// Writes down what goes over the wire.
  var recorder: ExchangeRecorder?
  /// Where runs are kept.
  let directory: StateDirectory
  /// Where progress, summary and reports go.
  let output: RunOutput
  /// What to do about other runs of the same file.
  let onOverlap: StartRules.OnOverlap
  /// What to do about the last run, if it is not at its end.
  var onUnfinished = StartRules.OnUnfinished.refuse
  /// Goes on with a run that is found instead of starting one.
  let resumption: Resumption

  /// Runs the jobs in order, all of them unless a signal comes, and returns the worst status.
  func run(
    _ jobs: [RunJob],
    with settings: Settings,
    until interruption: Interruption
  ) async throws -> ExitStatus {
    // Closed when all runs are concluded and their locks released: a server that does not let go of
    // its connections keeps nobody waiting. The run itself decides how many calls are under way.
    try await HTTPClientTransport.withTransport(
      route: settings.route,
      concurrency: RunLimits.maximumConcurrency
    ) { transport in
      let transport = transport.recorded(by: recorder)
      var outcome = CommandOutcome()
      // What is wrong with the last one's must not come out when the first has been sent.
      for job in jobs.dropFirst() { try settings.checkTokens(of: job.workflow) }
      for job in jobs {
        if let stopped = interruption.status {
          outcome.record(stopped)
          break
        }
        do {
          outcome.record(try await run(job, with: settings, over: transport, until: interruption))
        } catch {
          outcome.recordFailure(interruption.failure(error))
        }
      }
      return outcome.status
    }
  }

  private func run(
    _ job: RunJob,
    with settings: Settings,
    over transport: any Transport,
    until interruption: Interruption
  ) async throws -> ExitStatus {
    try settings.checkTokens(of: job.workflow)
    let profile = settings.profile ?? job.workflow.token
    guard let lease = try await lease(for: job, as: profile, settings) else { return .succeeded }
    defer { withExtendedLifetime(lease) {} }
    var (job, settings) = (job, settings)
    if job.resuming == nil {
      let earlier = EarlierRuns(
        job: job,
        profile: profile,
        // The world of a rehearsal is gone with it, so nothing of one can be lost.
        rule: settings.isSandbox ? .ignore : onUnfinished,
        directory: directory
      )
      switch try earlier.find(with: lease) {
      case .none: break
      case .lost: job.beginsInDoubt = true
      case .finished(let id, let history): return repeatResult(id, history, job)
      // Its world is gone with it.
      case .continues(let start) where start.isRehearsal: break
      case .continues(let start):
        settings = try Settings(resuming: start, at: settings.graphURL)
        output.notify("the run \(start.id) of '\(start.file)' is unfinished: it goes on")
        job = try resumption.job(for: start)
      }
    }
    return try await execute(job, settings, over: transport, under: lease, until: interruption)
  }

  /// The right to run this file with this profile: two runs of the same do not overlap.
  ///
  /// - Returns: nil if another run is under way and the job is skipped.
  private func lease(
    for job: RunJob,
    as profile: String,
    _ settings: Settings
  ) async throws -> RunLease? {
    // A rehearsal hinders no run, and none hinders it: a profile's name is never empty.
    let name = settings.isSandbox ? "" : profile
    let key = job.resuming == nil ? job.key.map { settings.isSandbox ? "\($0)\0" : $0 } : nil
    var isWaiting = false
    while true {
      let lease = try RunLease.acquire(for: job.workflow, as: name, key: key, in: directory)
      if let lease { return lease }
      let busy =
        "another run of '\(job.workflow.source.path)' with the profile '\(profile)' is "
        + "under way"
      switch onOverlap {
      case .fail: throw CommandFailure(.tryAgainLater, busy)
      case .skip:
        output.notify("skipped: \(busy)")
        return nil
      case .wait:
        if !isWaiting { output.notify("waiting: \(busy)") }
        isWaiting = true
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  /// Tells what became of a run that is over.
  private func repeatResult(_ id: RunID, _ history: RunHistory, _ job: RunJob) -> ExitStatus {
    var past = RunLog.Past()
    for event in history.events { past.record(event) }
    output.notify("nothing is sent: under this key there is the run \(id) already")
    var log = RunLog(id: id, of: job.workflow, resumingFrom: past, output: output)
    return log.conclude(after: nil)
  }

  /// Runs a job from its start, or from where it was.
  private func execute(
    _ job: RunJob,
    _ settings: Settings,
    over transport: any Transport,
    under lease: borrowing RunLease,
    until interruption: Interruption
  ) async throws -> ExitStatus {
    var generator = SystemRandomNumberGenerator()
    let now = WallClock.now()
    let startedAt = job.resuming?.start.startedAt ?? now
    let id = job.resuming?.start.id ?? RunID(startedAt: startedAt, using: &generator)
    var state = RunState(
      workflow: job.workflow,
      inputs: job.inputs,
      options: job.options,
      context: context(of: job, with: settings),
      id: id,
      startedAt: startedAt,
      seed: generator.next()
    )
    let clock = Duration.milliseconds(now.milliseconds - startedAt.milliseconds)
    let beginning: [RunEvent] =
      job.beginsInDoubt ? [.runStarted(state.runStart()), .endLost(now)] : []
    let locked = try await journal(of: job, id, beginning: beginning, under: lease)
    defer { withExtendedLifetime(locked) {} }
    let journal = locked.journal
    // From here to the report a signal is the run's to obey, and its exit code the run's to tell.
    return try await interruption.stoppingOnSignal { stop in
      let past: RunLog.Past
      (state, past) = try await restored(state, of: job, by: beginning, in: journal, at: clock)
      var log = RunLog(id: id, of: job.workflow, resumingFrom: past, output: output)
      var failure: CommandFailure?
      do {
        let runner = Runner(
          transport: transport,
          journal: journal,
          clock: ContinuousClock(),
          quota: settings.isSandbox ? nil : quotaFile
        )
        let elapsed = max(.zero, clock)
        try await Pipeline.run(state, on: runner, since: elapsed, stop: stop) { event in
          if case .callEnded(let end) = event { recorder?.release(call: end.number) }
          log.record(event)
        }
      } catch {
        failure = interruption.failure(error)
      }
      try? await journal.close()
      return log.conclude(after: failure)
    }
  }

  /// A run and its log, with what the journal knows.
  private func restored(
    _ state: RunState,
    of job: RunJob,
    by beginning: [RunEvent],
    in journal: SQLiteJournal,
    at clock: Duration
  ) async throws -> (RunState, RunLog.Past) {
    var (state, past) = (state, RunLog.Past(progress: output.progress))
    guard let resumed = job.resuming else {
      for event in beginning { past.record(event) }
      if !beginning.isEmpty { state.replay(beginning, at: clock) }
      return (state, past)
    }
    do {
      return try await replaying(journal, of: (job, resumed), into: (state, past), at: clock)
    } catch let error as JournalError where error.kind == .damaged {
      let start = resumed.start
      throw CommandFailure(
        lost: start.id,
        .unreadable(error.message),
        of: start.file,
        as: start.profile,
        in: directory
      )
    }
  }

  /// The journal of a run, and the lock of the run itself.
  ///
  /// What is left of a run that goes on is looked at under that lock: until it is held another
  /// process may have gone on with the run.
  private func journal(
    of job: RunJob,
    _ id: RunID,
    beginning: [RunEvent],
    under lease: borrowing RunLease
  ) async throws -> LockedJournal {
    guard let resumed = job.resuming else {
      let journal = try directory.createJournal(for: id, named: lease.names)
      let lock = try await lockRun(id)
      // Before its lock is, or a crash would leave a run that knows nothing of what was lost.
      try await journal.append(beginning, durably: true)
      // A run that goes on was noted when it started; a newer one must stay the last.
      try lease.record(id)
      return LockedJournal(journal: journal, lock: lock)
    }
    let lock = try await lockRun(id)
    if !resumed.hasLostEnd { try directory.refuseDamaged(id, of: resumed.start) }
    var names = lease.names
    names.key = job.key.map { StateDirectory.name(ofKey: $0, of: job.workflow.source.path) }
    return LockedJournal(journal: try directory.openJournal(id, named: names), lock: lock)
  }

  /// A run's journal, and the lock of the run.
  private struct LockedJournal: ~Copyable {
    let journal: SQLiteJournal
    let lock: RunLock
  }

  /// What this run and others know of Graph's limits.
  private var quotaFile: QuotaFile {
    QuotaFile(in: directory) { [output] problem in
      if !output.options.quiet { Terminal.notify("warning: \(problem)") }
    }
  }

  /// Takes the lock of the run itself, which nobody else has longer than it takes to look at it.
  private func lockRun(_ id: RunID) async throws -> RunLock {
    for _ in 0..<200 {
      let lock = try directory.lock(id)
      if let lock { return lock }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw CommandFailure(.tryAgainLater, "another process works on the run \(id)")
  }

  /// Tells a run and its log what the journal knows.
  private func replaying(
    _ journal: SQLiteJournal,
    of resumption: (job: RunJob, run: ResumedRun),
    into run: (state: RunState, past: RunLog.Past),
    at clock: Duration
  ) async throws -> (RunState, RunLog.Past) {
    var (state, past) = run
    let (job, resumed) = resumption
    var replay = RunState.Replay()
    let start = state.runStart()
    var beginning: [RunEvent] = []
    if try resumed.isChanged || directory.reading(resumed.start.id).hasChanged() {
      beginning = resumed.beginning(with: start, at: WallClock.now())
      let history = try await history(of: resumed, in: journal, resumingWith: beginning)
      for event in history.events { past.record(event) }
      for event in history.events(ofFirst: start.requests.count) {
        state.receive(recorded: event, of: &replay)
      }
    } else {
      (state, replay, past) = try await journal.fold(into: (state, replay, past)) { run, event in
        run.0.receive(recorded: event, of: &run.1)
        run.2.record(event)
      }
    }
    let decisions = try DoubtFinding.decisions(of: resumed.findings, on: past.report)
    try KeyChange.check(resumed, of: job, in: past.report, output)
    // After everything that can refuse. One append, because each durable append moves the mark: a
    // changed file without the loss would make a journal that has lost its end look whole.
    try await journal.append(beginning, durably: true)
    state.resume(
      after: replay,
      decisions: decisions,
      hasLostEnd: resumed.hasLostEnd && !resumed.isChanged,
      at: clock
    )
    return (state, past)
  }

  /// What happened so far, in terms of the file as it is now.
  private func history(
    of resumed: ResumedRun,
    in journal: SQLiteJournal,
    resumingWith beginning: [RunEvent]
  ) async throws -> RunHistory {
    let events = try await journal.events()
    if case .runStarted(let changed)? = beginning.first {
      try resumed.refuseLostDoubt(in: Pipeline.report(of: RunHistory(events)), for: changed)
    }
    return RunHistory(events + beginning)
  }

  private func context(of job: RunJob, with settings: Settings) -> RunContext {
    let workflow = job.workflow
    let folder = WorkflowFolder(of: workflow.source.path)
    var context = RunContext(
      graphURL: settings.graphURL,
      version: workflow.version ?? settings.version ?? .current,
      appSecret: settings.appSecret,
      appToken: settings.appToken,
      profile: settings.profile,
      isRehearsal: settings.isSandbox,
      itemFiles: job.itemFiles,
      workingFolder: WorkflowFolder.current,
      token: { profile async throws(TokenUnavailable) in
        try settings.tokens.token(forRunWith: profile)
      },
      readFile: { path in try folder.bytes(of: path) },
      openItems: { path in try ItemFile(path, in: folder).stream() }
    )
    context.runKey = job.key
    context.secrets = ProcessRedactor.known
    context.noteSecrets = { ProcessRedactor.record($0) }
    return context
  }
}

extension Settings {
  /// Refuses a workflow with profiles whose tokens cannot be had for certain.
  fileprivate func checkTokens(of workflow: Workflow) throws {
    try tokens.check(workflow.profiles(insteadOf: profile))
  }
}

extension Workflow {
  /// The profiles that its requests use, with the one that the user chose in place of its own.
  fileprivate func profiles(insteadOf chosen: String?) -> Set<String> {
    Set(
      requests.compactMap { request in
        guard case .profile(let profile) = request.token else { return nil }
        return profile == token ? chosen ?? profile : profile
      }
    )
  }
}
