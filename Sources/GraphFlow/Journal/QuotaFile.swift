internal import JSONPath

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What runs know of Graph's limits, in the state directory: `quota.json` beside `quota.lock`.
///
/// Cron starts a new process each time, and the limits do not begin anew with it; and two processes
/// of one app share its limit. It is advice, and losing it does no harm: a file that is damaged or of
/// a later version is left out of account, with a warning. It holds no tokens, only fingerprints.
public struct QuotaFile: QuotaStore {
  private static let largest = 16 << 20
  private let folder: String
  private let warn: @Sendable (String) -> Void

  /// A file in a state directory, which need not exist.
  ///
  /// - Parameters:
  ///   - directory: the state directory.
  ///   - warn: says what is wrong with the file.
  public init(in directory: StateDirectory, warn: @escaping @Sendable (String) -> Void) {
    folder = directory.path
    self.warn = warn
  }

  private var path: String { "\(folder)/quota.json" }

  /// Reads what is known, puts the changes to it, and writes it if there are any.
  public func exchange(_ changes: QuotaBook, at now: Timestamp) async -> QuotaBook? {
    do throws(JournalError) {
      let folder = try PrivateFolder(making: folder)
      guard let lock = try locked("\(folder.path)/quota.lock") else { return nil }
      defer { withExtendedLifetime(lock) {} }
      var book = read()
      guard !changes.isEmpty else { return book }
      book.take(changes, at: now)
      book.prune(at: now)
      try write(book)
      return book
    } catch {
      return nil
    }
  }

  /// The lock, which nobody holds for longer than it takes to write a small file; nil if somebody
  /// does.
  private func locked(_ path: String) throws(JournalError) -> RunLock? {
    for _ in 0..<20 {
      if let lock = try RunLock(path: path) { return lock }
      usleep(1000)
    }
    return nil
  }

  private func read() -> QuotaBook {
    guard let bytes = bytes() else { return QuotaBook() }
    do throws(EventFault) {
      return try QuotaBook(json: bytes)
    } catch {
      warn("\(path) is left out of account: \(error.message)")
      return QuotaBook()
    }
  }

  /// The bytes of the file; nil if there is none, or it is something else than a file.
  private func bytes() -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.largest
    else { return nil }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0, bytes.count <= Self.largest else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Writes a new file and gives it the name.
  ///
  /// It is not synced: after a power cut there is none, or
  /// an old one, and both do no harm.
  private func write(_ book: QuotaBook) throws(JournalError) {
    let temporary = "\(path).new"
    let flags = O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(temporary, flags, 0o600)
    guard descriptor >= 0 else { throw JournalError(.cannotCreate, failingAt: temporary) }
    fchmod(descriptor, 0o600)
    let bytes = book.json
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      written += count
    }
    close(descriptor)
    guard written == bytes.count, rename(temporary, path) == 0 else {
      let error = JournalError(.cannotWrite, failingAt: path)
      unlink(temporary)
      throw error
    }
  }
}

/// `read(2)`, which a method of the same name would hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

/// `write(2)`, which a method of the same name would hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
