internal import JSONPath

/// What runs know of Graph's limits, in the state directory: `quota.json` beside `quota.lock`.
///
/// Cron starts a new process each time, and the limits do not begin anew with it; and two processes
/// of one app share its limit. It is advice, and losing it does no harm: a file that is damaged or of
/// a later version is left out of account, with a warning. It holds no tokens, only fingerprints.
package struct QuotaFile: QuotaStore {
  private static let largest = 16 << 20
  private let folder: String
  private let warn: @Sendable (String) -> Void

  /// A file in a state directory, which need not exist.
  ///
  /// - Parameters:
  ///   - directory: the state directory.
  ///   - warn: says what is wrong with the file.
  package init(in directory: StateDirectory, warn: @escaping @Sendable (String) -> Void) {
    folder = directory.path
    self.warn = warn
  }

  private var path: String { "\(folder)/quota.json" }

  /// Reads what is known, puts the changes to it, and writes it if there are any.
  package func exchange(_ changes: QuotaSnapshot, at now: Timestamp) async -> QuotaSnapshot? {
    do throws(JournalError) {
      let folder = try PrivateFolder(making: folder)
      // Nobody holds the lock for longer than it takes to write a small file.
      guard let lock = try RunLock(path: "\(folder.path)/quota.lock", tries: 20) else {
        return nil
      }
      defer { withExtendedLifetime(lock) {} }
      var book = read()
      guard !changes.isEmpty else { return book }
      book.merge(changes, at: now)
      book.prune(at: now)
      try write(book)
      return book
    } catch {
      return nil
    }
  }

  private func read() -> QuotaSnapshot {
    guard let bytes = bytes() else { return QuotaSnapshot() }
    do throws(EventFault) {
      return try QuotaSnapshot(json: bytes)
    } catch {
      warn("\(path) is left out of account: \(error.message)")
      return QuotaSnapshot()
    }
  }

  /// The bytes of the file; nil if there is none, or it is something else than a file.
  private func bytes() -> [UInt8]? {
    guard let file = try? OpenFile(path, for: .reading), let size = file.size,
      size <= Self.largest
    else { return nil }
    return file.read(size)
  }

  /// Writes a new file and gives it the name.
  ///
  /// It is not synced: after a power cut there is none, or
  /// an old one, and both do no harm.
  private func write(_ book: QuotaSnapshot) throws(JournalError) {
    let file = try OpenFile("\(path).new", for: .replacing)
    try? file.makePrivate()
    do throws(JournalError) {
      try file.write(book.json)
      try file.move(to: path)
    } catch {
      OpenFile.remove(file.path)
      throw error
    }
  }
}
