#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Which file a path led to, so that a journal that was deleted or replaced is noticed.
///
/// SQLite would go on writing into a file that has no name any more.
struct FileIdentity: Hashable {
  /// The smallest page of a SQLite file.
  private static let leastSize = 512
  private let path: String
  private let device: UInt64
  private let number: UInt64

  /// The regular file at a path; nil if there is nothing.
  ///
  /// - Throws: `damaged` for anything but a regular file, such as a symbolic link, and for a file
  ///   that ends before its header does, which SQLite would take for an empty one.
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
