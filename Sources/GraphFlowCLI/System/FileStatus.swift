/// What the system says of a file, a folder, or whatever else there is.
struct FileStatus {
  /// What tells a file from every other, whatever paths lead to it.
  struct Identity: Hashable {
    fileprivate let device: dev_t
    fileprivate let number: ino_t
  }

  private let status: stat

  /// What is at a path; nil if nothing is.
  ///
  /// A link is followed unless it is itself what is meant.
  init?(_ path: String, ofLink: Bool = false) {
    var status = stat()
    guard (ofLink ? lstat(path, &status) : stat(path, &status)) == 0 else { return nil }
    self.status = status
  }

  /// What is open.
  init(of descriptor: Int32) throws(SystemError) {
    var status = stat()
    try SystemError.check(fstat(descriptor, &status))
    self.status = status
  }

  private var kind: mode_t { status.st_mode & S_IFMT }

  var isFile: Bool { kind == S_IFREG }
  var isFolder: Bool { kind == S_IFDIR }
  var isLink: Bool { kind == S_IFLNK }

  /// How many bytes a file has.
  var size: Int { Int(status.st_size) }

  var identity: Identity { Identity(device: status.st_dev, number: status.st_ino) }

  /// What may be done with it, and to whom it belongs.
  var permissions: mode_t { status.st_mode & 0o7777 }
  var owner: uid_t { status.st_uid }
  var group: gid_t { status.st_gid }

  /// Whether nobody but its owner may do anything with it.
  var isPrivate: Bool { permissions & 0o077 == 0 }

  /// Refuses what is no file, for opening or reading it could do something.
  func expectFile() throws(SystemError) {
    switch kind {
    case S_IFREG: return
    case S_IFDIR: throw SystemError(number: EISDIR)
    case S_IFIFO: throw SystemError("It is a named pipe")
    case S_IFSOCK: throw SystemError("It is a socket")
    case S_IFCHR, S_IFBLK: throw SystemError("It is a device")
    default: throw SystemError("It is no regular file")
    }
  }
}
