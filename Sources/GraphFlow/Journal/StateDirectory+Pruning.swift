#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Removing runs permanently; a pruned run must not look like a lost one.
extension StateDirectory {
  /// Removes a run; ``removeLeftovers()`` deletes its files.
  ///
  /// The run disappears atomically, even if this process is killed. Until its leftovers are deleted,
  /// they show that it was pruned.
  package func remove(_ id: RunID) throws(JournalError) {
    let leftover = leftoverPath(id)
    guard rename(folder(of: id), leftover) != 0 else { return }
    // A run without a folder still has a mark.
    guard errno == ENOENT, mkdir(leftover, 0o700) == 0 || errno == EEXIST else {
      throw JournalError(.cannotWrite, failingAt: folder(of: id))
    }
  }

  /// Deletes the leftovers of runs that were removed.
  ///
  /// These are their folders, their marks, and references to them in locks and keys. If a lock or key
  /// is in use, the leftovers of its run stay until the next time.
  package func removeLeftovers() throws(JournalError) {
    let leftovers = try names(in: .runs).filter { $0.hasPrefix(StateDirectory.removedPrefix) }
    let ids = leftovers.compactMap {
      RunID(String($0.dropFirst(StateDirectory.removedPrefix.count)))
    }
    let named = try removeReferences(to: Set(ids))
    for id in ids where !named.contains(id) {
      unlink("\(path(of: .intents))/\(id)")
      let leftover = leftoverPath(id)
      for name in try StateDirectory.names(in: leftover) { unlink("\(leftover)/\(name)") }
      guard rmdir(leftover) == 0 else { throw JournalError(.cannotWrite, failingAt: leftover) }
    }
  }

  /// Whether a run was removed, and its leftovers still exist.
  func isPruned(_ id: RunID) -> Bool { OpenFile.exists(leftoverPath(id)) }

  /// Removes runs from the locks and keys that name them.
  ///
  /// - Returns: the runs whose lock or key is in use.
  private func removeReferences(to ids: Set<RunID>) throws(JournalError) -> Set<RunID> {
    var kept: Set<RunID> = []
    guard !ids.isEmpty else { return kept }
    for folder in [Folder.locks, .keys] {
      for name in try names(in: folder) {
        let path = "\(path(of: folder))/\(name)"
        guard case .run(let id) = RunLock.lastRun(at: path), ids.contains(id) else { continue }
        guard let lock = try RunLock(path: path) else {
          kept.insert(id)
          continue
        }
        // Before it was locked, another run may have been recorded.
        guard case .run(let id) = lock.lastRun, ids.contains(id) else { continue }
        // A key belongs to one run. A workflow file may have older runs, so its lock is kept.
        if folder == .keys { lock.remove() } else { try lock.recordPruning(of: id) }
      }
    }
    return kept
  }

  private func leftoverPath(_ id: RunID) -> String {
    "\(path(of: .runs))/\(StateDirectory.removedPrefix)\(id)"
  }

  private static let removedPrefix = ".removed-"
}
