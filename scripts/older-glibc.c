// Functions that keep a release from needing a glibc newer than 2.34, that of RHEL 9.
//
// Without them a binary that is linked on a newer system needs 2.35, for three functions only.
// They are hidden, so the binary exports none of them.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define FIRST_VERSION "GLIBC_2.17"
#else
#error "the oldest version of glibc for this processor is not known"
#endif

#define HIDDEN __attribute__((visibility("hidden")))

// Since 2.35 hypot no longer calls a handler of errors, which no program here sets.
__asm__(".symver first_hypot, hypot@" FIRST_VERSION);
__asm__(".symver first_hypotf, hypotf@" FIRST_VERSION);
double first_hypot(double, double);
float first_hypotf(float, float);
HIDDEN double hypot(double x, double y) { return first_hypot(x, y); }
HIDDEN float hypotf(float x, float y) { return first_hypotf(x, y); }

#if __GLIBC_PREREQ(2, 35)

// _dl_find_object (glibc manual, "Dynamic Linker Introspection") finds the table with which libgcc
// unwinds the stack. dl_iterate_phdr finds it, too, only more slowly.
struct search {
  uintptr_t address;
  struct dl_find_object *result;
};

static int find(struct dl_phdr_info *object, size_t size, void *data) {
  struct search *search = data;
  uintptr_t start = UINTPTR_MAX, end = 0;
  const ElfW(Phdr) *table = NULL;
  int isInside = 0;
  (void)size;
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    uintptr_t from = object->dlpi_addr + segment->p_vaddr, to = from + segment->p_memsz;
    if (segment->p_type == PT_GNU_EH_FRAME) table = segment;
    if (segment->p_type != PT_LOAD) continue;
    isInside |= search->address >= from && search->address < to;
    if (from < start) start = from;
    if (to > end) end = to;
  }
  if (!isInside) return 0;
  if (!table) return -1;
  *search->result = (struct dl_find_object){
      .dlfo_map_start = (void *)start,
      .dlfo_map_end = (void *)end,
      .dlfo_eh_frame = (void *)(object->dlpi_addr + table->p_vaddr)};
  return 1;
}

HIDDEN int _dl_find_object(void *address, struct dl_find_object *result) {
  struct search search = {(uintptr_t)address, result};
  return dl_iterate_phdr(find, &search) == 1 ? 0 : -1;
}

#endif
