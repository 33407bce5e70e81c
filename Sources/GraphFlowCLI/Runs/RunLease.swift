import GraphFlow

/// The right to run a workflow file with a profile, and under a key if there is one, while nobody
/// else does; it goes with the process, however that ends.
struct RunLease: ~Copyable, Sendable {
  /// Nil for standard input, which is no file that could be run twice.
  private let file: RunLock?
  private let key: RunLock?

  /// What the lock says of the last run of the file with the profile; nil without a file.
  var lastRun: RunLock.Note? { file.with { $0.lastRun } }
  /// What the key says of the run under it; nil without a key.
  var runUnderKey: RunLock.Note? { key.with { $0.lastRun } }
  /// The names by which runs under this right are found.
  var names: RunNames { RunNames(lock: file.with { $0.name }, key: key.with { $0.name }) }

  /// Takes the right; nil while somebody else has it.
  static func acquire(
    for workflow: Workflow,
    as profile: String,
    key: String?,
    in directory: StateDirectory
  ) throws -> RunLease? {
    let path = workflow.source.path
    guard path != "-" else { return RunLease(file: nil, key: nil) }
    guard let file = try directory.lock(file: path, profile: profile) else { return nil }
    guard let key else { return RunLease(file: file, key: nil) }
    guard let lock = try directory.lock(key: key, of: path) else { return nil }
    return RunLease(file: file, key: lock)
  }

  /// Notes the run that is about to start; before anything is sent.
  func record(_ run: RunID) throws {
    _ = try key.with { try $0.note(run) }
    _ = try file.with { try $0.note(run) }
  }
}

extension RunLock? {
  /// Does something with the lock, if there is one: chaining would consume it.
  fileprivate borrowing func with<Result>(
    _ body: (borrowing RunLock) throws -> Result
  ) rethrows -> Result? {
    switch self {
    case .some(let lock): try body(lock)
    case .none: nil
    }
  }
}
