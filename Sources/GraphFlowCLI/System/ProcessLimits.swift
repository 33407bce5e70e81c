#if canImport(Glibc)
import CLinux
#endif

/// What a command that sends something needs of the system.
///
/// The libraries end the process with a trap where they cannot make an event loop or a thread, or get
/// no memory. So the limits are checked before anything is sent.
enum ProcessLimits {
  /// Three for each event loop, of which there may be one for each processor; those of a run (streams,
  /// journal, locks, reports); and its connections, both ends of them with a sandbox in the process,
  /// also those that timed out and are not closed yet.
  private static var descriptors: Int { 64 + 3 * processors }

  /// The stacks and heaps of the threads, and the largest answer that is taken in.
  private static var memory: Int { (384 + 32 * processors) << 20 }

  #if canImport(Glibc)
  private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  private static let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)
  #else
  private static let openFiles = RLIMIT_NOFILE
  #endif

  private static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Refuses to begin with too little; raises the limit of descriptors if the system allows it.
  ///
  /// - Throws: a ``CommandFailure`` with ``ExitStatus/systemLimit``.
  static func check() throws {
    try checkDescriptors()
    try checkMemory()
  }

  private static func checkDescriptors() throws {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return }
    let allowed = limit.rlim_cur
    // Whoever starts the process may leave it files that are open.
    let open = (0..<Int32(clamping: min(allowed, 4096))).count { fcntl($0, F_GETFD) != -1 }
    let needed = rlim_t(open + descriptors)
    guard allowed < needed else { return }
    limit.rlim_cur = min(limit.rlim_max, max(needed, 1024))
    guard limit.rlim_cur >= needed, setrlimit(openFiles, &limit) == 0 else {
      throw CommandFailure(
        .systemLimit,
        "this process may have \(allowed) files open at a time, has \(open), and needs \(needed)",
        hint: "raise the limit, as with `ulimit -n \(needed)`"
      )
    }
  }

  /// Tries whether the address space has room, whatever limits it.
  private static func checkMemory() throws {
    #if canImport(Glibc)
    // Each thread's own heap would take 64 MiB of a limited address space, until none is left for a
    // thread's stack.
    var limit = rlimit()
    if getrlimit(addressSpace, &limit) == 0, limit.rlim_cur != rlim_t.max {
      graphflow_limit_heaps(2)
    }
    #endif
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    let room = mmap(nil, memory, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let room, room != MAP_FAILED else {
      throw CommandFailure(
        .systemLimit,
        "this process gets less than \(memory >> 20) MiB of memory more, and needs that",
        hint: "raise the limit, as with `ulimit -v unlimited`"
      )
    }
    munmap(room, memory)
  }
}
