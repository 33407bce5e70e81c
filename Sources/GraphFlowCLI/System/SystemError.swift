// Imports the C library, whose name depends on the system, for every file of this module.
#if canImport(Glibc)
@_exported @preconcurrency import Glibc
#elseif canImport(Darwin)
@_exported @preconcurrency import Darwin
#endif

/// The error of a system call.
struct SystemError: Error, CustomStringConvertible {
  /// The number, such as `ENOENT`.
  let number: Int32
  /// The system's message, such as `No such file or directory`, or a clearer one of our own.
  let description: String

  init(number: Int32) {
    self.number = number
    description = String(cString: strerror(number))
  }

  /// An error that the system has no number for.
  init(_ description: String) {
    number = EINVAL
    self.description = description
  }

  static var last: SystemError { SystemError(number: errno) }

  /// The result of a system call, or its error where the result is negative.
  @discardableResult
  static func check(_ result: Int32) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw last }
    return result
  }
}
