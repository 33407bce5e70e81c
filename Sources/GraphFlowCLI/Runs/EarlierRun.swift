import GraphFlow
import JSONPath

/// What a start finds of earlier runs of its file: whether it begins a run at all.
enum EarlierRun: Sendable {
  /// Nothing that matters: a run begins.
  case none
  /// Nobody knows what a run has sent, and somebody has said so: another begins, with every write in
  /// doubt.
  case lost
  /// A run that goes on instead.
  case continues(RunStart)
  /// A run under the same key that is over, and all of its events: its result is repeated.
  case finished(RunID, RunHistory)
}

/// Looks for earlier runs of a job.
struct EarlierRuns {
  let job: RunJob
  let profile: String
  /// What to do about one that is not at its end.
  let rule: StartRules.OnUnfinished
  let directory: StateDirectory

  /// What there is of them, under the right to run the job.
  ///
  /// - Throws: a ``CommandFailure`` if the job must not start: ``ExitStatus/inDoubt`` or
  ///   ``ExitStatus/tryAgainLater`` for an earlier run that is not at its end,
  ///   ``ExitStatus/invalid`` for one that is damaged, and for a key that was used with other inputs
  ///   or another profile.
  func find(with lease: borrowing RunLease) throws -> EarlierRun {
    if let key = job.key, let found = try runWithKey(key, lease) {
      switch found {
      case .known(let record, let start):
        try refuseDifferentJob(than: start, hint: "nothing was sent; another job needs another key")
        {
          "the run key '\(key)' was used with \($0), by the run \(start.id)"
        }
        return record.isUnfinished ? .continues(start) : try finishedRun(record.id)
      case .damaged(let id, let damage): return try damaged(id, damage)
      }
    }
    switch try lastRun(lease) {
    // Of a run that is over only the ends were read: the rest may be damaged, and that may be why
    // somebody asks for doubt.
    case nil: return rule == .doubt ? .lost : .none
    case .damaged(let id, let damage)?: return try damaged(id, damage)
    case .known(let last, let start)?:
      switch rule {
      case .ignore: return .none
      case .doubt: return .lost
      case .resume:
        try refuseDifferentJob(
          than: start,
          hint: "nothing was sent; finish that run first: graphflow resume \(last.id); "
            + "--on-unfinished ignore starts a new one"
        ) { "the last run of '\(start.file)', \(last.id), was started with \($0)" }
        return .continues(start)
      case .refuse:
        // What only read, or sent nothing, can be done again.
        guard last.needsCheck || last.hasSentWrites else { return .none }
        throw refusal(of: last, start)
      }
    }
  }

  /// What follows from a run under the same key that is over: its result, if all of it can be read.
  private func finishedRun(_ id: RunID) throws -> EarlierRun {
    do throws(JournalError) {
      return .finished(id, RunHistory(try directory.reading(id).events()))
    } catch {
      guard error.kind == .damaged else { throw error }
      return try damaged(id, .unreadable(error.message))
    }
  }

  /// What follows from a run of which nobody knows what it has sent.
  private func damaged(_ id: RunID, _ damage: JournalEvidence.Damage) throws -> EarlierRun {
    switch rule {
    case .ignore: return .none
    case .doubt: return .lost
    case .refuse, .resume:
      let file = job.workflow.source.path
      throw CommandFailure(lost: id, damage, of: file, as: profile, in: directory)
    }
  }

  /// The run under a key; one that is not at its end rather than another.
  private func runWithKey(_ key: String, _ lease: borrowing RunLease) throws -> FoundRun? {
    let recorded: RunID?
    switch lease.runUnderKey {
    case .run(let id)?:
      if let found = try FoundRun(id, in: directory) { return found }
      recorded = id
    case .pruned(let id)?: recorded = id
    case .unknown?: recorded = nil
    case nil: return nil
    }
    let name = lease.names.key
    let path = StateDirectory.canonical(job.workflow.source.path)
    let ids = try directory.runs(
      after: recorded,
      where: { $0.key == name },
      orStarted: { $0.key == key && StateDirectory.canonical($0.path) == path }
    )
    let found = try ids.compactMap { try FoundRun($0, in: directory) }
    return found.first(where: \.blocksNewRun) ?? found.first
  }

  /// The newest run of the file with the profile that matters to a new one, from the last one on.
  ///
  /// The lock may have been put back from an older copy, so runs that are newer than the one it notes
  /// are looked at as well; all of them where it notes none.
  private func lastRun(_ lease: borrowing RunLease) throws -> FoundRun? {
    let recorded: RunID?
    var last: [RunID] = []
    switch lease.lastRun {
    case .run(let id)?: (recorded, last) = (id, [id])
    case .pruned(let id)?: recorded = id
    case .unknown?: recorded = nil
    case nil: return nil
    }
    let name = lease.names.lock
    let path = StateDirectory.canonical(job.workflow.source.path)
    let ids = try directory.runs(
      after: recorded,
      where: { $0.lock == name },
      orStarted: { start in
        start.profile == profile && StateDirectory.canonical(start.path) == path
          && !start.isRehearsal
      }
    )
    for id in ids + last {
      if let found = try FoundRun(id, in: directory), found.blocksNewRun { return found }
    }
    return nil
  }

  /// Refuses to take another job for that of an earlier run.
  private func refuseDifferentJob(
    than start: RunStart,
    hint: String,
    message: (_ difference: String) -> String
  ) throws {
    let others = job.inputs.differing(from: start.inputs).map { "'\($0)'" }
    guard !others.isEmpty || (start.profile != profile && !start.isRehearsal) else { return }
    let difference =
      others.isEmpty
      ? "the profile '\(start.profile)'"
      : "another value of \(others.joined(separator: ", "))"
    throw CommandFailure(.invalid, message(difference), hint: hint)
  }

  private func refusal(of last: RunRecord, _ start: RunStart) -> CommandFailure {
    let name = "the last run of '\(start.file)', \(last.id),"
    let again = "--on-unfinished ignore starts anew"
    if last.needsCheck {
      let writes = last.inDoubt == 1 ? "a write" : "\(last.inDoubt) writes"
      return CommandFailure(
        .inDoubt,
        last.inDoubt > 0
          ? "\(name) has \(writes) in doubt; nothing was sent"
          : "\(name) does not know which writes were sent before it; nothing was sent",
        hint: "look on Facebook what happened, then: graphflow resume \(last.id); \(again)"
      )
    }
    return CommandFailure(
      .tryAgainLater,
      "\(name) has sent writes and is unfinished; nothing was sent",
      hint: "go on with: graphflow resume \(last.id), or --on-unfinished resume; \(again)"
    )
  }
}
