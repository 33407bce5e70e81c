#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A library of `scripts/faults` that is loaded into the command before all others.
package enum PreloadedLibrary {
  /// Lets one system call of a program fail, or be its last.
  package static let interpose = compiled("interpose")
  /// Swaps a file just before a call that names it.
  package static let swap = compiled("swap")
  /// Takes the arguments from Swift's runtime.
  package static let arguments = compiled("arguments")

  private static let names = ["interpose", "swap", "arguments"]

  private static func library(_ name: String) -> String {
    "/tmp/graphflow-\(name)-\(getpid()).so"
  }

  /// Where the library is; nil where there is no C compiler, or no Linux.
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
          ],
          environment: ["PATH": search],
          input: [],
          folder: "/"
        )
      else { continue }
      if (try? process.wait()) == .exited(0) { return library(name) }
    }
    #endif
    return nil
  }
}
