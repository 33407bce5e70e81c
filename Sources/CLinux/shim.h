// What Swift's modules of Linux leave out.
#ifdef __linux__
#include <malloc.h>
#include <stdint.h>
#include <unistd.h>

// openat2(2), by syscall(), which Swift cannot call: it takes any number of arguments. The C library has no function for it, and its headers may be older than the call.
static inline int graphflow_openat2(int folder, const char *path, uint64_t flags, uint64_t resolve) {
  struct {
    uint64_t flags, mode, resolve;
  } how = {flags, 0, resolve};
  return (int)syscall(437, folder, path, &how, sizeof how);
}

// jemalloc's, which a release links in place of glibc's allocator.
extern int mallctl(const char *, void *, size_t *, void *, size_t) __attribute__((weak));

// The maximum number of heaps of glibc, whatever the number of threads (mallopt(3)).
static inline void graphflow_limit_heaps(int count) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, count);
#else
  (void)count;
#endif
}

// Returns the free memory of all heaps to the system: glibc does so only for memory at the end of a heap (malloc_trim(3)), jemalloc after seconds (jemalloc(3), arena.<i>.purge).
static inline void graphflow_return_free_memory(void) {
#ifdef __GLIBC__
  if (mallctl) mallctl("arena.4096.purge", NULL, NULL, NULL, 0);
  else malloc_trim(0);
#endif
}
#endif
