#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A file of the state directory that is open, and closed when it is let go.
struct OpenFile: ~Copyable, Sendable {
  enum Use {
    case reading
    case writing
    /// To write it; it is made where it is missing.
    case making
    /// To write it; it must not exist yet.
    case makingNew
    /// To write it from its beginning.
    case replacing
    /// To lock a folder.
    case folder

    fileprivate var flags: Int32 {
      switch self {
      // What is no file must not keep the reader waiting.
      case .reading: O_RDONLY | O_NONBLOCK
      case .writing: O_RDWR
      case .making: O_RDWR | O_CREAT
      case .makingNew: O_WRONLY | O_CREAT | O_EXCL
      case .replacing: O_WRONLY | O_CREAT | O_TRUNC
      case .folder: O_RDONLY | O_DIRECTORY
      }
    }
  }

  let path: String
  private let descriptor: Int32

  /// Opens a file, and no link.
  ///
  /// - Throws: `cannotCreate`, or what is said instead; `notFound` for a folder that is not there.
  init(
    _ path: String,
    for use: Use,
    orFail kind: JournalError.Kind = .cannotCreate
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

  /// Gives the file mode 0600, whatever the umask has left of it.
  ///
  /// - Throws: `cannotCreate`, or what is said instead.
  func makePrivate(orFail kind: JournalError.Kind = .cannotCreate) throws(JournalError) {
    guard fchmod(descriptor, 0o600) == 0 else { throw JournalError(kind, failingAt: path) }
  }

  /// The first bytes, at most so many.
  func read(_ size: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
  }

  /// Writes bytes at a place of the file, in one piece.
  ///
  /// - Throws: `cannotWrite`.
  func write(_ bytes: [UInt8], at start: Int = 0) throws(JournalError) {
    guard pwrite(descriptor, bytes, bytes.count, off_t(start)) == bytes.count else {
      throw JournalError(.cannotWrite, failingAt: path)
    }
  }

  /// Puts the file on the disk.
  ///
  /// - Throws: `cannotWrite`.
  func sync() throws(JournalError) {
    guard fsync(descriptor) == 0 else { throw JournalError(.cannotWrite, failingAt: path) }
  }

  /// Puts only the bytes on the disk: where the file keeps its size, nothing else has to reach it.
  ///
  /// - Throws: `cannotWrite`.
  func syncBytes() throws(JournalError) {
    #if canImport(Darwin)
    try sync()
    #else
    guard fdatasync(descriptor) == 0 else { throw JournalError(.cannotWrite, failingAt: path) }
    #endif
  }

  /// Takes so much space on the disk.
  ///
  /// - Throws: `cannotWrite` if there is less.
  func reserve(_ size: Int) throws(JournalError) {
    #if canImport(Darwin)
    try write([UInt8](repeating: 0, count: size))
    #else
    errno = posix_fallocate(descriptor, 0, off_t(size))
    guard errno == 0 else { throw JournalError(.cannotWrite, failingAt: path) }
    #endif
  }

  /// Locks the file until it is closed; false if somebody else has it at each of the tries, which
  /// are a millisecond apart.
  ///
  /// - Throws: `cannotCreate`.
  func lock(tries: Int) throws(JournalError) -> Bool {
    var triesLeft = tries
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { throw JournalError(.cannotCreate, failingAt: path) }
      triesLeft -= 1
      if triesLeft == 0 { return false }
      usleep(1000)
    }
    return true
  }

  /// Its size; nil for what is no regular file.
  var size: Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Whether its path still leads to it.
  var isAtPath: Bool {
    var (held, named) = (stat(), stat())
    return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
      && held.st_ino == named.st_ino && held.st_dev == named.st_dev
  }

  /// Whether a path leads to something.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The size of what is at a path, whatever it is; nil if there is nothing.
  static func size(at path: String) -> Int? {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Takes a file's name away.
  static func remove(_ path: String) { unlink(path) }

  /// Gives the file another name, in place of what has that.
  ///
  /// - Throws: `cannotWrite`, of the other name.
  func move(to path: String) throws(JournalError) {
    guard rename(self.path, path) == 0 else { throw JournalError(.cannotWrite, failingAt: path) }
  }
}

extension JournalError {
  /// The failure of the last system call, as `errno` has it.
  init(_ kind: Kind, failingAt path: String) {
    self.init(kind, path: path, message: String(cString: strerror(errno)))
  }
}
