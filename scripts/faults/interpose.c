// Preloaded into graphflow (LD_PRELOAD), counts the system calls that store, send or receive, over
// all threads, and makes one of them fail or kills the process at it.
//
//   FAULT_AT=N     the number of the call, from 1; none if absent
//   FAULT=MODE     kill: SIGKILL instead of the call; EIO, ENOSPC: the call fails; short: only half
//                  is written
//   FAULT_LOG=FILE a line for each call; with FAULT_AT only for that call
//   FAULT_ON=WORDS only calls with these names count, such as "write fsync"
//
// strace can inject faults too, but counts each thread separately: "the Nth call" would differ
// between runs and could fail once in each thread.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { NONE, KILL, FAIL, SHORT };

static atomic_long count;
static long target;
static enum mode mode;
static int error;
static int log_file = -1;
static const char *names;

__attribute__((constructor)) static void start(void) {
  const char *at = getenv("FAULT_AT"), *what = getenv("FAULT"), *path = getenv("FAULT_LOG");
  names = getenv("FAULT_ON");
  target = at ? atol(at) : 0;
  if (!what) mode = NONE;
  else if (!strcmp(what, "kill")) mode = KILL;
  else if (!strcmp(what, "short")) mode = SHORT;
  else mode = FAIL, error = strcmp(what, "ENOSPC") ? EIO : ENOSPC;
  if (path)
    log_file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_counted(const char *name) {
  if (!names) return 1;
  const char *found = strstr(names, name);
  size_t length = strlen(name);
  return found && (found == names || found[-1] == ' ') && (!found[length] || found[length] == ' ');
}

// The fault of this call; NONE if it proceeds normally.
static enum mode hit(const char *name, const char *what) {
  if (!is_counted(name)) return NONE;
  long number = atomic_fetch_add(&count, 1) + 1;
  int is_hit = number == target;
  if (log_file >= 0 && (is_hit || !target)) {
    char line[512];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", number, name, what);
    if (length > (int)sizeof line) length = sizeof line;
    syscall(SYS_write, log_file, line, (size_t)length);
  }
  if (!is_hit) return NONE;
  if (mode == KILL) syscall(SYS_kill, getpid(), SIGKILL);
  if (mode == FAIL) errno = error;
  return mode;
}

// The target of a descriptor; nil for those that do not count, such as an eventfd.
static const char *kind(int descriptor, char *path, size_t size) {
  struct stat status;
  int before = errno;
  const char *result = 0;
  if (fstat(descriptor, &status) == 0) {
    if (S_ISSOCK(status.st_mode)) result = "socket";
    else if (descriptor == 1 || descriptor == 2) result = "stream";
    else if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
      ssize_t length = readlink(link, path, size - 1);
      path[length > 0 ? length : 0] = 0;
      result = path;
    }
  }
  errno = before;
  return result;
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define ON_FILE(descriptor, label, half) \
  do { \
    char path[256]; \
    const char *what = kind(descriptor, path, sizeof path); \
    if (what) switch (hit(label, what)) { \
      case FAIL: return -1; \
      case SHORT: half; break; \
      default: break; \
    } \
  } while (0)

#define NOTHING (void)0
#define HALF if (size > 1) size /= 2

ssize_t write(int fd, const void *bytes, size_t size) {
  NEXT(write);
  ON_FILE(fd, "write", HALF);
  return next(fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
  NEXT(pwrite);
  ON_FILE(fd, "pwrite", HALF);
  return next(fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  NEXT(pwrite64);
  ON_FILE(fd, "pwrite", HALF);
  return next(fd, bytes, size, at);
}

ssize_t writev(int fd, const struct iovec *parts, int number) {
  NEXT(writev);
  ON_FILE(fd, "writev", if (number > 1) number /= 2);
  return next(fd, parts, number);
}

ssize_t pwritev(int fd, const struct iovec *parts, int number, off_t at) {
  NEXT(pwritev);
  ON_FILE(fd, "pwritev", if (number > 1) number /= 2);
  return next(fd, parts, number, at);
}

int fsync(int fd) {
  NEXT(fsync);
  ON_FILE(fd, "fsync", NOTHING);
  return next(fd);
}

int fdatasync(int fd) {
  NEXT(fdatasync);
  ON_FILE(fd, "fdatasync", NOTHING);
  return next(fd);
}

int ftruncate(int fd, off_t size) {
  NEXT(ftruncate);
  ON_FILE(fd, "ftruncate", NOTHING);
  return next(fd, size);
}

int ftruncate64(int fd, off64_t size) {
  NEXT(ftruncate64);
  ON_FILE(fd, "ftruncate", NOTHING);
  return next(fd, size);
}

int fchmod(int fd, mode_t mode) {
  NEXT(fchmod);
  ON_FILE(fd, "fchmod", NOTHING);
  return next(fd, mode);
}

// These two return the error.
int posix_fallocate(int fd, off_t at, off_t size) {
  NEXT(posix_fallocate);
  char path[256];
  const char *what = kind(fd, path, sizeof path);
  if (what && hit("fallocate", what) == FAIL) return error;
  return next(fd, at, size);
}

int posix_fallocate64(int fd, off64_t at, off64_t size) {
  NEXT(posix_fallocate64);
  char path[256];
  const char *what = kind(fd, path, sizeof path);
  if (what && hit("fallocate", what) == FAIL) return error;
  return next(fd, at, size);
}

ssize_t send(int fd, const void *bytes, size_t size, int flags) {
  NEXT(send);
  ON_FILE(fd, "send", HALF);
  return next(fd, bytes, size, flags);
}

ssize_t sendto(int fd, const void *bytes, size_t size, int flags, const struct sockaddr *to,
               socklen_t length) {
  NEXT(sendto);
  ON_FILE(fd, "send", HALF);
  return next(fd, bytes, size, flags, to, length);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  NEXT(sendmsg);
  ON_FILE(fd, "send", NOTHING);
  return next(fd, message, flags);
}

ssize_t read(int fd, void *bytes, size_t size) {
  NEXT(read);
  char path[256];
  const char *what = kind(fd, path, sizeof path);
  if (what && !strcmp(what, "socket") && hit("receive", what) == FAIL) return -1;
  return next(fd, bytes, size);
}

ssize_t recv(int fd, void *bytes, size_t size, int flags) {
  NEXT(recv);
  ON_FILE(fd, "receive", HALF);
  return next(fd, bytes, size, flags);
}

ssize_t recvfrom(int fd, void *bytes, size_t size, int flags, struct sockaddr *from,
                 socklen_t *length) {
  NEXT(recvfrom);
  ON_FILE(fd, "receive", HALF);
  return next(fd, bytes, size, flags, from, length);
}

int connect(int fd, const struct sockaddr *to, socklen_t length) {
  NEXT(connect);
  ON_FILE(fd, "connect", NOTHING);
  return next(fd, to, length);
}

int rename(const char *from, const char *to) {
  NEXT(rename);
  if (hit("rename", to) == FAIL) return -1;
  return next(from, to);
}

int unlink(const char *path) {
  NEXT(unlink);
  if (hit("unlink", path) == FAIL) return -1;
  return next(path);
}

int mkdir(const char *path, mode_t mode) {
  NEXT(mkdir);
  if (hit("mkdir", path) == FAIL) return -1;
  return next(path, mode);
}

// Only files that are opened for writing: a program reads hundreds of files while it starts.
#define OPENING() \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  } \
  if ((flags & O_ACCMODE) != O_RDONLY && strncmp(path, "/dev/", 5) && hit("open", path) == FAIL) \
    return -1

int open(const char *path, int flags, ...) {
  NEXT(open);
  OPENING();
  return next(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  NEXT(open64);
  OPENING();
  return next(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  NEXT(openat);
  OPENING();
  return next(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  NEXT(openat64);
  OPENING();
  return next(folder, path, flags, mode);
}
