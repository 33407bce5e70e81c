#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a system call that failed says.
struct SystemError: Error, CustomStringConvertible {
  /// The number, such as `ENOENT`.
  let number: Int32

  /// The error of the last system call.
  static var last: SystemError { SystemError(number: errno) }

  /// The system's words, such as `No such file or directory`.
  var description: String { String(cString: strerror(number)) }
}
