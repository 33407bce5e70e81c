import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The library that lets one system call of a program fail, or be its last.
enum Interposer {
  /// Where it is, compiled from `scripts/faults/interpose.c`; nil where that cannot be done.
  static let path: String? = {
    #if os(Linux)
    atexit { unlink(Interposer.library) }
    let source = GraphFlow.root + "/scripts/faults/interpose.c"
    let search = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    for compiler in ["clang", "cc", "gcc"] {
      guard
        let process = try? ChildProcess(
          ["/usr/bin/env", compiler, "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"],
          environment: ["PATH": search],
          input: [],
          folder: "/"
        )
      else { continue }
      if (try? process.wait()) == .exited(0) { return library }
    }
    #endif
    return nil
  }()

  private static let library = "/tmp/graphflow-interpose-\(getpid()).so"

  /// The variables under which a call of a program is hit, counted from 1 over all threads.
  static func environment(_ fault: String, at call: Int) -> [String: String] {
    ["LD_PRELOAD": path ?? "", "FAULT": fault, "FAULT_AT": "\(call)"]
  }
}
