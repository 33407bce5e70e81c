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
/// - Throws: What failed; the folder is then as it was.
public func writeAtomically(_ bytes: [UInt8], to path: String) throws(ReportWriteError) {
  guard !AtomicFile.isStream(path) else {
    try AtomicFile(writingDirectlyTo: path).finishDirectly(bytes)
    return
  }
  try AtomicFile(replacing: path).finish(bytes)
}

/// A file that is being written beside the path it will get.
private struct AtomicFile: ~Copyable {
  private let path: String
  private let temporary: String?
  private let descriptor: Int32

  /// Makes the new file; its name cannot be guessed and must be free.
  init(replacing path: String) throws(ReportWriteError) {
    guard !path.isEmpty else { throw ReportWriteError(.cannotCreate, path, code: ENOENT) }
    let folder = AtomicFile.folder(of: path)
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw ReportWriteError(.cannotCreate, path, code: EISDIR)
    }
    for _ in 0..<16 {
      let temporary = "\(folder)/.graphflow-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
      let flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC
      let descriptor = open(temporary, flags, 0o600)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { throw ReportWriteError(.cannotCreate, path, code: errno) }
      self.path = path
      self.temporary = temporary
      self.descriptor = descriptor
      return
    }
    throw ReportWriteError(.cannotCreate, path, code: EEXIST)
  }

  /// Opens what is there.
  init(writingDirectlyTo path: String) throws(ReportWriteError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw ReportWriteError(.cannotCreate, path, code: errno) }
    self.path = path
    self.temporary = nil
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Writes, syncs, and gives the file its name.
  consuming func finish(_ bytes: [UInt8]) throws(ReportWriteError) {
    guard let temporary else { return }
    do throws(ReportWriteError) {
      guard fchmod(descriptor, 0o600) == 0 else { throw failure() }
      try writeAll(bytes)
      guard fsync(descriptor) == 0 else { throw failure() }
      guard rename(temporary, path) == 0 else { throw failure() }
    } catch {
      unlink(temporary)
      throw error
    }
    try syncFolder()
  }

  /// Writes to something that has no contents of its own.
  consuming func finishDirectly(_ bytes: [UInt8]) throws(ReportWriteError) { try writeAll(bytes) }

  private borrowing func writeAll(_ bytes: [UInt8]) throws(ReportWriteError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        write(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure() }
      written += count
    }
  }

  private borrowing func syncFolder() throws(ReportWriteError) {
    let folder = open(AtomicFile.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder that may not be read cannot be opened, and some file systems cannot sync one
    // (EINVAL); the file is whole nevertheless.
    guard folder >= 0 else { return }
    defer { close(folder) }
    guard fsync(folder) == 0 || errno == EINVAL else { throw failure() }
  }

  private borrowing func failure() -> ReportWriteError {
    ReportWriteError(.cannotWrite, path, code: errno)
  }

  static func isStream(_ path: String) -> Bool {
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
