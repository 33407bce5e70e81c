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
  private let descriptor: Int32
  private let path: String
  /// Whether the file was not there before.
  public let isNew: Bool

  /// Takes the lock on a file, which is made where it is missing; nil when it is held elsewhere.
  init?(path: String) throws(JournalError) {
    while true {
      let (descriptor, isNew) = try RunLock.openOrMake(path)
      guard try RunLock.take(descriptor, at: path) else { return nil }
      if RunLock.isNamed(descriptor, path) {
        self.init(descriptor: descriptor, path: path, isNew: isNew)
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
    self.init(descriptor: descriptor, path: folder, isNew: false)
  }

  private init(descriptor: Int32, path: String, isNew: Bool) {
    self.descriptor = descriptor
    self.path = path
    self.isNew = isNew
  }

  deinit { close(descriptor) }

  /// The last run that was started under the lock; nil if there is none, or it cannot be read.
  public var run: RunID? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, 64, 0))
    }
    return RunID(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  /// Notes the run that is started under the lock; it survives a power cut.
  ///
  /// - Throws: `cannotWrite`.
  public func note(_ run: RunID) throws(JournalError) {
    // Ids have the same length, so one is written over the other in one piece.
    let bytes = Array("\(run)\n".utf8)
    guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, fsync(descriptor) == 0 else {
      throw JournalError(.cannotWrite, failingAt: path)
    }
  }

  /// Removes the file, and so forgets the run that it notes.
  consuming func remove() { unlink(path) }

  private static func openOrMake(_ path: String) throws(JournalError) -> (Int32, isNew: Bool) {
    var isNew = false
    var descriptor: Int32 = -1
    repeat {
      descriptor = openFile(path, O_RDWR)
      guard descriptor < 0, errno == ENOENT else { break }
      descriptor = openFile(path, O_RDWR | O_CREAT | O_EXCL)
      isNew = descriptor >= 0
    } while descriptor < 0 && errno == EEXIST
    guard descriptor >= 0 else { throw JournalError(.cannotCreate, failingAt: path) }
    fchmod(descriptor, 0o600)
    return (descriptor, isNew)
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
