#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A library of `scripts/faults` that is preloaded into the command.
package enum PreloadedLibrary {
  /// Makes one system call of a program fail, or kills the program at it.
  package static let interpose = compiled("interpose")
  /// Swaps a file just before a system call that names it.
  package static let swap = compiled("swap")
  /// Hides the arguments from Swift's runtime.
  package static let arguments = compiled("arguments")

  private static let names = ["interpose", "swap", "arguments"]

  private static func library(_ name: String) -> String { "/tmp/graphflow-\(name)-\(getpid()).so" }

  /// The library's path; nil without a C compiler or on another system than Linux.
  private static func compiled(_ name: String) -> String? {
    #if os(Linux)
    atexit { for name in PreloadedLibrary.names { unlink(PreloadedLibrary.library(name)) } }
    let source = CommandFixture.root + "/scripts/faults/\(name).c"
    let search = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    for compiler in ["clang", "cc", "gcc"] {
      guard
        let process = try? ChildProcess(
          [
            "/usr/bin/env", compiler, "-O1", "-shared", "-fPIC", "-o", library(name), source,
            "-ldl",
          ], environment: ["PATH": search], input: [], folder: "/")
      else { continue }
      if (try? process.wait()) == .exited(0) { return library(name) }
    }
    #endif
    return nil
  }
}
