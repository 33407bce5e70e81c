// Preloaded into graphflow (LD_PRELOAD), replaces a file just before one of the calls that name it,
// as an attacker with access to the folder could.
//
//   SWAP_FILE=FILE  the file's absolute path; calls that name its last component count
//   SWAP_FOR=FILE   the file that is renamed to it
//   SWAP_AT=N       before the Nth of these calls, from 1
//   SWAP_OLD=1      the kernel has no openat2

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long count;

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void looked_at(const char *path) {
  const char *file = getenv("SWAP_FILE"), *other = getenv("SWAP_FOR"), *at = getenv("SWAP_AT");
  if (!file || !other || !at || !path || strcmp(last_part(path), last_part(file))) return;
  int before = errno;
  if (atomic_fetch_add(&count, 1) + 1 == atol(at)) rename(other, file);
  errno = before;
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int stat(const char *path, struct stat *status) {
  NEXT(stat);
  looked_at(path);
  return next(path, status);
}

int lstat(const char *path, struct stat *status) {
  NEXT(lstat);
  looked_at(path);
  return next(path, status);
}

int access(const char *path, int mode) {
  NEXT(access);
  looked_at(path);
  return next(path, mode);
}

int faccessat(int folder, const char *path, int mode, int flags) {
  NEXT(faccessat);
  looked_at(path);
  return next(folder, path, mode, flags);
}

char *realpath(const char *path, char *resolved) {
  NEXT(realpath);
  looked_at(path);
  return next(path, resolved);
}

int renameat(int folder, const char *from, int other, const char *to) {
  NEXT(renameat);
  looked_at(to);
  return next(folder, from, other, to);
}

#define MODE() \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  } \
  looked_at(path)

int open(const char *path, int flags, ...) {
  NEXT(open);
  MODE();
  return next(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  NEXT(open64);
  MODE();
  return next(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  NEXT(openat);
  MODE();
  return next(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  NEXT(openat64);
  MODE();
  return next(folder, path, flags, mode);
}

// All other calls use it too; none has more than six arguments.
long syscall(long number, ...) {
  NEXT(syscall);
  long words[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; i++) words[i] = va_arg(rest, long);
  va_end(rest);
  if (number == 437) {  // openat2
    looked_at((const char *)words[1]);
    if (getenv("SWAP_OLD")) {
      errno = ENOSYS;
      return -1;
    }
  }
  return next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
