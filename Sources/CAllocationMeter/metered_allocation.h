/* Allocating and releasing over jemalloc, counted: the two steps under the C functions and the C++ operators. */
#ifndef METERED_ALLOCATION_H
#define METERED_ALLOCATION_H

#include <jemalloc/jemalloc.h>

#include "allocation_figures.h"

/* A block of at least `size` bytes, or null; leaves errno to the caller. */
static inline void *metered_allocate(size_t size, int flags) {
  /* `mallocx` is not defined for 0, where C wants a block of its own. */
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
