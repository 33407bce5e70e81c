import GraphFlow

/// Reads files as a whole, with a limit on their size.
enum FileReading {
  /// The largest file that a command reads: 160 MiB, the limit of a whole answer.
  static let limit = 160 << 20

  /// How much of a too large file is kept: enough to show its first line.
  private static let excerpt = 65_536

  /// The bytes of a file, or of standard input for `-`.
  static func bytes(of path: String, limit: Int = limit) throws -> [UInt8] {
    let (bytes, isWhole) = try beginning(of: path, limit: limit)
    guard isWhole else { throw failure(at: path, SystemError(number: EFBIG)) }
    return bytes
  }

  /// The bytes of a file, or of standard input for `-`; beyond `limit` only the first bytes.
  static func beginning(of path: String, limit: Int) throws -> (bytes: [UInt8], isWhole: Bool) {
    do throws(SystemError) {
      let file =
        if path == "-" {
          InputFile(try SystemError.check(dup(STDIN_FILENO)))
        } else if isDescriptor(path) {
          InputFile(try SystemError.check(open(path, O_RDONLY | O_CLOEXEC)))
        } else {
          try InputFile(regular: path)
        }
      return try beginning(of: file, limit: limit)
    } catch {
      throw failure(at: path, error)
    }
  }

  /// The bytes of an open file; an error if they are more than the limit.
  static func bytes(of file: InputFile, limit: Int = limit) throws(SystemError) -> [UInt8] {
    let (bytes, isWhole) = try beginning(of: file, limit: limit)
    guard isWhole else { throw SystemError(number: EFBIG) }
    return bytes
  }

  /// The bytes of an open file; beyond `limit` only the first bytes.
  static func beginning(
    of file: InputFile, limit: Int
  ) throws(SystemError) -> (bytes: [UInt8], isWhole: Bool) {
    let status = try FileStatus(of: file.descriptor)
    var bytes: [UInt8] = []
    let isTooLarge = status.isFile && status.size > limit
    // A file that is too large is not read any further.
    let end = isTooLarge ? min(limit, excerpt) : limit
    bytes.reserveCapacity(status.isFile ? min(status.size, limit) &+ 1 : excerpt)
    while !isTooLarge || bytes.count < end {
      let chunk = try file.read(65_536)
      if chunk.isEmpty { return (bytes, !isTooLarge) }
      bytes += chunk
      if bytes.count > limit { break }
      // Growing by doubling would need twice the memory; reserved memory is not used yet.
      if bytes.count > 8 << 20 { bytes.reserveCapacity(limit + 65_536) }
    }
    return (Array(bytes.prefix(excerpt)), false)
  }

  /// Whether a path names an open descriptor, such as `<(…)` of a shell, which may be a pipe.
  static func isDescriptor(_ path: String) -> Bool {
    path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }

  private static func failure(at path: String, _ error: SystemError) -> CommandFailure {
    let isDangling = error.number == ENOENT && FileStatus(path, ofLink: true)?.isLink == true
    let reason = isDangling ? "The link leads to nothing" : error.description
    return CommandFailure(.unreadable, "cannot read '\(path)': \(reason)")
  }

  /// The names of a folder's entries, sorted by their bytes, without those that begin with a dot.
  static func entries(of folder: String) throws -> [String] {
    do throws(JournalError) {
      return try StateDirectory.names(in: folder).filter { !$0.hasPrefix(".") }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
      throw CommandFailure(.unreadable, "cannot read '\(folder)': \(error.message)")
    }
  }
}

/// An open file that is read piece by piece; a class, because all readers share it.
final class InputFile {
  /// Its descriptor, which is valid as long as this object exists.
  let descriptor: Int32

  /// Takes ownership of an open descriptor, which may be a pipe.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Opens a regular file; anything else is refused, because a pipe could block the reader forever.
  convenience init(regular path: String) throws(SystemError) {
    // Opening a device may have effects, so the kind is checked before and after opening.
    guard let status = FileStatus(path) else { throw SystemError.last }
    try status.expectFile()
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    try self.init(regular: try SystemError.check(open(path, flags)))
  }

  /// Opens a file by its name in a folder; a link is not followed (`ELOOP`).
  convenience init(itself name: String, in folder: OpenFolder) throws(SystemError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    try self.init(regular: try SystemError.check(openat(folder.descriptor, name, flags)))
  }

  /// Takes ownership of an open descriptor, unless it is not that of a regular file.
  convenience init(regular descriptor: Int32) throws(SystemError) {
    self.init(descriptor)
    try FileStatus(of: descriptor).expectFile()
  }

  deinit { close(descriptor) }

  /// The next bytes, at most `size`; none at the end.
  func read(_ size: Int) throws(SystemError) -> [UInt8] {
    while true {
      var failure: SystemError?
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        let result = readBytes(descriptor, buffer.baseAddress, size)
        if result < 0 { failure = SystemError.last }
        count = max(0, result)
      }
      guard let failure else { return bytes }
      guard failure.number == EINTR else { throw failure }
    }
  }

  /// The next bytes; fewer only at the end.
  func read(exactly count: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try read(count - bytes.count)
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }
}

/// `read(2)`, which the methods of that name would hide.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int) -> Int
{
  read(descriptor, buffer, size)
}

/// The status of a file, a folder, or anything else with a path.
struct FileStatus {
  /// Identifies a file, independent of its path.
  struct Identity: Hashable {
    fileprivate let device: dev_t
    fileprivate let number: ino_t
  }

  private let status: stat

  /// The status of a path, or of a link itself; nil if it does not exist.
  init?(_ path: String, ofLink: Bool = false) {
    var status = stat()
    guard (ofLink ? lstat(path, &status) : stat(path, &status)) == 0 else { return nil }
    self.status = status
  }

  init(of descriptor: Int32) throws(SystemError) {
    var status = stat()
    try SystemError.check(fstat(descriptor, &status))
    self.status = status
  }

  private var kind: mode_t { status.st_mode & S_IFMT }
  var isFile: Bool { kind == S_IFREG }
  var isFolder: Bool { kind == S_IFDIR }
  var isLink: Bool { kind == S_IFLNK }
  var size: Int { Int(status.st_size) }
  var identity: Identity { Identity(device: status.st_dev, number: status.st_ino) }
  var permissions: mode_t { status.st_mode & 0o7777 }
  var owner: uid_t { status.st_uid }
  var group: gid_t { status.st_gid }

  /// Whether only its owner has any permission.
  var isPrivate: Bool { permissions & 0o077 == 0 }

  /// Refuses anything but a regular file, because opening or reading it could have effects.
  func expectFile() throws(SystemError) {
    switch kind {
    case S_IFREG: return
    case S_IFDIR: throw SystemError(number: EISDIR)
    case S_IFIFO: throw SystemError("It is a named pipe")
    case S_IFSOCK: throw SystemError("It is a socket")
    case S_IFCHR, S_IFBLK: throw SystemError("It is a device")
    default: throw SystemError("It is not a regular file")
    }
  }
}
