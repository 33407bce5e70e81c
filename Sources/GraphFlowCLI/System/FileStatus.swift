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
