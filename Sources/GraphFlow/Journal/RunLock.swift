#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The right to do something that only one process may do at a time, held while this value lives.
///
/// An advisory lock on an open descriptor: it goes with the process however that ends, so a crash
/// leaves none behind. The file stays until somebody who holds the lock removes it; whoever has opened
/// it meanwhile begins anew, lest two processes lock two files. It holds the id of the last run that
/// was started under the lock.
public struct RunLock: ~Copyable, Sendable {
  /// What the file says of the last run that was started under the lock.
  public enum Note: Hashable, Sendable {
    /// Nothing: the file is new, or was deleted or damaged. Runs may exist all the same.
    case unknown
    /// Its id.
    case run(RunID)
    /// It was pruned; its id.
    case pruned(RunID)
  }

  private let descriptor: Int32
  private let path: String

  /// Takes the lock on a file, which is made where it is missing; nil when it is held elsewhere.
  init?(path: String) throws(JournalError) {
    while true {
      let descriptor = try RunLock.openOrMake(path)
      guard try RunLock.take(descriptor, at: path) else { return nil }
      if RunLock.isNamed(descriptor, path) {
        self.init(descriptor: descriptor, path: path)
        return
      }
      close(descriptor)
    }
  }

  /// Takes the lock on a folder that exists; nil when it is held elsewhere, or is gone.
  init?(folder: String) throws(JournalError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw JournalError(.cannotCreate, failingAt: folder)
    }
    guard try RunLock.take(descriptor, at: folder) else { return nil }
    self.init(descriptor: descriptor, path: folder)
  }

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// The name of the file.
  public var name: String { String(path.split(separator: "/").last ?? "") }

  /// The last run that was started under the lock.
  public var lastRun: Note { RunLock.note(in: descriptor) }

  /// Notes the run that is started under the lock; it survives a power cut.
  ///
  /// - Throws: `cannotWrite`.
  public func note(_ run: RunID) throws(JournalError) { try write(run.description) }

  /// Notes that the last run was pruned: its id in small letters, which is as long, so that one is
  /// written over the other in one piece.
  ///
  /// - Throws: `cannotWrite`.
  func forget(_ run: RunID) throws(JournalError) { try write(run.description.lowercased()) }

  /// What a lock's file says, whoever holds it; `unknown` if there is none.
  static func note(at path: String) -> Note {
    let descriptor = openFile(path, O_RDONLY)
    guard descriptor >= 0 else { return .unknown }
    defer { close(descriptor) }
    return note(in: descriptor)
  }

  private static func note(in descriptor: Int32) -> Note {
    let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, 64, 0))
    }
    let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    if let id = RunID(text) { return .run(id) }
    guard text == text.lowercased(), let id = RunID(text.uppercased()) else { return .unknown }
    return .pruned(id)
  }

  private func write(_ text: String) throws(JournalError) {
    let bytes = Array("\(text)\n".utf8)
    guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, fsync(descriptor) == 0 else {
      throw JournalError(.cannotWrite, failingAt: path)
    }
  }

  /// Removes the file, and so forgets the run that it notes.
  consuming func remove() { unlink(path) }

  private static func openOrMake(_ path: String) throws(JournalError) -> Int32 {
    let descriptor = openFile(path, O_RDWR | O_CREAT)
    guard descriptor >= 0 else { throw JournalError(.cannotCreate, failingAt: path) }
    fchmod(descriptor, 0o600)
    return descriptor
  }

  /// Whether a path still leads to an open file.
  private static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
    var (held, named) = (stat(), stat())
    return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
      && held.st_ino == named.st_ino && held.st_dev == named.st_dev
  }

  private static func take(_ descriptor: Int32, at path: String) throws(JournalError) -> Bool {
    var result = flock(descriptor, LOCK_EX | LOCK_NB)
    while result != 0, errno == EINTR { result = flock(descriptor, LOCK_EX | LOCK_NB) }
    guard result != 0 else { return true }
    let code = errno
    close(descriptor)
    errno = code
    guard code == EWOULDBLOCK else { throw JournalError(.cannotCreate, failingAt: path) }
    return false
  }
}

private func openFile(_ path: String, _ flags: Int32) -> Int32 {
  open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
}
