// Preloaded into graphflow (LD_PRELOAD), hides the arguments from Swift's runtime, which searches
// for them on the stack, below the environment: a library that sets a variable before `main` moves
// the environment. If the runtime has searched before that, this library hides the stack from it.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void start(void) { setenv("GRAPHFLOW_PRELOADED", "1", 1); }

FILE *fopen(const char *path, const char *mode) {
  static FILE *(*next)(const char *, const char *);
  if (!next) next = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
  return strcmp(path, "/proc/self/maps") ? next(path, mode) : NULL;
}
