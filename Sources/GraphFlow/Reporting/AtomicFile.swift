package import GraphAPI

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Writes a file atomically: it is complete or absent, even after a power failure.
///
/// The bytes go into a new file in the same folder, which is synced and then renamed to the path; then
/// the folder is synced. Only its owner can read it, whatever the umask is. A path that leads to something
/// other than a regular file, such as `/dev/stdout` or a named pipe, is written to directly.
///
/// A symbolic link at the path is replaced, not followed; the redactor removes secrets from the bytes.
/// After a failure the folder is unchanged.
package func writeAtomically(
  _ bytes: [UInt8], to path: String, through redactor: SecretStream? = nil
) throws(ReportWriteError) {
  let file = try AtomicFile(at: path, through: redactor)
  try file.append(bytes)
  try file.finish()
}

/// A file that is written in chunks, and that is complete or absent.
///
/// This is a class, because an open file has an identity. If it is released before it is finished, it
/// leaves no file.
package final class AtomicFile {
  package let path: String
  /// The temporary path until it is finished; nil if the path is written to directly.
  private let temporary: String?
  private let descriptor: Int32
  private let placement: Placement
  /// Its other names, each with the temporary one until it is finished.
  private var others: [(temporary: String, path: String)] = []
  private var buffer: [UInt8] = []
  private var isFinished = false
  private var redactor: SecretStream?
  /// The bytes that were written, and those of them whose write-back was started.
  private var (size, flushed) = (0, 0)
  /// The number of bytes after which write-back is started, so that the sync at the end is short.
  private static let writeBackSize = 4 << 20
  /// The number of bytes at the end that stay in the system's page cache.
  private static let cachedSize = 16 << 20
  private static let bufferSize = 65_536

  /// How a file takes its place.
  package enum Placement: Sendable {
    /// As a new file that only its owner can read.
    case ownerOnly
    /// As a new file that everybody can read.
    case readable
    /// At the end of the file that is there, which is not atomic.
    case appended
  }

  /// Creates the temporary file next to the path; throws `cannotCreate`.
  package init(
    at path: String, _ placement: Placement = .ownerOnly, through redactor: SecretStream? = nil
  ) throws(ReportWriteError) {
    self.path = path
    self.redactor = redactor
    self.placement = placement
    if placement == .appended || AtomicFile.isStream(path) {
      temporary = nil
      descriptor = try AtomicFile.stream(
        at: path, placement == .appended ? O_APPEND | O_CREAT : O_NONBLOCK)
    } else {
      (temporary, descriptor) = try AtomicFile.temporaryFile(for: path)
    }
  }

  deinit {
    close(descriptor)
    if let temporary, !isFinished { unlink(temporary) }
    for other in others { unlink(other.temporary) }
  }

  /// Gives the file one more name, in another folder of the same file system (link(2)); it appears
  /// when the file is finished.
  ///
  /// - Returns: Whether the file system allows it.
  package func addName(_ path: String) -> Bool {
    guard let temporary, !AtomicFile.isStream(path) else { return false }
    let other = AtomicFile.temporaryName(for: path)
    guard link(temporary, other) == 0 else { return false }
    others.append((other, path))
    return true
  }

  package func append(_ bytes: [UInt8]) throws(ReportWriteError) {
    if buffer.isEmpty, bytes.count >= AtomicFile.bufferSize { return try writeAll(redacted(bytes)) }
    buffer += bytes
    if buffer.count >= AtomicFile.bufferSize { try flush() }
  }

  /// Writes the rest, syncs, and renames the file to its path, which no error changes.
  package func finish() throws(ReportWriteError) {
    try flush()
    try writeAll(redactor?.finish() ?? [])
    guard let temporary else { return }
    guard fchmod(descriptor, placement == .readable ? 0o644 : 0o600) == 0 else { throw failure() }
    guard fsync(descriptor) == 0 else { throw failure() }
    guard rename(temporary, path) == 0 else { throw failure() }
    isFinished = true
    try syncFolder(of: path)
    while let other = others.last {
      guard rename(other.temporary, other.path) == 0 else { throw failure(at: other.path) }
      others.removeLast()
      try syncFolder(of: other.path)
    }
  }

  private func flush() throws(ReportWriteError) {
    try writeAll(redacted(buffer))
    buffer.removeAll(keepingCapacity: true)
  }

  private func redacted(_ bytes: [UInt8]) -> [UInt8] { redactor?.process(bytes) ?? bytes }

  /// Opens a path that is written to directly; a pipe without a reader is an error.
  private static func stream(at path: String, _ flags: Int32) throws(ReportWriteError) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags, 0o600)
    guard descriptor >= 0 else {
      let isUnread = errno == ENXIO
      throw isUnread
        ? ReportWriteError(.cannotCreate, path, "no program reads from it; start the reader first")
        : ReportWriteError(.cannotCreate, path, code: errno)
    }
    // Writes wait for a slow reader.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return descriptor
  }

  /// Creates the temporary file, with a random name that must not exist yet.
  private static func temporaryFile(
    for path: String
  ) throws(ReportWriteError) -> (name: String, descriptor: Int32) {
    guard !path.isEmpty else { throw ReportWriteError(.cannotCreate, path, code: ENOENT) }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw ReportWriteError(.cannotCreate, path, code: EISDIR)
    }
    for _ in 0..<16 {
      let name = temporaryName(for: path)
      let flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC
      let descriptor = open(name, flags, 0o600)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { throw ReportWriteError(.cannotCreate, path, code: errno) }
      // Otherwise another process takes it for one that was left behind.
      if isLocked(descriptor), fstat(descriptor, &status) == 0, status.st_nlink > 0 {
        return (name, descriptor)
      }
      close(descriptor)
    }
    throw ReportWriteError(.cannotCreate, path, code: EEXIST)
  }

  private static func temporaryName(for path: String) -> String {
    let random = String(UInt64.random(in: 0 ... .max), radix: 36)
    return "\(folder(of: path))/.graphflow-\(random).tmp"
  }

  /// Whether this process has the lock of a temporary file; also where there are no locks.
  private static func isLocked(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Deletes those of some files of a folder that are temporary, and that killed processes have left.
  package static func removeLeftovers(_ names: [String], in folder: String) {
    for name in names where name.hasPrefix(".graphflow-") && name.hasSuffix(".tmp") {
      let path = "\(folder)/\(name)"
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
    }
  }

  private func writeAll(_ bytes: [UInt8]) throws(ReportWriteError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        write(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure() }
      written += count
    }
    size += written
    if size - flushed >= AtomicFile.writeBackSize { startWriteBack() }
  }

  /// Only a hint: of the pages that Linux is advised not to keep, it drops those that are written back,
  /// and starts to write back the others (posix_fadvise(2)).
  ///
  /// A file of gigabytes then displaces nothing from the page cache, and pages are reused: taking new
  /// ones from the system costs several times as much as filling them.
  private func startWriteBack() {
    #if os(Linux)
    for start in [flushed, flushed - AtomicFile.cachedSize] where start >= 0 {
      posix_fadvise(descriptor, off_t(start), off_t(size - flushed), POSIX_FADV_DONTNEED)
    }
    #endif
    flushed = size
  }

  private func syncFolder(of path: String) throws(ReportWriteError) {
    let folder = open(AtomicFile.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // An unreadable folder cannot be opened, and some file systems cannot sync folders (EINVAL); the
    // file is complete nevertheless.
    guard folder >= 0 else { return }
    defer { close(folder) }
    guard fsync(folder) == 0 || errno == EINVAL else { throw failure(at: path) }
  }

  private func failure() -> ReportWriteError { failure(at: path) }

  private func failure(at path: String) -> ReportWriteError {
    ReportWriteError(.cannotWrite, path, code: errno)
  }

  private static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// Why a report could not be written.
package struct ReportWriteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed, which determines the exit code of the command.
  package enum Kind: String, Hashable, Sendable {
    /// The file cannot be created in its folder: exit code 73.
    case cannotCreate
    /// It cannot be written completely, for example because the disk is full: exit code 74.
    case cannotWrite
  }

  package let kind: Kind
  package let path: String
  package let message: String

  fileprivate init(_ kind: Kind, _ path: String, _ message: String) {
    self.kind = kind
    self.path = path
    self.message = message
  }

  fileprivate init(_ kind: Kind, _ path: String, code: Int32) {
    self.init(kind, path, String(cString: strerror(code)))
  }

  package var exitCode: Int { kind == .cannotCreate ? 73 : 74 }

  package var description: String {
    "cannot \(kind == .cannotCreate ? "create" : "write") \(path): \(message)"
  }
}
