import GraphFlow

/// The exclusive lease to run a workflow file with a profile, and under a key if there is one.
///
/// It is released when the process ends, however that happens.
struct RunLease: ~Copyable, Sendable {
  /// Nil for standard input, which cannot be run twice.
  private let file: RunLock?
  private let key: RunLock?

  /// The last run of the file with the profile, according to the lock; nil without a file.
  var lastRun: RunLock.LastRun? { file.with { $0.lastRun } }
  /// The run under the key, according to its lock; nil without a key.
  var runUnderKey: RunLock.LastRun? { key.with { $0.lastRun } }
  /// The names by which runs under this lease are found.
  var names: RunNames { RunNames(lock: file.with { $0.name }, key: key.with { $0.name }) }

  /// Acquires the lease; nil while another process holds it.
  static func acquire(
    for workflow: Workflow, as profile: String, key: String?, in directory: StateDirectory
  ) throws -> RunLease? {
    let path = workflow.source.path
    guard path != "-" else { return RunLease(file: nil, key: nil) }
    guard let file = try directory.lock(file: path, profile: profile) else { return nil }
    guard let key else { return RunLease(file: file, key: nil) }
    guard let lock = try directory.lock(key: key, of: path) else { return nil }
    return RunLease(file: file, key: lock)
  }

  /// Records the run that is about to start, before anything is sent.
  func record(_ run: RunID) throws {
    _ = try key.with { try $0.record(run) }
    _ = try file.with { try $0.record(run) }
  }
}

extension RunLock? {
  /// Passes the lock to a closure, if there is one: optional chaining would consume it.
  fileprivate borrowing func with<Result>(
    _ body: (borrowing RunLock) throws -> Result
  ) rethrows -> Result? {
    switch self {
    case .some(let lock): try body(lock)
    case .none: nil
    }
  }
}
