import GraphAPI
import GraphFlow

/// Runs jobs one after the other, against one Graph API, and tells of each what it came to.
struct RunSession: Sendable {
  /// Where the runs go; `nil` is a sandbox that is yet to listen.
  let settings: Settings?
  /// What the person who started them has chosen.
  let options: RunOptions
  /// Where runs are kept.
  let directory: StateDirectory
  /// Where progress, summary and reports go.
  let outlet: RunOutlet

  /// Runs the jobs in order, all of them unless a signal comes, and returns the worst status.
  func run(_ jobs: [RunJob], until interruption: Interruption) async throws -> ExitStatus {
    guard let settings else {
      return try await LocalSandbox.serving { settings in
        try await run(jobs, with: settings, until: interruption)
      }
    }
    return try await run(jobs, with: settings, until: interruption)
  }

  private func run(
    _ jobs: [RunJob],
    with settings: Settings,
    until interruption: Interruption
  ) async throws -> ExitStatus {
    try await HTTPClientTransport.withTransport(concurrency: options.concurrency) { transport in
      var statuses: [ExitStatus] = []
      for job in jobs {
        if let stopped = interruption.status {
          statuses.append(stopped)
          break
        }
        do {
          statuses.append(try await run(job, with: settings, over: transport, until: interruption))
        } catch {
          let failure = CommandFailure(error)
          Terminal.sayFailure(failure)
          statuses.append(failure.status)
        }
      }
      return ExitStatus.worst(of: statuses)
    }
  }

  private func run(
    _ job: RunJob,
    with settings: Settings,
    over transport: HTTPClientTransport,
    until interruption: Interruption
  ) async throws -> ExitStatus {
    try settings.tokens.check(job.workflow.profiles(insteadOf: settings.profile))
    let lock = try settings.isSandbox ? nil : lock(of: job.workflow, settings)
    defer { withExtendedLifetime(lock) {} }
    var chance = SystemRandomNumberGenerator()
    let now = WallClock.now()
    let startedAt = job.resuming?.startedAt ?? now
    let id = job.resuming?.id ?? RunID(startedAt: startedAt, using: &chance)
    var state = RunState(
      workflow: job.workflow,
      inputs: job.inputs,
      options: options,
      context: context(of: job, with: settings),
      id: id,
      startedAt: startedAt,
      seed: chance.next()
    )
    let elapsed = Duration.milliseconds(max(0, now.milliseconds - startedAt.milliseconds))
    let journal: SQLiteJournal
    var past = RunLog.Past(progress: outlet.showsProgress ? PlainProgress() : nil)
    if job.resuming == nil {
      journal = try directory.createJournal(for: id)
    } else {
      // Read under the lock: until it is held another process may have gone on with the run.
      journal = try directory.openJournal(id)
      var replay = RunState.Replay()
      (state, replay, past) = try await journal.fold(into: (state, replay, past)) { run, event in
        run.0.receive(recorded: event, of: &run.1)
        run.2.receive(event)
      }
      let decisions = try job.findings.map { try $0.decision(on: past.report) }
      state.goOn(after: replay, decisions: decisions, at: elapsed)
    }
    var log = RunLog(id: id, of: job.workflow, goingOnFrom: past, outlet: outlet)
    let runner = Runner(transport: transport, journal: journal, clock: ContinuousClock())
    var failure: CommandFailure?
    do {
      _ = try await interruption.tellingToStop { [state] stop in
        try await runner.run(state, since: elapsed, stop: stop) { log.receive($0) }
      }
    } catch {
      failure = CommandFailure(error)
    }
    try? await journal.close()
    return log.conclude(after: failure)
  }

  /// The right to run this file with this profile: two runs of the same do not overlap.
  private func lock(of workflow: Workflow, _ settings: Settings) throws -> RunLock? {
    let profile = settings.profile ?? workflow.token
    let file = workflow.source.path
    guard file != "-" else { return nil }
    guard let lock = try directory.lock(file: file, profile: profile) else {
      throw CommandFailure(
        .tryAgainLater,
        "another run of '\(file)' with the profile '\(profile)' is under way"
      )
    }
    return lock
  }

  private func context(of job: RunJob, with settings: Settings) -> RunContext {
    let workflow = job.workflow
    let folder = WorkflowFolder(of: workflow.source.path)
    return RunContext(
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
