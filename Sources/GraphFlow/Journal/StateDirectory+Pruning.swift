#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Removing runs for good, so that nobody takes one that was pruned for one that was lost.
extension StateDirectory {
  /// Removes a run; ``removeRests()`` removes what is left of it.
  ///
  /// It disappears at once and as a whole, also if this process is killed. What stays until the rests
  /// are removed says that it was pruned.
  package func remove(_ id: RunID) throws(JournalError) {
    let rest = restPath(id)
    guard rename(folder(of: id), rest) != 0 else { return }
    // A run whose folder is gone leaves a file beside it.
    guard errno == ENOENT, mkdir(rest, 0o700) == 0 || errno == EEXIST else {
      throw JournalError(.cannotWrite, failingAt: folder(of: id))
    }
  }

  /// Removes what is left of runs that were removed.
  ///
  /// That are their folders, their marks, and what locks and keys say of them. A lock or key that is
  /// in use keeps the rest for the next time.
  package func removeRests() throws(JournalError) {
    let rests = try names(in: .runs).filter { $0.hasPrefix(StateDirectory.doomed) }
    let ids = rests.compactMap { RunID(String($0.dropFirst(StateDirectory.doomed.count))) }
    let named = try forget(Set(ids))
    for id in ids where !named.contains(id) {
      unlink("\(path(of: .intents))/\(id)")
      let rest = restPath(id)
      for name in try StateDirectory.names(in: rest) { unlink("\(rest)/\(name)") }
      guard rmdir(rest) == 0 else { throw JournalError(.cannotWrite, failingAt: rest) }
    }
  }

  /// Whether a run was removed, and something is left of it.
  func isPruned(_ id: RunID) -> Bool { OpenFile.exists(restPath(id)) }

  /// Takes runs out of the locks and keys that name them.
  ///
  /// - Returns: those that stay named, because the lock or key is in use.
  private func forget(_ ids: Set<RunID>) throws(JournalError) -> Set<RunID> {
    var kept: Set<RunID> = []
    guard !ids.isEmpty else { return kept }
    for folder in [Folder.locks, .keys] {
      for name in try names(in: folder) {
        let path = "\(path(of: folder))/\(name)"
        guard case .run(let id) = RunLock.note(at: path), ids.contains(id) else { continue }
        guard let lock = try RunLock(path: path) else {
          kept.insert(id)
          continue
        }
        // Until it was taken it may have got another run.
        guard case .run(let id) = lock.lastRun, ids.contains(id) else { continue }
        // A key goes with its run; of a file there may be older runs, which the lock does not mean.
        if folder == .keys { lock.remove() } else { try lock.forget(id) }
      }
    }
    return kept
  }

  private func restPath(_ id: RunID) -> String {
    "\(path(of: .runs))/\(StateDirectory.doomed)\(id)"
  }

  private static let doomed = ".removed-"
}
