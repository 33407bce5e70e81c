import GraphFlow
import JSONPath

/// What a start finds of earlier runs of its file: whether it begins a run at all.
enum EarlierRun: Sendable {
  /// Nothing that matters: a run begins.
  case none
  /// A run that goes on instead.
  case goesOn(RunStart)
  /// A run under the same key that is over: its result is repeated.
  case isOver(RunID)

  /// Looks for earlier runs of a job, under the right to run it.
  ///
  /// - Throws: a ``CommandFailure`` if the job must not start: ``ExitStatus/inDoubt`` or
  ///   ``ExitStatus/tryAgainLater`` for an earlier run that is not at its end,
  ///   ``ExitStatus/invalid`` for a key that was used with other inputs or another profile.
  init(
    of job: RunJob,
    as profile: String,
    under right: borrowing RunRight,
    rule: StartRules.OnUnfinished,
    in directory: StateDirectory
  ) throws {
    if let id = right.runUnderKey, let key = job.key,
      let record = try EarlierRun.record(id, in: directory), let start = record.start
    {
      try EarlierRun.refuseOther(job, as: profile, than: start, under: key)
      self = record.isUnfinished ? .goesOn(start) : .isOver(id)
      return
    }
    let last =
      right.mayHaveOlderRuns
      ? try EarlierRun.newest(of: job.workflow.source.path, as: profile, in: directory)
      : try right.lastRun.flatMap { try EarlierRun.record($0, in: directory) }
    guard let last, let start = last.start, !start.isRehearsal,
      last.needsLook || last.isUnfinished
    else {
      self = .none
      return
    }
    switch rule {
    case .ignore: self = .none
    case .resume: self = .goesOn(start)
    case .refuse:
      // What only read, or sent nothing, can be done again.
      guard last.needsLook || last.hasSentWrites else {
        self = .none
        return
      }
      throw EarlierRun.refusal(of: last, start)
    }
  }

  /// A run; nil if it is gone, or was killed before it began.
  private static func record(_ id: RunID, in directory: StateDirectory) throws -> RunRecord? {
    do {
      let record = try RunRecord(id, in: directory)
      return record.start == nil ? nil : record
    } catch let error as JournalError where error.kind == .notFound {
      return nil
    }
  }

  /// The newest run of a file, in journals of a version that noted none beside its lock.
  private static func newest(
    of file: String,
    as profile: String,
    in directory: StateDirectory
  ) throws -> RunRecord? {
    let path = StateDirectory.canonical(file)
    for id in try directory.runs() {
      guard let reading = try? directory.reading(id),
        case .runStarted(let start)? = try? reading.ends().first,
        start.profile == profile, StateDirectory.canonical(start.path) == path, !start.isRehearsal
      else { continue }
      return try record(id, in: directory)
    }
    return nil
  }

  /// Refuses to take another job for the one under a key.
  private static func refuseOther(
    _ job: RunJob,
    as profile: String,
    than start: RunStart,
    under key: String
  ) throws {
    let inputs = job.inputs.forReport
    let others = start.inputs.compactMap { name, value in
      inputs[name].map { $0 == value } ?? true ? nil : "'\(name)'"
    }
    guard !others.isEmpty || (start.profile != profile && !start.isRehearsal) else { return }
    let difference =
      others.isEmpty
      ? "the profile '\(start.profile)'"
      : "another value of \(others.joined(separator: ", "))"
    throw CommandFailure(
      .invalid,
      "the run key '\(key)' was used with \(difference), by the run \(start.id)",
      hint: "nothing was sent; another job needs another key"
    )
  }

  private static func refusal(of last: RunRecord, _ start: RunStart) -> CommandFailure {
    let name = "the last run of '\(start.file)', \(last.id),"
    let anew = "--on-unfinished ignore starts anew"
    if last.needsLook {
      let writes = last.inDoubt == 1 ? "a write" : "\(last.inDoubt) writes"
      return CommandFailure(
        .inDoubt,
        "\(name) has \(writes) in doubt; nothing was sent",
        hint: "look on Facebook what happened, then: graphflow resume \(last.id); \(anew)"
      )
    }
    return CommandFailure(
      .tryAgainLater,
      "\(name) has sent writes and is unfinished; nothing was sent",
      hint: "go on with: graphflow resume \(last.id), or --on-unfinished resume; \(anew)"
    )
  }
}
