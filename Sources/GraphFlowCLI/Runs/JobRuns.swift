import GraphAPI
import GraphFlow
import JSONPath

extension RunJob {
  /// The text that the lock of its key is named after; nil without a key.
  ///
  /// Each part of a job has its own. A sandbox run neither blocks nor waits for a real one.
  func lockedKey(of shard: Shard?, isSandbox: Bool) -> String? {
    key.map { $0 + suffix(of: shard) + (isSandbox ? "\0" : "") }
  }

  /// The text that tells its locks from those of other parts, and of runs with another overlap key.
  func suffix(of shard: Shard?) -> String {
    let separating = workflow.inputs.filter(\.separatesRuns).sorted { $0.name < $1.name }
      .map { inputs[$0.name] ?? .null }
    return (separating.isEmpty ? "" : "\0\(JSON.array(separating).serialized())")
      + (shard.map { "\0\($0)" } ?? "")
  }

  /// Whether an earlier run had the same overlap key.
  func hasOverlapKey(of start: RunStart) -> Bool {
    let differing = Set(inputs.differing(from: start.inputs))
    return !workflow.inputs.contains { $0.separatesRuns && differing.contains($0.name.text) }
  }

  /// The id of the job that it is a part of: the same for all its parts, on every host.
  func id(isSandbox: Bool) -> String? {
    guard options.shard != nil, let key = lockedKey(of: nil, isSandbox: isSandbox) else {
      return nil
    }
    return "job-" + StateDirectory.name(ofKey: key, of: workflow.source.path).prefix(12)
  }

  /// Refuses inputs, a profile or a part that differ from those of an earlier run.
  func refuseDifference(
    from start: RunStart, as profile: String, hint: String,
    message: (_ difference: String) -> String
  ) throws {
    let others = inputs.differing(from: start.inputs).map { "'\($0)'" }
    let difference: String
    if !others.isEmpty {
      difference = "another value of \(others.joined(separator: ", "))"
    } else if start.profile != profile, !start.isSandboxRun {
      difference = "the profile '\(start.profile)'"
    } else if start.options.only != options.only {
      difference = start.options.only.isEmpty ? "the whole file" : "another --only"
    } else if start.options.part != options.part {
      difference = start.options.from == nil ? "the whole file" : "another --from"
    } else {
      return
    }
    throw CommandFailure(.invalid, message(difference), hint: hint)
  }
}

/// A job that is locked until the run of a part has started.
struct JobStart: Sendable {
  fileprivate let lock: any StateLock
  /// Whether the job has no run yet.
  fileprivate let isNew: Bool
  /// The job as its first run counts dates.
  let job: RunJob

  /// Records the first run of the job, with which the others have to agree.
  func record(_ run: RunID) throws { if isNew { try lock.record(run) } }
}

/// The other runs of a job, as the run of one part sees them.
struct JobRuns {
  private(set) var job: RunJob
  let shard: Shard
  let profile: String
  let isSandbox: Bool
  let store: any StateStore

  /// Nil for a run that is not a part of a job.
  init?(_ job: RunJob, with settings: Settings, in store: any StateStore) {
    guard let shard = job.options.shard, job.key != nil else { return nil }
    self.job = job
    self.shard = shard
    profile = settings.profile ?? job.workflow.token
    isSandbox = settings.isSandbox
    self.store = store
  }

  private var path: String { job.workflow.source.path }

  // MARK: - One job

  /// Locks the job until the new run has started, and refuses a run that does not fit the others.
  ///
  /// All parts must divide the same items, so they have the same number of shards, the same files and
  /// the same inputs as the run of the first part.
  ///
  /// All parts count dates from the start of the first run.
  mutating func begin(at now: Timestamp) async throws -> JobStart {
    guard let lock = try await lock(of: nil) else {
      throw CommandFailure(.tryAgainLater, "a run of '\(path)' with the key '\(key)' is active")
    }
    guard case .run(let id) = lock.lastRun, let first = try FoundRun(id, in: store) else {
      return JobStart(lock: lock, isNew: true, job: try job.counting(from: now))
    }
    switch first {
    case .known(let record):
      job = try job.counting(from: record.start.identity.datesFrom)
      try refuseDifference(from: record.start)
    case .damaged: job = try job.counting(from: id.startedAt)
    }
    return JobStart(lock: lock, isNew: false, job: job)
  }

  /// Locks a part, or the job; nil if a run of it is active.
  ///
  /// Other parts hold the lock only for as long as they read what it names.
  private func lock(of shard: Shard?) async throws -> (any StateLock)? {
    let end = ContinuousClock.now + .seconds(4) + store.releaseDelay
    repeat {
      if let lock = try store.lock(key: lockedKey(of: shard), of: path) { return lock }
      try await Task.sleep(for: .milliseconds(20))
    } while ContinuousClock.now < end
    return nil
  }

  private var key: String { job.key ?? "" }

  private func lockedKey(of shard: Shard?) -> String {
    job.lockedKey(of: shard, isSandbox: isSandbox) ?? ""
  }

  private func refuseDifference(from start: RunStart) throws {
    let hint = "nothing was sent; give another job another key"
    guard start.options.shard?.count == shard.count else {
      let other =
        start.options.shard.map { "a job with \($0.count) shards" } ?? "a run of the whole file"
      throw CommandFailure(
        .invalid, "the run key '\(key)' belongs to \(other), \(start.job ?? "\(start.id)")",
        hint: hint)
    }
    try job.refuseDifference(from: start, as: profile, hint: hint) {
      "the job '\(key)' was started with \($0)"
    }
    var changed = job.workflow.source.digest == start.fileDigest ? [] : [start.file]
    changed += job.itemFiles.filter { start.itemFiles[$0.key] != $0.value }.map(\.key).sorted()
    guard let file = changed.first else { return }
    throw CommandFailure(
      .invalid, "'\(file)' is not the file with which the job '\(key)' was started",
      hint: "nothing was sent; all parts of a job need the same files")
  }

  // MARK: - Results of other parts

  /// Visits what the runs of other parts have done that this part needs.
  ///
  /// - Throws: a ``CommandFailure`` if such a run is missing, active, unfinished or has failed.
  func forEachInheritedEvent(_ visit: (RunEvent) -> Void) async throws {
    for part in neededParts {
      let record = try await finishedRun(of: Shard(part, of: shard.count))
      let reading = try store.reading(record.id)
      guard try !reading.hasChangedFile() else {
        throw CommandFailure(
          .invalid, "the run \(record.id) was continued with a changed workflow file",
          hint: "a part of a job cannot use its results; start another job with another key")
      }
      try reading.forEachEvent(visit)
    }
  }

  private var neededParts: [Shard.Part] {
    let parts = JobParts(of: job.workflow)
    let prologue = parts.hasPrologue ? [Shard.Part.prologue] : []
    switch shard.part {
    case .prologue: return []
    case .items: return prologue
    case .epilogue:
      return prologue + (parts.epilogueNeedsItems ? (1...shard.count).map { .items($0) } : [])
    }
  }

  /// The finished run of another part; of the prologue, one that has succeeded.
  private func finishedRun(of part: Shard) async throws -> RunRecord {
    func wait(_ state: String) -> CommandFailure {
      CommandFailure(
        .tryAgainLater, "--shard \(shard) needs the results of --shard \(part), which \(state)",
        hint: "nothing was sent; start it again when that part has finished")
    }
    guard let lock = try await lock(of: part) else {
      throw wait("is active")
    }
    let runs = EarlierRuns(job: job, profile: profile, rule: .refuse, store: store)
    switch try runs.run(of: part, recorded: lock.lastRun, named: lock.name) {
    case .damaged(let id, let damage)?:
      throw CommandFailure(lost: id, damage, of: path, as: profile, in: store)
    case .known(let record)?:
      if record.isUnfinished { throw wait("is unfinished: \(record.id)") }
      guard part.part == .prologue, record.status != .succeeded else { return record }
      throw CommandFailure(
        .invalid, "--shard \(shard) needs the results of --shard \(part), which has failed",
        hint: "nothing was sent; first: graphflow resume \(record.id)")
    case nil:
      guard part.part == .prologue else { throw wait("has not run") }
      throw CommandFailure(
        .invalid, "--shard \(shard) needs the results of --shard \(part), which has not run",
        hint: "nothing was sent; first run --shard \(part) with the same file, inputs and key")
    }
  }
}
