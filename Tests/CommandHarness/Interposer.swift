/// The library that lets one system call of a program fail, or be its last.
package enum Interposer {
  /// Where it is; nil where it cannot be compiled.
  package static var path: String? { PreloadedLibrary.interpose }

  /// The variables under which a call of a program is hit, counted from 1 over all threads.
  package static func environment(_ fault: String, at call: Int) -> [String: String] {
    ["LD_PRELOAD": path ?? "", "FAULT": fault, "FAULT_AT": "\(call)"]
  }
}
