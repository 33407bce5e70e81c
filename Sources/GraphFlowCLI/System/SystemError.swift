/// What a system call that failed says.
struct SystemError: Error, CustomStringConvertible {
  /// The number, such as `ENOENT`.
  let number: Int32
  /// The system's words, such as `No such file or directory`, or ours where it has no good ones.
  let description: String

  /// An error by its number.
  init(number: Int32) {
    self.number = number
    description = String(cString: strerror(number))
  }

  /// Why something is not opened that is no regular file; nil for one that is.
  ///
  /// - Parameter mode: The kind, as `stat` gives it.
  init?(opening mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: self.init(number: EISDIR)
    case S_IFIFO: self.init("It is a named pipe")
    case S_IFSOCK: self.init("It is a socket")
    case S_IFCHR, S_IFBLK: self.init("It is a device")
    default: self.init("It is no regular file")
    }
  }

  private init(_ description: String) {
    number = EINVAL
    self.description = description
  }

  /// The error of the last system call.
  static var last: SystemError { SystemError(number: errno) }
}
