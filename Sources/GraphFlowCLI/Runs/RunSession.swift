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

  /// Runs the jobs in order, all of them, and returns the worst status.
  func run(_ jobs: [RunJob]) async throws -> ExitStatus {
    guard let settings else {
      return try await LocalSandbox.serving { try await run(jobs, with: $0) }
    }
    return try await run(jobs, with: settings)
  }

  private func run(_ jobs: [RunJob], with settings: Settings) async throws -> ExitStatus {
    try await HTTPClientTransport.withTransport(concurrency: options.concurrency) { transport in
      var statuses: [ExitStatus] = []
      for job in jobs where !Task.isCancelled {
        do {
          statuses.append(try await run(job, with: settings, over: transport))
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
    over transport: some Transport
  ) async throws -> ExitStatus {
    let profile = settings.profile ?? job.workflow.token
    let lock = try settings.isSandbox ? nil : lock(of: job.workflow, profile)
    defer { withExtendedLifetime(lock) {} }
    var chance = SystemRandomNumberGenerator()
    let startedAt = job.resuming?.startedAt ?? WallClock.now()
    let id = job.resuming?.id ?? RunID(startedAt: startedAt, using: &chance)
    // A journal is read under the lock: until then another process may have gone on with the run.
    let isNew = job.resuming == nil
    let journal = try isNew ? directory.createJournal(for: id) : directory.openJournal(id)
    let earlier = isNew ? [] : try await journal.events()
    let runner = Runner(
      workflow: job.workflow,
      inputs: job.inputs,
      options: options,
      context: context(of: job.workflow, with: settings),
      transport: transport,
      journal: journal,
      clock: ContinuousClock(),
      startedAt: startedAt,
      id: id,
      seed: chance.next()
    )
    var log = RunLog(id: id, of: job.workflow, earlier: earlier, outlet: outlet)
    var failure: CommandFailure?
    do {
      if isNew {
        _ = try await runner.run { log.receive($0) }
      } else {
        _ = try await runner.resume(earlier) { log.receive($0) }
      }
    } catch {
      failure = CommandFailure(error)
    }
    try? await journal.close()
    let status = log.conclude(after: failure)
    return status
  }

  /// The right to run this file with this profile: two runs of the same do not overlap.
  private func lock(of workflow: Workflow, _ profile: String) throws -> RunLock? {
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

  private func context(of workflow: Workflow, with settings: Settings) -> RunContext {
    let folder = WorkflowFolder(of: workflow.source.path)
    return RunContext(
      graphURL: settings.graphURL,
      version: workflow.version ?? settings.version ?? .current,
      appSecret: settings.appSecret,
      profile: settings.profile,
      token: { profile async throws(TokenUnavailable) in
        try settings.tokens.token(forRunWith: profile)
      },
      readFile: { path in try folder.bytes(of: path) }
    )
  }
}
