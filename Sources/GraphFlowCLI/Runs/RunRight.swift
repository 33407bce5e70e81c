import GraphFlow

/// The right to run a workflow file with a profile, and under a key if there is one, while nobody
/// else does; it goes with the process, however that ends.
struct RunRight: ~Copyable, Sendable {
  /// Nil for standard input, which is no file that could be run twice.
  private let file: RunLock?
  private let key: RunLock?
  /// The last run of the file with the profile, as far as the lock tells.
  let lastRun: RunID?
  /// Whether an earlier version of the tool, which noted nothing, may have run the file.
  let mayHaveOlderRuns: Bool
  /// The run under the key.
  let runUnderKey: RunID?

  private init(
    file: consuming RunLock?,
    key: consuming RunLock?,
    lastRun: RunID? = nil,
    mayHaveOlderRuns: Bool = false,
    runUnderKey: RunID? = nil
  ) {
    self.file = file
    self.key = key
    self.lastRun = lastRun
    self.mayHaveOlderRuns = mayHaveOlderRuns
    self.runUnderKey = runUnderKey
  }

  /// Takes the right; nil while somebody else has it.
  static func taking(
    _ workflow: Workflow,
    as profile: String,
    key: String?,
    in directory: StateDirectory
  ) throws -> RunRight? {
    let path = workflow.source.path
    guard path != "-" else { return RunRight(file: nil, key: nil) }
    guard let file = try directory.lock(file: path, profile: profile) else { return nil }
    let lastRun = file.run
    let mayHaveOlderRuns = !file.isNew && lastRun == nil
    guard let key else {
      return RunRight(
        file: file,
        key: nil,
        lastRun: lastRun,
        mayHaveOlderRuns: mayHaveOlderRuns
      )
    }
    guard let lock = try directory.lock(key: key, of: path) else { return nil }
    let runUnderKey = lock.run
    return RunRight(
      file: file,
      key: lock,
      lastRun: lastRun,
      mayHaveOlderRuns: mayHaveOlderRuns,
      runUnderKey: runUnderKey
    )
  }

  /// Notes the run that is about to start; before anything is sent.
  func note(_ run: RunID) throws {
    switch key {
    case .some(let lock): try lock.note(run)
    case .none: break
    }
    switch file {
    case .some(let lock): try lock.note(run)
    case .none: break
    }
  }
}
