#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// An open file of the state directory; it is closed when the value is destroyed.
///
/// The methods throw `cannotWrite` unless they say otherwise.
struct OpenFile: ~Copyable, Sendable {
  enum Use {
    case reading
    case writing
    /// For writing; the file is created if it does not exist.
    case creating
    /// For writing; the file must not exist yet.
    case creatingNew
    /// For writing; the file is created, or truncated.
    case replacing
    /// For locking a folder.
    case folder

    fileprivate var flags: Int32 {
      switch self {
      // Opening a named pipe must not block.
      case .reading: O_RDONLY | O_NONBLOCK
      case .writing: O_RDWR
      case .creating: O_RDWR | O_CREAT
      case .creatingNew: O_WRONLY | O_CREAT | O_EXCL
      case .replacing: O_WRONLY | O_CREAT | O_TRUNC
      case .folder: O_RDONLY | O_DIRECTORY
      }
    }
  }

  let path: String
  private let descriptor: Int32

  /// Opens a file; a symbolic link is not followed.
  ///
  /// - Throws: `kind`; `notFound` for a folder that does not exist.
  init(
    _ path: String, for use: Use, orFail kind: JournalError.Kind = .cannotCreate
  ) throws(JournalError) {
    let descriptor = open(path, use.flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let isGone = use == .folder && errno == ENOENT
      throw JournalError(isGone ? .notFound : kind, failingAt: path)
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Sets the file mode to 0600, whatever the umask is; throws `kind`.
  func makePrivate(orFail kind: JournalError.Kind = .cannotCreate) throws(JournalError) {
    guard fchmod(descriptor, 0o600) == 0 else { throw JournalError(kind, failingAt: path) }
  }

  /// Reads the first bytes, at most `size`.
  func read(_ size: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
  }

  /// Writes bytes at an offset of the file, in one system call.
  func write(_ bytes: [UInt8], at start: Int = 0) throws(JournalError) {
    guard pwrite(descriptor, bytes, bytes.count, off_t(start)) == bytes.count else {
      throw JournalError(.cannotWrite, failingAt: path)
    }
  }

  /// Syncs the file to the disk.
  func sync() throws(JournalError) {
    guard fsync(descriptor) == 0 else { throw JournalError(.cannotWrite, failingAt: path) }
  }

  /// Syncs only the contents to the disk, which is enough if the size does not change.
  func syncBytes() throws(JournalError) {
    #if canImport(Darwin)
    try sync()
    #else
    guard fdatasync(descriptor) == 0 else { throw JournalError(.cannotWrite, failingAt: path) }
    #endif
  }

  /// Allocates disk space for the file.
  func reserve(_ size: Int) throws(JournalError) {
    #if canImport(Darwin)
    try write([UInt8](repeating: 0, count: size))
    #else
    errno = posix_fallocate(descriptor, 0, off_t(size))
    guard errno == 0 else { throw JournalError(.cannotWrite, failingAt: path) }
    #endif
  }

  /// Locks the file until it is closed; false if another process holds the lock at each attempt.
  ///
  /// The attempts are a millisecond apart.
  ///
  /// - Throws: `cannotCreate`.
  func lock(attempts: Int) throws(JournalError) -> Bool {
    var attemptsLeft = attempts
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { throw JournalError(.cannotCreate, failingAt: path) }
      attemptsLeft -= 1
      if attemptsLeft == 0 { return false }
      usleep(1000)
    }
    return true
  }

  /// The size; nil if it is not a regular file.
  var size: Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Whether the path still leads to this file.
  var isAtPath: Bool {
    var held = stat()
    guard fstat(descriptor, &held) == 0, let named = fileStatus(path) else { return false }
    return held.st_ino == named.st_ino && held.st_dev == named.st_dev
  }

  /// Whether a file or folder exists at a path.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The size of the file at a path, of any type; nil if there is none.
  static func size(at path: String) -> Int? { fileStatus(path).map { Int($0.st_size) } }

  static func remove(_ path: String) { unlink(path) }

  /// Renames the file, and replaces the file at the new path.
  func move(to path: String) throws(JournalError) {
    guard rename(self.path, path) == 0 else { throw JournalError(.cannotWrite, failingAt: path) }
  }
}

/// The status of the file at a path, or of a link itself; nil if there is none.
func fileStatus(_ path: String) -> stat? {
  var status = stat()
  return lstat(path, &status) == 0 ? status : nil
}

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
    guard let status = fileStatus(path) else { return nil }
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

extension JournalError {
  /// Describes the failure of the last system call, from `errno`.
  init(_ kind: Kind, failingAt path: String) {
    self.init(kind, path: path, message: String(cString: strerror(errno)))
  }
}
