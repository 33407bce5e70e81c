/// What comes before the command itself: streams, memory and arguments of the process.
enum ProcessStart {
  /// Opens `/dev/null` for standard streams that the parent has closed.
  ///
  /// Otherwise the next open file, such as a journal, would get the number of a stream, and
  /// messages would be written into it.
  static func openStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // This gets the lowest free number, which is the current one: those below it are open.
      _ = open("/dev/null", O_RDWR | O_NOCTTY)
    }
  }

  /// Turns core dumps off, and on Linux keeps other processes of the same user from reading the
  /// memory, which holds tokens (prctl(2), `PR_SET_DUMPABLE`).
  ///
  /// If the system refuses, the command runs nevertheless.
  static func protectMemory() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    typealias Control = @convention(c) (CInt, CUnsignedLong) -> CInt
    // The header that declares it is not part of Glibc's module.
    guard let symbol = dlsym(nil, "prctl") else { return }
    let setDumpable: CInt = 4
    _ = unsafeBitCast(symbol, to: Control.self)(setDumpable, 0)
    #else
    _ = setrlimit(RLIMIT_CORE, &none)
    #endif
  }

  /// All arguments; the first is the program's name.
  ///
  /// On Linux Swift's runtime searches them on the stack, below the environment. It finds none if a
  /// library has moved the environment with `setenv` before `main`, or if it cannot read
  /// `/proc/self/maps`. Then they are read from `/proc`.
  static func arguments() throws -> [String] {
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
