/// The library that makes one system call of a program fail, or kills the program at it.
package enum Interposer {
  /// The library's path; nil if it cannot be compiled.
  package static var path: String? { PreloadedLibrary.interpose }

  /// The variables that put a fault at one system call, counted from 1 over all threads.
  package static func environment(_ fault: String, at call: Int) -> [String: String] {
    ["LD_PRELOAD": path ?? "", "FAULT": fault, "FAULT_AT": "\(call)"]
  }
}
