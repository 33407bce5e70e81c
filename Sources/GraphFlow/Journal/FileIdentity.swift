#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The identity of the file at a path, to detect a journal that was deleted or replaced.
///
/// SQLite would continue to write into a file that was deleted.
struct FileIdentity: Hashable {
  /// The smallest page size of a SQLite file.
  private static let leastSize = 512
  private let path: String
  private let device: UInt64
  private let number: UInt64

  /// Identifies the regular file at a path; nil if there is none.
  ///
  /// - Throws: `damaged` for anything but a regular file, such as a symbolic link, and for a file that
  ///   is shorter than its header, which SQLite would treat as empty.
  init?(_ path: String) throws(JournalError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw JournalError(.damaged, path: path, message: "this is not a regular file")
    }
    guard status.st_size == 0 || status.st_size >= FileIdentity.leastSize else {
      throw JournalError(.damaged, path: path, message: "the journal is damaged: it was cut short")
    }
    self.path = path
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }

  /// Checks that the path still leads to the same file.
  func check() throws(JournalError) {
    guard try FileIdentity(path) == self else {
      throw JournalError(.cannotWrite, path: path, message: "the journal was deleted or replaced")
    }
  }
}
