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

  /// An error that the system has no number for.
  init(_ description: String) {
    number = EINVAL
    self.description = description
  }

  /// The error of the last system call.
  static var last: SystemError { SystemError(number: errno) }

  /// The result of a system call, or its error where the result is negative.
  @discardableResult
  static func check(_ result: Int32) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw last }
    return result
  }
}
