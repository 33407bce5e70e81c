/// The right to do something that only one process may do at a time, held while this value lives.
///
/// An advisory lock on an open descriptor: it goes with the process however that ends, so a crash
/// leaves none behind. The file stays until somebody who holds the lock removes it; whoever has opened
/// it meanwhile begins anew, lest two processes lock two files. It holds the id of the last run that
/// was started under the lock.
package struct RunLock: ~Copyable, Sendable {
  /// What the file says of the last run that was started under the lock.
  package enum Note: Hashable, Sendable {
    /// Nothing: the file is new, or was deleted or damaged. Runs may exist all the same.
    case unknown
    /// Its id.
    case run(RunID)
    /// It was pruned; its id.
    case pruned(RunID)
  }

  private let file: OpenFile

  /// Takes the lock on a file, which is made where it is missing; nil when it is held elsewhere.
  init?(path: String, tries: Int = 1) throws(JournalError) {
    while true {
      let file = try OpenFile(path, for: .making)
      try? file.makePrivate()
      guard try file.lock(tries: tries) else { return nil }
      if file.isAtPath {
        self.file = file
        return
      }
    }
  }

  /// Takes the lock on a folder that exists; nil when it is held elsewhere, or is gone.
  init?(folder: String) throws(JournalError) {
    let file: OpenFile
    do throws(JournalError) {
      file = try OpenFile(folder, for: .folder)
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
    guard try file.lock(tries: 1) else { return nil }
    self.file = file
  }

  /// The name of the file.
  package var name: String { String(file.path.split(separator: "/").last ?? "") }

  /// The last run that was started under the lock.
  package var lastRun: Note { RunLock.note(in: file) }

  /// Notes the run that is started under the lock; it survives a power cut.
  ///
  /// - Throws: `cannotWrite`.
  package func note(_ run: RunID) throws(JournalError) { try write(run.description) }

  /// Notes that the last run was pruned: its id in small letters, which is as long, so that one is
  /// written over the other in one piece.
  ///
  /// - Throws: `cannotWrite`.
  func forget(_ run: RunID) throws(JournalError) { try write(run.description.lowercased()) }

  /// What a lock's file says, whoever holds it; `unknown` if there is none.
  static func note(at path: String) -> Note {
    guard let file = try? OpenFile(path, for: .reading) else { return .unknown }
    return note(in: file)
  }

  private static func note(in file: borrowing OpenFile) -> Note {
    let text = String(decoding: file.read(64).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    if let id = RunID(text) { return .run(id) }
    guard text == text.lowercased(), let id = RunID(text.uppercased()) else { return .unknown }
    return .pruned(id)
  }

  private func write(_ text: String) throws(JournalError) {
    try file.write(Array("\(text)\n".utf8))
    try file.sync()
  }

  /// Removes the file, and so forgets the run that it notes.
  consuming func remove() { OpenFile.remove(file.path) }
}
