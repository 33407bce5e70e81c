internal import JSONPath

/// Stores what runs know about Graph's limits, as `quota.json` next to `quota.lock`.
///
/// Cron starts a new process each time, but the limits last longer than a process, and two processes of
/// one app share them. The file is only advice: if it is damaged or has a later version, it is ignored
/// with a warning. It contains fingerprints, but no tokens.
package struct QuotaFile: QuotaStore {
  private static let largest = 16 << 20
  private let folder: String
  private let warn: @Sendable (String) -> Void

  /// Creates a store in a state directory, which does not have to exist yet.
  package init(in directory: StateDirectory, warn: @escaping @Sendable (String) -> Void) {
    folder = directory.path
    self.warn = warn
  }

  private var path: String { "\(folder)/quota.json" }

  /// Reads the file, merges the changes into it, and writes it if there are any.
  package func exchange(_ changes: QuotaSnapshot, at now: Timestamp) async -> QuotaSnapshot? {
    do throws(JournalError) {
      let folder = try PrivateFolder(creating: folder)
      // Other processes hold the lock only while they write a small file.
      guard let lock = try RunLock(path: "\(folder.path)/quota.lock", attempts: 20) else {
        return nil
      }
      defer { withExtendedLifetime(lock) {} }
      var snapshot = read()
      guard !changes.isEmpty else { return snapshot }
      snapshot.merge(changes, at: now)
      snapshot.prune(at: now)
      try write(snapshot)
      return snapshot
    } catch {
      return nil
    }
  }

  /// The contents of the file; nothing if there is no regular file, or it is too large.
  private func read() -> QuotaSnapshot {
    guard let file = try? OpenFile(path, for: .reading), let size = file.size,
      size <= Self.largest
    else { return QuotaSnapshot() }
    do throws(EventDecodingError) {
      return try QuotaSnapshot(json: file.read(size))
    } catch {
      warn("\(path) is ignored: \(error.message)")
      return QuotaSnapshot()
    }
  }

  /// Writes a new file and renames it.
  ///
  /// It is not synced: after a power failure there is no file, or an old one, and both are harmless.
  private func write(_ snapshot: QuotaSnapshot) throws(JournalError) {
    let file = try OpenFile("\(path).new", for: .replacing)
    try? file.makePrivate()
    do throws(JournalError) {
      try file.write(snapshot.json)
      try file.move(to: path)
    } catch {
      OpenFile.remove(file.path)
      throw error
    }
  }
}
