#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Disk space that is held ready for the outcome of a write that has been sent.
///
/// A disk is never full at a good moment, and worst of all between a write and its outcome. The
/// space is taken before anything is sent and given back when it is needed, or at the end.
struct Ballast {
  private static let size = 1 << 20
  private let path: String

  /// Takes the space beside the journal.
  ///
  /// - Throws: `cannotWrite` if there is none left.
  init(beside journal: String) throws(JournalError) {
    path = journal + ".reserve"
    let descriptor = open(path, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw JournalError(.cannotWrite, failingAt: path) }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0, Ballast.fill(descriptor) else {
      let error = JournalError(.cannotWrite, failingAt: path)
      unlink(path)
      throw error
    }
  }

  /// Gives the space back.
  func release() { unlink(path) }

  private static func fill(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
    let zeros = [UInt8](repeating: 0, count: size)
    return pwrite(descriptor, zeros, size, 0) == size
    #else
    let code = posix_fallocate(descriptor, 0, off_t(size))
    errno = code
    return code == 0
    #endif
  }
}
