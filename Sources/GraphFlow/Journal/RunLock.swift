/// A lock that one process can hold at a time; it is released when the value is destroyed.
///
/// It is an advisory lock on an open file descriptor, so it does not outlive the process, even after a
/// crash. The file stays until a process that holds the lock removes it. A process that has opened the
/// file meanwhile opens it again, because otherwise two processes could lock two different files. The
/// file contains the id of the last run that was started under the lock.
package final class RunLock: StateLock {
  private let file: OpenFile

  /// Locks a file, which is created if it does not exist; nil if another process holds the lock.
  init?(path: String, attempts: Int = 1) throws(JournalError) {
    while true {
      let file = try OpenFile(path, for: .creating)
      try? file.makePrivate()
      guard try file.lock(attempts: attempts) else { return nil }
      if file.isAtPath {
        self.file = file
        return
      }
    }
  }

  /// Locks an existing folder; nil if another process holds the lock, or the folder does not exist.
  init?(folder: String) throws(JournalError) {
    let file: OpenFile
    do throws(JournalError) {
      file = try OpenFile(folder, for: .folder)
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
    guard try file.lock(attempts: 1) else { return nil }
    self.file = file
  }

  package var name: String { String(file.path.split(separator: "/").last ?? "") }

  package var lastRun: LastRun { RunLock.lastRun(in: file) }

  /// Records the run that is started under the lock, and syncs the file.
  package func record(_ run: RunID) throws(JournalError) { try write(run.description) }

  /// Records that the last run was pruned; throws `cannotWrite`.
  ///
  /// The id is written in lower case: it has the same length, so one write replaces the other.
  func recordPruning(of run: RunID) throws(JournalError) { try write(run.description.lowercased()) }

  /// The last run in a lock's file, whether it is locked or not; `unknown` if there is no file.
  static func lastRun(at path: String) -> LastRun {
    guard let file = try? OpenFile(path, for: .reading) else { return .unknown }
    return lastRun(in: file)
  }

  private static func lastRun(in file: borrowing OpenFile) -> LastRun {
    let text = String(decoding: file.read(64).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    if let id = RunID(text) { return .run(id) }
    guard text == text.lowercased(), let id = RunID(text.uppercased()) else { return .unknown }
    return .pruned(id)
  }

  private func write(_ text: String) throws(JournalError) {
    try file.write(Array("\(text)\n".utf8))
    try file.sync()
  }

  func remove() { OpenFile.remove(file.path) }
}
