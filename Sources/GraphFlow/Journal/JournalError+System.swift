#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension JournalError {
  /// The failure of the last system call, as `errno` has it.
  init(_ kind: Kind, failingAt path: String) {
    self.init(kind, path: path, message: String(cString: strerror(errno)))
  }
}
