import GraphAPI
import GraphFlow

/// Runs jobs one after the other, against one Graph API, and reports the result of each.
struct RunSession: Sendable {
  /// Archives and printers of the HTTP exchanges.
  var recorders: [ExchangeRecorder] = []
  let store: any StateStore
  let output: RunOutput
  let onOverlap: StartRules.OnOverlap
  /// Sends traces to a collector, if the environment names one.
  var traces = TraceExport()
  /// What to do about the last run, if it is unfinished.
  var onUnfinished = StartRules.OnUnfinished.refuse
  /// Continues a run that is found, instead of starting one.
  let resumption: Resumption
  var rows: [RowsDestination] = []
  /// How long the tokens of profiles must last; nil for any time.
  var minTokenLife: Duration?
  var time = RunTime()
  /// Shows the writes of a new run before they are sent; nil to send them at once.
  var preview: PreviewOptions.Answer?
  /// Whether the person is asked for permissions that are missing.
  var asksForLogin = false

  /// Runs the jobs in order, all of them unless a signal comes, and returns the worst status.
  func run(
    _ jobs: [RunJob], with settings: Settings, until interruption: Interruption
  ) async throws -> ExitStatus {
    // Closed after all runs are finished and their locks released, so that a server that keeps its
    // connections open delays no other run. The run itself decides how many calls are active.
    try await HTTPClientTransport.withTransport(
      route: settings.route, concurrency: Concurrency.maximum
    ) { transport in
      let transport = time.over(LockedTransport(transport) { store.holdsLocks })
        .recorded(by: recorders)
      var outcome = CommandOutcome()
      // A problem with the tokens of the last job must be found before the first job is sent.
      for job in jobs.dropFirst() { try settings.check(job.workflow) }
      for job in jobs {
        if let stopped = interruption.status {
          outcome.record(stopped)
          break
        }
        do {
          outcome.record(try await run(job, with: settings, over: transport, until: interruption))
        } catch {
          let failure = interruption.failure(error)
          outcome.recordFailure(failure)
          if output.options.notify != .none { settings.notifier?.sendRefusal(of: job, failure) }
        }
      }
      do { try settings.retention.apply(in: store, output.files) } catch {
        if !output.options.quiet { Terminal.warn("old runs were not removed: \(error)") }
      }
      return outcome.status
    }
  }

  private func run(
    _ job: RunJob, with settings: Settings, over transport: any Transport,
    until interruption: Interruption
  ) async throws -> ExitStatus {
    try settings.check(job.workflow)
    let profile = settings.profile ?? job.workflow.token
    guard let lease = try await lease(for: job, as: profile, settings) else { return .succeeded }
    defer { withExtendedLifetime(lease) {} }
    var (job, settings) = (job, settings)
    if job.resuming == nil {
      let earlier = EarlierRuns(
        job: job, profile: profile,  // The world of a sandbox run is gone with its writes.
        rule: settings.isSandbox ? .ignore : onUnfinished, store: store)
      switch try earlier.find(with: lease) {
      case .none: break
      case .lost: job.beginsInDoubt = true
      case .finished(let id, let history):
        try output.files.createFolder(of: id)
        var log = RunLog(id: id, of: job.workflow, output: output)
        for event in history.events { log.replay(event) }
        output.notify("nothing was sent: the run \(id) already has this key")
        return log.conclude(after: nil)
      // Its world is gone.
      case .continues(let start) where start.isSandboxRun: break
      case .continues(let start):
        settings = try Settings(resuming: start, at: settings.graphURL)
        output.notify("continuing the unfinished run \(start.id) of '\(start.file)'")
        job = try resumption.job(for: start, in: store)
        try settings.check(job.workflow)
      }
    }
    var login = asksForLogin ? try RunLogin(for: job.workflow, settings) : nil
    try await login?.prepare()
    try await checkTokenLife(of: job, settings, over: transport)
    if let preview {
      job = try await approved(job, settings, over: transport, until: interruption, preview)
    }
    return try await execute(
      job, settings, over: transport, under: lease, until: interruption, login)
  }

  /// Executes a job, again as long as the person grants what it has lacked, and reports its end.
  private func execute(
    _ job: RunJob, _ settings: Settings, over transport: any Transport,
    under lease: RunLease, until interruption: Interruption, _ login: RunLogin?
  ) async throws -> ExitStatus {
    var (job, login) = (job, login)
    // Before the lease records the new run.
    let previous = settings.notifier.flatMap { _ in last(before: job, lease) }
    while true {
      let (ended, trace, status) = try await execute(
        job, settings, over: transport, under: lease, until: interruption)
      if let trace, let problem = await traces?.send(trace, route: settings.route),
        !output.options.quiet
      {
        Terminal.warn("the trace was not sent: \(problem)")
      }
      guard var log = ended else { return status }
      let result = RunResult(of: &log)
      var outcome = CommandOutcome()
      outcome.record(status)
      if status != .succeeded, interruption.status == nil, let start = result.start {
        do {
          if try await login?.grants(to: result) == true {
            job = try resumption.again.job(for: start, in: store)
            continue
          }
        } catch { outcome.recordFailure(interruption.failure(error)) }
      }
      if asksForLogin { outcome.record(log.printResults()) }
      if output.options.notify != .none, let notifier = settings.notifier {
        result.notify(
          notifier, after: previous, onlyChanges: output.options.notify == .changed,
          status: outcome.status)
      }
      return outcome.status
    }
  }

  /// The last run of the same file and profile, or the same run before it continues; nil if there is
  /// none, or it cannot be read.
  private func last(before job: RunJob, _ lease: RunLease) -> RunResult? {
    var id = job.resuming?.start.id
    if id == nil, case .run(let last)? = lease.lastRun { id = last }
    return id.flatMap { try? RunResult($0, in: store) }
  }

  /// Acquires the lease for this file and profile; nil if another run is active and it is skipped.
  private func lease(
    for job: RunJob, as profile: String, _ settings: Settings
  ) async throws -> RunLease? {
    // A sandbox run neither blocks nor waits for a real one: a profile's name is never empty.
    let name = settings.isSandbox ? "" : profile
    let key =
      job.resuming == nil
      ? job.lockedKey(of: job.options.shard, isSandbox: settings.isSandbox) : nil
    var isWaiting = false
    // A run that is continued was probably killed, and its locks may still be leased.
    let end = ContinuousClock.now + (job.resuming == nil ? .zero : store.releaseDelay)
    while true {
      if let lease = try RunLease.acquire(for: job, as: name, key: key, in: store) { return lease }
      let busy =
        "another run of '\(job.workflow.source.path)' with the profile '\(profile)' is active"
      switch onOverlap {
      case .fail where ContinuousClock.now >= end: throw CommandFailure(.tryAgainLater, busy)
      case .skip:
        output.notify("skipped: \(busy)")
        return nil
      case .wait, .fail:
        if !isWaiting { output.notify("waiting: \(busy)") }
        isWaiting = true
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  private func execute(
    _ job: RunJob, _ settings: Settings, over transport: any Transport,
    under lease: RunLease, until interruption: Interruption
  ) async throws -> (RunLog?, Trace?, ExitStatus) {
    let now = time.now()
    var generator = time.generator(now)
    let known = job.resuming?.start.identity ?? job.identity
    let startedAt = known?.startedAt ?? now
    let id = known?.id ?? RunID(startedAt: startedAt, using: &generator)
    var (job, others) = (job, JobRuns(job, with: settings, in: store))
    var start = job.resuming == nil ? try await others?.begin(at: now) : nil
    job = try start?.job ?? job.counting(from: startedAt)
    let windows = try windows(of: job, settings, id)
    var state = self.state(
      of: job, job.options, settings, windows.bookmarks, seed: generator.next(),
      as: known ?? RunIdentity(id: id, startedAt: startedAt, datesFrom: job.datesFrom))
    let clock = Duration.milliseconds(now.milliseconds - startedAt.milliseconds)
    let beginning: [RunEvent] =
      job.beginsInDoubt ? [.runStarted(state.runStart()), .endLost(now)] : []
    try await state.inherit(from: others, for: job, in: store)
    let locked = try await journal(of: job, id, beginning: beginning, under: lease)
    try start?.record(id)
    defer { withExtendedLifetime(locked) {} }
    let journal = locked.journal
    try output.files.createFolder(of: id)
    let isWithRows = job.options.shard?.performs(.items) != false
    var rows = try RowFiles(of: job, id, at: isWithRows ? rows : nil, in: output.files, windows)
    // From here to the report, the run itself handles signals and decides its exit code.
    return try await interruption.stopping(onSignalOr: store.stopRequest(for: id)) { stop in
      var log = RunLog(id: id, of: job.workflow, output: output, total: job.total)
      try await restore(journal, of: job, beginning, into: &state, &log, at: clock)
      var (failure, end): (CommandFailure?, RunEnd?)
      var operations = output.options.verbose ? OperationLines(of: state.runStart()) : nil
      var trace = traces.map { _ in Trace(of: state.runStart(), after: log.report) }
      do {
        end = try await perform(
          &state, over: transport, journal, settings, since: max(.zero, clock), stop,
          collect: { rows.append($0) }
        ) { event in
          start = nil
          for recorder in recorders { recorder.follow(event, of: job.workflow) }
          if let lines = operations?.lines(for: event) {
            for line in lines { Terminal.notify(line.text, .info, line.fields) }
          }
          log.record(event)
          trace?.apply(event)
        }
      } catch let error as JournalError where error.kind == .lockLost {
        // What happens to the run now is in the report of the process that has taken it over.
        return (nil, nil, log.abandon(after: CommandFailure(lost: id, to: error)))
      } catch {
        failure = interruption.failure(error)
      }
      try? await journal.close()
      var outcome = CommandOutcome()
      outcome.record(log.conclude(after: failure, printsResults: !asksForLogin))
      outcome.record(rows.conclude(after: end, of: id, output, isSandbox: settings.isSandbox))
      return (log, trace, outcome.status)
    }
  }

  /// The windows that other runs have read; a new run says if they do not count any more.
  private func windows(of job: RunJob, _ settings: Settings, _ id: RunID) throws -> WindowState {
    let windows = try WindowState(of: job, with: settings, in: store, for: id)
    if job.resuming == nil { for notice in try windows.notices() { output.notify(notice) } }
    return windows
  }

  /// Performs a run, which shares what it knows about Graph's limits with other runs.
  func perform(
    _ state: inout RunState, over transport: any Transport, _ journal: any Journal,
    _ settings: Settings, since elapsed: Duration = .zero, _ stop: StopSignal,
    collect: (OutputPart) -> Void = { _ in }, observe: (RunEvent) -> Void
  ) async throws -> RunEnd {
    let quota = store.quota { [output] problem in
      if !output.options.quiet { Terminal.warn("\(problem)") }
    }
    let runner = Runner(
      transport: transport, journal: journal, clock: time.clock,
      quota: settings.isSandbox ? nil : quota)
    return try await Pipeline.run(
      &state, on: runner, since: elapsed, stop: stop, collect: collect, observe: observe)
  }

  /// Opens the journal of a run, and locks the run.
  ///
  /// A continued run is checked while that lock is held: until then another process may have
  /// continued it.
  private func journal(
    of job: RunJob, _ id: RunID, beginning: [RunEvent], under lease: RunLease
  ) async throws -> LockedJournal {
    guard let resumed = job.resuming else {
      let journal = try store.createJournal(for: id, named: lease.names)
      let lock = try await lockRun(id)
      // Before the lease records the run: after a crash the run must know that its predecessor is lost.
      try await journal.append(beginning, durably: true)
      // Not for a continued run, which was recorded at its start: a newer run must stay the last.
      try lease.record(id)
      try keepFile(of: job, id)
      return LockedJournal(journal: journal, lock: lock)
    }
    let lock = try await lockRun(id)
    if !resumed.resumption.acceptsLostEnd { try store.refuseDamaged(id, of: resumed.start) }
    if resumed.isChanged { try keepFile(of: job, id) }
    var names = lease.names
    let key = job.lockedKey(of: job.options.shard, isSandbox: resumed.start.isSandboxRun)
    names.key = key.map { StateDirectory.name(ofKey: $0, of: job.workflow.source.path) }
    return LockedJournal(journal: try store.openJournal(id, named: names), lock: lock)
  }

  /// Keeps the workflow file for other hosts, unless it has changed or a secret was written into it.
  private func keepFile(of job: RunJob, _ id: RunID) throws {
    let file = job.workflow.source
    guard file.path != "-" else { return }
    try store.keepFile(of: id) {
      guard let bytes = try? FileReading.bytes(of: file.path),
        SourceFile(path: file.path, bytes: bytes).digest == file.digest,
        ProcessRedactor.redacted(bytes) == bytes
      else { return nil }
      return bytes
    }
  }

  /// A run's journal, and the lock of the run.
  private struct LockedJournal {
    let journal: any RunJournal
    let lock: any StateLock
  }

  /// Locks the run itself; other processes hold this lock only for as long as they read the run.
  private func lockRun(_ id: RunID) async throws -> any StateLock {
    let end = ContinuousClock.now + .seconds(4) + store.releaseDelay
    repeat {
      if let lock = try store.lock(id) { return lock }
      try await Task.sleep(for: .milliseconds(20))
    } while ContinuousClock.now < end
    throw CommandFailure(.tryAgainLater, "another process is working on the run \(id)")
  }

  /// Restores what the journal of a continued run holds, or what a new one begins with.
  private func restore(
    _ journal: any RunJournal, of job: RunJob, _ beginning: [RunEvent], into state: inout RunState,
    _ log: inout RunLog, at clock: Duration
  ) async throws {
    if let resumed = job.resuming {
      try await replay(journal, of: job, resumed, into: &state, &log, at: clock)
    } else if !beginning.isEmpty {
      for event in beginning { log.replay(event) }
      state.replay(beginning, at: clock)
    }
  }

  /// Restores the state of a continued run and its log from the journal.
  private func replay(
    _ journal: any RunJournal, of job: RunJob, _ resumed: ResumedRun, into state: inout RunState,
    _ log: inout RunLog, at clock: Duration
  ) async throws {
    let resumption = resumed.resumption
    var replay = state.beginReplay()
    let start = state.runStart()
    var beginning: [RunEvent] = []
    do {
      if try resumed.isChanged || store.reading(resumed.start.id).hasChangedFile() {
        let events = try await journal.events()
        if resumed.isChanged {
          let time = self.time.now()
          beginning = [.runStarted(start)] + (resumption.acceptsLostEnd ? [.endLost(time)] : [])
          try resumed.refuseLostDoubt(in: Pipeline.report(of: RunHistory(events)), for: start)
        }
        // The events so far, mapped to the requests of the changed file.
        let history = RunHistory(events + beginning)
        for event in history.events { log.replay(event) }
        for event in history.events(ofFirst: start.requests.count) { replay.record(event) }
      } else {
        (replay, log) = try await journal.fold(into: (replay, log)) { folded, event in
          folded.0.record(event)
          folded.1.replay(event)
        }
      }
      let report = log.whole ?? Report(of: [])
      let decisions = try DoubtFinding.decisions(of: resumption.findings, on: report)
      try KeyChange.check(resumed, of: job, in: report, output)
      // After all checks. One append, because each durable append moves the mark: a changed file
      // without the loss would make a journal that has lost its end look complete.
      try await journal.append(beginning, durably: true)
      state.resume(
        after: replay, decisions: decisions,
        hasLostEnd: resumption.acceptsLostEnd && !resumed.isChanged, at: clock)
    } catch let error as JournalError where error.kind == .damaged {
      throw CommandFailure(
        lost: resumed.start.id, .unreadable(error.message), of: resumed.start.file,
        as: resumed.start.profile, in: store)
    }
  }
}

extension Settings {
  /// Refuses a workflow that the guard does not allow, or with a profile that can never provide a
  /// token.
  ///
  /// The profile that the user chose replaces the workflow's own.
  fileprivate func check(_ workflow: Workflow) throws {
    try requestGuard.check(workflow)
    try tokens.check(profiles(of: workflow))
  }

  /// The profiles whose tokens a workflow's requests use.
  func profiles(of workflow: Workflow) -> Set<String> {
    Set(
      workflow.requests.compactMap { request -> String? in
        guard case .profile(let profile) = request.token else { return nil }
        return profile == workflow.token ? self.profile ?? profile : profile
      })
  }
}
