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

/// Checks that the system provides what a command that sends something needs.
///
/// The libraries end the process with a trap if they cannot make an event loop or a thread, or get
/// no memory. So the limits are checked before anything is sent.
enum ProcessLimits {
  /// Three for each event loop, which is one for each processor, and those of a run: streams,
  /// journal, locks, reports, and connections.
  ///
  /// A sandbox in the process needs both ends of a connection. Connections that timed out count
  /// until they are closed.
  private static var descriptors: Int { 64 + 3 * processors }

  /// The stacks and heaps of the threads, and the largest answer.
  private static var memory: Int { (384 + 32 * processors) << 20 }

  #if canImport(Glibc)
  private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  private static let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)
  #else
  private static let openFiles = RLIMIT_NOFILE
  #endif

  private static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Refuses limits that are too low; raises the limit of descriptors if the system allows it.
  static func check() throws {
    try checkDescriptors()
    try checkMemory()
  }

  private static func checkDescriptors() throws {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return }
    let allowed = limit.rlim_cur
    // The process may inherit open files, but hardly more than these.
    let counted: rlim_t = 4096
    guard allowed < counted + rlim_t(descriptors) else { return }
    let open = (0..<Int32(min(allowed, counted))).count { fcntl($0, F_GETFD) != -1 }
    let needed = rlim_t(open + descriptors)
    guard allowed < needed else { return }
    limit.rlim_cur = min(limit.rlim_max, max(needed, 1024))
    guard limit.rlim_cur >= needed, setrlimit(openFiles, &limit) == 0 else {
      throw CommandFailure(
        .systemLimit,
        "too few files may be open: this process needs \(needed), the limit is \(allowed), and \(open) are open",
        hint: "raise the limit: ulimit -n \(needed)")
    }
  }

  /// Checks by an allocation whether the address space has room, whatever limits it.
  private static func checkMemory() throws {
    Heap.limit()
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    let room = mmap(nil, memory, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let room, room != MAP_FAILED else {
      throw CommandFailure(
        .systemLimit,
        "too little memory: this process needs \(memory >> 20) MiB more of address space",
        hint: "raise the limit: ulimit -v unlimited")
    }
    munmap(room, memory)
  }
}
