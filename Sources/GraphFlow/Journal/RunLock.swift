#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The right to run one workflow file with one profile, held while this value lives.
///
/// An advisory lock on an open descriptor: it goes with the process however that ends, so a crash
/// leaves none behind. The file stays; deleting it would let two processes lock two files.
public struct RunLock: ~Copyable, Sendable {
  private let descriptor: Int32

  /// Takes the lock on a file, which is made where it is missing; nil when it is held elsewhere.
  init?(path: String) throws(JournalError) {
    let descriptor = open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw JournalError(.cannotCreate, failingAt: path) }
    fchmod(descriptor, 0o600)
    var result = flock(descriptor, LOCK_EX | LOCK_NB)
    while result != 0, errno == EINTR { result = flock(descriptor, LOCK_EX | LOCK_NB) }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      errno = code
      guard code == EWOULDBLOCK else { throw JournalError(.cannotCreate, failingAt: path) }
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
