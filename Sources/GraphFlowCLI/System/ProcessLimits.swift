#if canImport(Glibc)
import CLinux
#endif

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
    // The process may inherit open files.
    let open = (0..<Int32(clamping: min(allowed, 4096))).count { fcntl($0, F_GETFD) != -1 }
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
        "too little memory: this process needs \(memory >> 20) MiB more of address space",
        hint: "raise the limit: ulimit -v unlimited")
    }
    munmap(room, memory)
  }
}
