// The options of jemalloc, which a Linux release links in place of glibc's allocator.
//
// A thread of a run often frees what another has allocated. In glibc the two wait for each other.

// jemalloc(3), TUNING: two arenas are enough, because few threads allocate at the same time.
const char *malloc_conf = "narenas:2";
