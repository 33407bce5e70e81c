#if canImport(Glibc)
import CLinux
#endif

/// The memory that the C library allocates.
///
/// glibc has a heap for each thread, and keeps what was freed: a run that reads gigabytes in answers of
/// megabytes would occupy several times what it uses. A release has jemalloc instead
/// (`scripts/allocator.c`), which keeps what was freed for some seconds.
enum Heap {
  /// Lets threads share two heaps, which are enough: little happens at the same time.
  ///
  /// Each thread's own would also take 64 MiB of a limited address space, until none is left for a
  /// thread's stack.
  static func limit() {
    #if canImport(Glibc)
    graphflow_limit_heaps(2)
    #endif
  }

  /// Returns what is free to the system; this takes a few milliseconds.
  static func returnFreeMemory() {
    #if canImport(Glibc)
    graphflow_return_free_memory()
    #endif
  }
}
