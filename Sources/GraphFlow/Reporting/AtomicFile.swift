package import GraphAPI

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Writes a file so that it is whole or absent, also after a power cut.
///
/// The bytes go into a new file in the same folder, which is synced and then takes the path's name;
/// at last the folder is synced. The file's mode is 0600 whatever the umask. A path that leads to
/// something other than a file, such as `/dev/stdout` or a named pipe, is written to directly.
///
/// - Parameters:
///   - bytes: The contents.
///   - path: Where. A symbolic link there is replaced, not followed.
///   - net: Takes secrets out of the bytes.
/// - Throws: What failed; the folder is then as it was.
package func writeAtomically(
  _ bytes: [UInt8],
  to path: String,
  through net: SecretStream? = nil
) throws(ReportWriteError) {
  let file = try AtomicFile(at: path, through: net)
  try file.append(bytes)
  try file.finish()
}

/// A file that is written piece by piece, and is whole or absent.
///
/// A class, because an open file is one thing however many hold on to it. One that is let go
/// unfinished leaves nothing behind.
package final class AtomicFile {
  /// Where the file will be.
  package let path: String
  /// The name that it has until it is finished; nil for what is written to directly.
  private let temporary: String?
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isFinished = false
  private var net: SecretStream?
  /// How many bytes the file has, and how many of them are on their way to the disk.
  private var (size, begun) = (0, 0)

  /// So many bytes are begun to be put on the disk at a time, so that the sync at the end is short.
  private static let portion = 4 << 20

  /// How much is collected before it is written.
  private static let bufferSize = 65_536

  /// Begins the file, beside the path; see ``writeAtomically(_:to:through:)``.
  ///
  /// - Throws: `cannotCreate`.
  package init(at path: String, through net: SecretStream? = nil) throws(ReportWriteError) {
    self.path = path
    self.net = net
    if AtomicFile.isStream(path) {
      temporary = nil
      descriptor = try AtomicFile.stream(at: path)
    } else {
      (temporary, descriptor) = try AtomicFile.neighbour(of: path)
    }
  }

  deinit {
    close(descriptor)
    if let temporary, !isFinished { unlink(temporary) }
  }

  /// Writes more.
  ///
  /// - Throws: `cannotWrite`.
  package func append(_ bytes: [UInt8]) throws(ReportWriteError) {
    if buffer.isEmpty, bytes.count >= AtomicFile.bufferSize { return try writeAll(netted(bytes)) }
    buffer += bytes
    if buffer.count >= AtomicFile.bufferSize { try flush() }
  }

  /// Writes what is left, syncs, and gives the file its name.
  ///
  /// - Throws: `cannotWrite`; the path is then as it was.
  package func finish() throws(ReportWriteError) {
    try flush()
    try writeAll(net?.finish() ?? [])
    guard let temporary else { return }
    guard fchmod(descriptor, 0o600) == 0 else { throw failure() }
    guard fsync(descriptor) == 0 else { throw failure() }
    guard rename(temporary, path) == 0 else { throw failure() }
    isFinished = true
    try syncFolder()
  }

  private func flush() throws(ReportWriteError) {
    try writeAll(netted(buffer))
    buffer.removeAll(keepingCapacity: true)
  }

  private func netted(_ bytes: [UInt8]) -> [UInt8] { net?.process(bytes) ?? bytes }

  /// Opens what is written to directly; a pipe that no program reads is refused, not waited for.
  private static func stream(at path: String) throws(ReportWriteError) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else {
      let isUnread = errno == ENXIO
      throw isUnread
        ? ReportWriteError(
          kind: .cannotCreate,
          path: path,
          message: "no program reads from it; start the reader first"
        ) : ReportWriteError(.cannotCreate, path, code: errno)
    }
    // A slow reader is waited for.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return descriptor
  }

  /// Makes the new file; its name cannot be guessed and must be free.
  private static func neighbour(
    of path: String
  ) throws(ReportWriteError) -> (name: String, descriptor: Int32) {
    guard !path.isEmpty else { throw ReportWriteError(.cannotCreate, path, code: ENOENT) }
    let folder = AtomicFile.folder(of: path)
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw ReportWriteError(.cannotCreate, path, code: EISDIR)
    }
    for _ in 0..<16 {
      let name = "\(folder)/.graphflow-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
      let flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC
      let descriptor = open(name, flags, 0o600)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { throw ReportWriteError(.cannotCreate, path, code: errno) }
      return (name, descriptor)
    }
    throw ReportWriteError(.cannotCreate, path, code: EEXIST)
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
    if size - begun >= AtomicFile.portion { beginWriting() }
  }

  /// Has the system begin to put what was written on the disk; a hint, whatever comes of it.
  ///
  /// What Linux is told not to keep it begins to write (posix_fadvise(2)); until it is written it
  /// stays in memory all the same.
  private func beginWriting() {
    #if os(Linux)
    posix_fadvise(descriptor, off_t(begun), off_t(size - begun), POSIX_FADV_DONTNEED)
    #endif
    begun = size
  }

  private func syncFolder() throws(ReportWriteError) {
    let folder = open(AtomicFile.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder that may not be read cannot be opened, and some file systems cannot sync one
    // (EINVAL); the file is whole nevertheless.
    guard folder >= 0 else { return }
    defer { close(folder) }
    guard fsync(folder) == 0 || errno == EINVAL else { throw failure() }
  }

  private func failure() -> ReportWriteError {
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

extension ReportWriteError {
  fileprivate init(_ kind: Kind, _ path: String, code: Int32) {
    self.init(kind: kind, path: path, message: String(cString: strerror(code)))
  }
}
