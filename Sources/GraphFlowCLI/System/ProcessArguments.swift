/// The arguments of the process.
enum ProcessArguments {
  /// All arguments; the first is the program's name.
  ///
  /// On Linux Swift's runtime searches them on the stack, below the environment. It finds none if a
  /// library has moved the environment with `setenv` before `main`, or if it cannot read
  /// `/proc/self/maps`. Then they are read from `/proc`.
  static func all() throws -> [String] {
    guard CommandLine.arguments.isEmpty else { return CommandLine.arguments }
    guard let bytes = try? FileReading.bytes(of: "/proc/self/cmdline"), !bytes.isEmpty else {
      throw CommandFailure(
        .systemLimit, "the system does not provide the arguments of this program",
        hint: "mount /proc")
    }
    // Each word ends in a NUL (proc_pid_cmdline(5)).
    return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
