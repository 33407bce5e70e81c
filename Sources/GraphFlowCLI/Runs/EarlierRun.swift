import GraphFlow
import JSONPath

/// What a start finds about earlier runs of its file, which decides whether a run starts.
enum EarlierRun: Sendable {
  case none
  /// It is unknown what a run has sent, and the user accepts that: a new run starts, with every
  /// write in doubt.
  case lost
  case continues(RunStart)
  /// A finished run under the same key, and all of its events: its result is repeated.
  case finished(RunID, RunHistory)
}

/// Searches for earlier runs of a job.
struct EarlierRuns {
  let job: RunJob
  let profile: String
  let rule: StartRules.OnUnfinished
  let store: any StateStore

  /// Finds the earlier run that matters, while the lease of the job is held.
  ///
  /// - Throws: a ``CommandFailure`` if the job must not start: ``ExitStatus/inDoubt`` or
  ///   ``ExitStatus/tryAgainLater`` for an unfinished earlier run,
  ///   ``ExitStatus/invalid`` for one that is damaged, and for a key that was used with other inputs
  ///   or another profile.
  func find(with lease: RunLease) throws -> EarlierRun {
    if let key = job.key, let found = try runWithKey(lease) {
      switch found {
      case .known(let record):
        let hint = "nothing was sent; give another job another key"
        guard record.start.options.shard == job.options.shard else {
          throw CommandFailure(
            .invalid, "the run key '\(key)' belongs to the job \(record.start.job ?? "")",
            hint: hint)
        }
        try job.refuseDifference(from: record.start, as: profile, hint: hint) {
          "the run \(record.id) used the run key '\(key)' with \($0)"
        }
        return record.isUnfinished ? .continues(record.start) : try finishedRun(record.id)
      case .damaged(let id, let damage): return try damaged(id, damage)
      }
    }
    switch try lastRun(lease) {
    // Only the two ends of a finished run were read: the rest may be damaged, which may be why the
    // user chose `doubt`.
    case nil: return rule == .doubt ? .lost : .none
    case .damaged(let id, let damage)?: return try damaged(id, damage)
    case .known(let last)?:
      switch rule {
      case .ignore: return .none
      case .doubt: return .lost
      case .resume:
        try job.refuseDifference(
          from: last.start, as: profile,
          hint: "nothing was sent; finish that run first: graphflow resume \(last.id); "
            + "--on-unfinished ignore starts a new one"
        ) { "the last run of '\(last.start.file)', \(last.id), was started with \($0)" }
        return .continues(last.start)
      case .refuse:
        // A run that only read, or sent nothing, can be repeated.
        guard last.needsCheck || last.hasSentWrites else { return .none }
        throw refusal(of: last)
      }
    }
  }

  /// The result of a finished run under the same key, if all of its journal can be read.
  private func finishedRun(_ id: RunID) throws -> EarlierRun {
    do throws(JournalError) {
      return .finished(id, RunHistory(try store.reading(id).events()))
    } catch {
      guard error.kind == .damaged else { throw error }
      return try damaged(id, .unreadable(error.message))
    }
  }

  private func damaged(_ id: RunID, _ damage: JournalEvidence.Damage) throws -> EarlierRun {
    switch rule {
    case .ignore: return .none
    case .doubt: return .lost
    case .refuse, .resume:
      let file = job.workflow.source.path
      throw CommandFailure(lost: id, damage, of: file, as: profile, in: store)
    }
  }

  /// The run under the job's key; an unfinished one is preferred.
  private func runWithKey(_ lease: RunLease) throws -> FoundRun? {
    guard let recorded = lease.runUnderKey, let name = lease.names.key else { return nil }
    return try run(of: job.options.shard, recorded: recorded, named: name)
  }

  /// The run of a part of the job, or of all of it, by the lock of its key.
  func run(of shard: Shard?, recorded: LastRun, named name: String) throws -> FoundRun? {
    if case .run(let id) = recorded, let found = try FoundRun(id, in: store) { return found }
    let found = try runs(
      after: recorded, where: { $0.key == name },
      orStarted: { $0.key == job.key && $0.options.shard == shard && job.hasOverlapKey(of: $0) }
    )
    .compactMap { try FoundRun($0, in: store) }
    return found.first(where: \.blocksNewRun) ?? found.first
  }

  /// The newest run of the file and profile that blocks a new run.
  ///
  /// The lock may have been restored from an older copy, so runs that are newer than the one in the
  /// lock are checked as well; all runs if the lock names none.
  private func lastRun(_ lease: RunLease) throws -> FoundRun? {
    guard let recorded = lease.lastRun else { return nil }
    let name = lease.names.lock
    var ids = try runs(
      after: recorded, where: { $0.lock == name },
      orStarted: {
        $0.profile == profile && !$0.isSandboxRun && $0.options.shard == job.options.shard
          && job.hasOverlapKey(of: $0)
      })
    if case .run(let id) = recorded { ids.append(id) }
    for id in ids {
      if let found = try FoundRun(id, in: store), found.blocksNewRun { return found }
    }
    return nil
  }

  /// The runs of the file that are newer than a recorded one, the newest first; without its id, all.
  ///
  /// They are found by their names, or by their start events if they have no names.
  private func runs(
    after recorded: LastRun, where isNamed: (RunNames) -> Bool,
    orStarted isMeant: (RunStart) -> Bool
  ) throws -> [RunID] {
    let id: RunID? =
      switch recorded {
      case .run(let id), .pruned(let id): id
      case .unknown: nil
      }
    let path = StateDirectory.canonical(job.workflow.source.path)
    return try store.runs(after: id, where: isNamed) {
      isMeant($0) && StateDirectory.canonical($0.path) == path
    }
  }

  private func refusal(of last: RunRecord) -> CommandFailure {
    let name = "the last run of '\(last.start.file)', \(last.id),"
    let ignoreHint = "--on-unfinished ignore starts a new run"
    if last.needsCheck {
      let writes = last.inDoubt == 1 ? "a write" : "\(last.inDoubt) writes"
      return CommandFailure(
        .inDoubt,
        last.inDoubt > 0
          ? "\(name) has \(writes) in doubt; nothing was sent"
          : "\(name) was started without knowing which writes had been sent; nothing was sent",
        hint: "check on Facebook what happened, then: graphflow resume \(last.id); \(ignoreHint)")
    }
    return CommandFailure(
      .tryAgainLater, "\(name) has sent writes and is unfinished; nothing was sent",
      hint:
        "continue it with: graphflow resume \(last.id), or --on-unfinished resume; \(ignoreHint)")
  }
}

/// The exclusive lease to run a workflow file with a profile, and under a key if there is one.
///
/// It is released when the value is destroyed, or the process ends, however that happens.
struct RunLease: Sendable {
  /// Nil for standard input, which cannot be run twice.
  private let file: (any StateLock)?
  private let key: (any StateLock)?

  /// The last run of the file with the profile, according to the lock; nil without a file.
  var lastRun: LastRun? { file?.lastRun }
  /// The run under the key, according to its lock; nil without a key.
  var runUnderKey: LastRun? { key?.lastRun }
  /// The names by which runs under this lease are found.
  var names: RunNames { RunNames(lock: file?.name, key: key?.name) }

  /// Acquires the lease; nil while another process holds it.
  ///
  /// The parts of a job do not exclude each other, nor do runs with different overlap keys.
  static func acquire(
    for job: RunJob, as profile: String, key: String?, in store: any StateStore
  ) throws -> RunLease? {
    let path = job.workflow.source.path
    guard path != "-" else { return RunLease(file: nil, key: nil) }
    let name = profile + job.suffix(of: job.options.shard)
    guard let file = try store.lock(file: path, profile: name) else { return nil }
    guard let key else { return RunLease(file: file, key: nil) }
    guard let lock = try store.lock(key: key, of: path) else { return nil }
    return RunLease(file: file, key: lock)
  }

  /// Records the run that is about to start, before anything is sent.
  func record(_ run: RunID) throws {
    try key?.record(run)
    try file?.record(run)
  }
}
