/* The C allocation functions, built on jemalloc's `*allocx` calls, with glibc's contract. Each reports to the counters.

   When the library is preloaded, these definitions come before those of libjemalloc and libc, so every library of the
   process calls them. jemalloc's internal allocations do not pass through here. */
#if defined(__linux__) && !defined(BATCHMARK_SANITIZE)

#include <errno.h>
#include <jemalloc/jemalloc.h>
#include <stdint.h>
#include <unistd.h>

#include "allocation_figures.h"
#include "metered_allocation.h"

static void *out_of_memory(void) {
  errno = ENOMEM;
  return NULL;
}

static int is_power_of_two(size_t number) { return number != 0 && (number & (number - 1)) == 0; }

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

void *malloc(size_t size) {
  void *block = metered_allocate(size, 0);
  return block ? block : out_of_memory();
}

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return out_of_memory();
  void *block = metered_allocate(bytes, MALLOCX_ZERO);
  return block ? block : out_of_memory();
}

void free(void *block) {
  /* POSIX.1-2024 requires that errno is preserved, and jemalloc's system calls may change it. */
  int saved = errno;
  metered_release(block);
  errno = saved;
}

/* New in C23. The sizes are hints that this allocator does not need. */
void free_sized(void *block, size_t size) {
  (void)size;
  free(block);
}

void free_aligned_sized(void *block, size_t alignment, size_t size) {
  (void)alignment;
  (void)size;
  free(block);
}

void *realloc(void *block, size_t size) {
  if (block == NULL) return malloc(size);
  if (size == 0) {
    free(block);
    return NULL;
  }
  size_t before = sallocx(block, 0);
  void *moved = rallocx(block, size, 0);
  if (moved == NULL) return out_of_memory();
  count_allocation(sallocx(moved, 0), before);
  return moved;
}

void *reallocarray(void *block, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return out_of_memory();
  return realloc(block, bytes);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0) return EINVAL;
  /* This function returns its error and must not change errno. */
  int saved = errno;
  void *block = metered_allocate(size, MALLOCX_ALIGN(alignment));
  errno = saved;
  if (block == NULL) return ENOMEM;
  *result = block;
  return 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
  if (!is_power_of_two(alignment)) {
    errno = EINVAL;
    return NULL;
  }
  void *block = metered_allocate(size, MALLOCX_ALIGN(alignment));
  return block ? block : out_of_memory();
}

/* glibc accepts any alignment here and rounds it up to a power of two. */
void *memalign(size_t alignment, size_t size) {
  size_t rounded = 1;
  while (rounded < alignment) {
    if (rounded > SIZE_MAX / 2) {
      errno = EINVAL;
      return NULL;
    }
    rounded *= 2;
  }
  return aligned_alloc(rounded, size);
}

void *valloc(size_t size) { return aligned_alloc(page_size(), size); }

void *pvalloc(size_t size) {
  size_t page = page_size(), rounded;
  if (__builtin_add_overflow(size, page - 1, &rounded)) return out_of_memory();
  return aligned_alloc(page, rounded & ~(page - 1));
}

size_t malloc_usable_size(void *block) { return block == NULL ? 0 : sallocx(block, 0); }

#endif
