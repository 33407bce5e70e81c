/// The words with which the process was started.
enum ProcessArguments {
  /// All of them; the first is the program's name.
  ///
  /// On Linux Swift's runtime looks for them on the stack, below the environment. It finds none if a
  /// library has moved the environment by then, with `setenv` before `main`, or if it cannot look into
  /// `/proc/self/maps`. Then the system is asked.
  ///
  /// - Throws: a ``CommandFailure`` with ``ExitStatus/systemLimit`` if nobody knows them.
  static func all() throws -> [String] {
    guard CommandLine.arguments.isEmpty else { return CommandLine.arguments }
    guard let bytes = try? FileReading.bytes(of: "/proc/self/cmdline"), !bytes.isEmpty else {
      throw CommandFailure(
        .systemLimit,
        "the system does not say with which arguments this program was started",
        hint: "mount /proc"
      )
    }
    // Each word ends in a NUL (proc_pid_cmdline(5)).
    return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
