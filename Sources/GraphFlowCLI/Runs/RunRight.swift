import GraphFlow

/// The right to run a workflow file with a profile, and under a key if there is one, while nobody
/// else does; it goes with the process, however that ends.
struct RunRight: ~Copyable, Sendable {
  /// Nil for standard input, which is no file that could be run twice.
  private let file: RunLock?
  private let key: RunLock?
  /// What the lock says of the last run of the file with the profile; nil without a file.
  let lastRun: RunLock.Note?
  /// What the key says of the run under it; nil without a key.
  let runUnderKey: RunLock.Note?
  /// The names by which runs under this right are found.
  let names: RunNames

  private init(
    file: consuming RunLock?,
    key: consuming RunLock?,
    lastRun: RunLock.Note?,
    runUnderKey: RunLock.Note? = nil,
    names: RunNames
  ) {
    self.file = file
    self.key = key
    self.lastRun = lastRun
    self.runUnderKey = runUnderKey
    self.names = names
  }

  /// Takes the right; nil while somebody else has it.
  static func taking(
    _ workflow: Workflow,
    as profile: String,
    key: String?,
    in directory: StateDirectory
  ) throws -> RunRight? {
    let path = workflow.source.path
    guard path != "-" else {
      return RunRight(file: nil, key: nil, lastRun: nil, names: RunNames())
    }
    guard let file = try directory.lock(file: path, profile: profile) else { return nil }
    let lastRun = file.lastRun
    var names = RunNames(lock: file.name)
    guard let key else { return RunRight(file: file, key: nil, lastRun: lastRun, names: names) }
    guard let lock = try directory.lock(key: key, of: path) else { return nil }
    let runUnderKey = lock.lastRun
    names.key = lock.name
    return RunRight(
      file: file,
      key: lock,
      lastRun: lastRun,
      runUnderKey: runUnderKey,
      names: names
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
