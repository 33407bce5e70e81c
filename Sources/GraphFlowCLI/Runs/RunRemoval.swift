import GraphFlow

/// Removes runs, but none that is active, and none whose loss could lose a result or cause a write
/// to be sent twice.
struct RunRemoval {
  /// The outcome for a run, with what it was and how it had ended.
  enum Outcome {
    case removed(String)
    /// It is unfinished, holds a write in doubt, or cannot be read.
    case kept(String)
    case active
  }

  let store: any StateStore
  /// Where the reports and rows of runs are.
  let files: StateDirectory
  /// Whether runs that are worth keeping are removed, too.
  var includesUnfinished = false
  var isDryRun = false

  /// Removes a run; ``StateStore/removeLeftovers()`` deletes its files.
  func remove(_ id: RunID) throws -> Outcome {
    let (state, isWorthKeeping) = inspect(id)
    guard includesUnfinished || !isWorthKeeping && !store.isLost(id) else {
      return .kept(state)
    }
    // Held until the run is gone, so that no process resumes it. A run without a folder has no lock.
    let lock = try store.lock(id)
    defer { withExtendedLifetime(lock) {} }
    switch lock {
    case .some: break
    case .none: guard store.isLost(id) else { return .active }
    }
    if !isDryRun {
      try store.remove(id)
      try files.removeFolder(of: id)
    }
    return .removed(state)
  }

  private func inspect(_ id: RunID) -> (state: String, isWorthKeeping: Bool) {
    do {
      let found = try FoundRun(id, in: store)
      if case .damaged? = found { return ("unreadable", true) }
      guard case .known(let record)? = found else {
        // It can be read, but was killed before it started.
        _ = try RunRecord(id, in: store)
        return (RunStatus.unfinished.rawValue, false)
      }
      return (
        "\(Untrusted.shown(record.start.workflow)) \(record.status.rawValue)", record.isWorthKeeping
      )
    } catch {
      return ("unreadable", true)
    }
  }
}

/// How long finished runs are kept, by how they ended; nil keeps them.
///
/// Runs that are unfinished, in doubt or damaged are always kept.
struct Retention: Sendable {
  var succeeded: RunAge?
  var failed: RunAge?
  /// Runs with `--sandbox`, however they ended.
  var sandbox: RunAge?

  /// Removes the runs that were started too long ago; those that cannot be removed stay.
  func apply(in store: any StateStore, _ files: StateDirectory) throws {
    let ages = [succeeded, failed, sandbox].compactMap(\.self)
    guard let youngest = ages.min(by: { $0.duration < $1.duration }) else { return }
    let now = WallClock.now()
    let removal = RunRemoval(store: store, files: files)
    for id in try store.runs() where id.startedAt < now - youngest {
      guard case .known(let record)? = try? FoundRun(id, in: store),
        let age = age(of: record), id.startedAt < now - age
      else { continue }
      _ = try removal.remove(id)
    }
    try store.removeLeftovers()
  }

  private func age(of record: RunRecord) -> RunAge? {
    if record.start.isSandboxRun { return sandbox }
    return record.status == .succeeded ? succeeded : failed
  }
}

extension Timestamp {
  fileprivate static func - (time: Timestamp, age: RunAge) -> Timestamp {
    time.advanced(by: .zero - age.duration)
  }
}
