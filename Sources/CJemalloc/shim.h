/* jemalloc's interface: its statistics and its control calls. */
#ifndef BATCHMARK_CJEMALLOC_SHIM_H
#define BATCHMARK_CJEMALLOC_SHIM_H

/* With this macro, the header names the functions `je_…` on every system, whether the library was built with that prefix (as on
   macOS) or without (as on Linux). Swift does not import such macros, so there is an inline function. */
#define JEMALLOC_NO_DEMANGLE
#include <jemalloc/jemalloc.h>

/// `mallctl`: reads and writes a named value of the allocator; returns 0 or an error number.
static inline int jemalloc_mallctl(const char *name, void *old, size_t *old_size, void *new_value, size_t new_size) {
  return je_mallctl(name, old, old_size, new_value, new_size);
}

#endif
