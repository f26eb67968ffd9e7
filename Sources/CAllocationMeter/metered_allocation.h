/* Allocating and freeing with jemalloc, counted. The C functions and the C++ operators are built on these two steps. */
#ifndef METERED_ALLOCATION_H
#define METERED_ALLOCATION_H

#include <jemalloc/jemalloc.h>

#include "allocation_figures.h"

/* Returns a block of at least `size` bytes, or null. The caller sets errno. */
static inline void *metered_allocate(size_t size, int flags) {
  /* `mallocx` is undefined for 0, but C expects a distinct block. */
  void *block = mallocx(size == 0 ? 1 : size, flags);
  if (block != NULL) count_allocation(sallocx(block, 0), 0);
  return block;
}

static inline void metered_release(void *block) {
  if (block == NULL) return;
  count_release(sallocx(block, 0));
  dallocx(block, 0);
}

#endif
