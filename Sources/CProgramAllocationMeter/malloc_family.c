/* The C allocation functions, built on the next definitions in the process. Each reports to the counters.

   When the library is preloaded, these definitions come before those of libc and of the program's own allocator. The next
   definition does the work, and the program sees its contract. */
#if defined(__linux__)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"

/* The next definitions. */
static struct {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void (*free)(void *);
  int (*posix_memalign)(void **, size_t, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  void *(*memalign)(size_t, size_t);
  void *(*valloc)(size_t);
  void *(*pvalloc)(size_t);
  size_t (*malloc_usable_size)(void *);
} next;
static atomic_bool is_resolved;

/* Memory for allocations while they are looked up. It is never freed. */
static _Alignas(16) char early[16384];
static _Atomic size_t early_used;

static bool is_early(const void *block) { return (const char *)block >= early && (const char *)block < early + sizeof early; }

static void *allocate_early(size_t size) {
  size_t rounded = (size + 31) / 16 * 16, offset = atomic_fetch_add(&early_used, rounded);
  if (size > sizeof early || offset + rounded > sizeof early) return NULL;
  /* The size is stored in front of the block. */
  memcpy(early + offset, &size, sizeof size);
  return early + offset + 16;
}

#define RESOLVE(name) (*(void **)(void *)&next.name = dlsym(RTLD_NEXT, #name))

/* Whether the next definitions are known. Returns false while this thread looks them up. */
static bool resolve(void) {
  static _Thread_local bool is_resolving __attribute__((tls_model("initial-exec")));
  if (atomic_load_explicit(&is_resolved, memory_order_acquire)) return true;
  if (is_resolving) return false;
  is_resolving = true;
  RESOLVE(malloc);
  RESOLVE(calloc);
  RESOLVE(realloc);
  RESOLVE(free);
  RESOLVE(posix_memalign);
  RESOLVE(aligned_alloc);
  RESOLVE(memalign);
  RESOLVE(valloc);
  RESOLVE(pvalloc);
  RESOLVE(malloc_usable_size);
  is_resolving = false;
  atomic_store_explicit(&is_resolved, true, memory_order_release);
  return true;
}

static void *count(void *block, const void *caller) {
  if (block != NULL) count_allocation(next.malloc_usable_size(block), 0, caller);
  return block;
}

#define EXPORTED __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

EXPORTED void *malloc(size_t size) { return resolve() ? count(next.malloc(size), CALLER) : allocate_early(size); }

EXPORTED void *calloc(size_t number, size_t size) {
  if (resolve()) return count(next.calloc(number, size), CALLER);
  size_t bytes;
  return __builtin_mul_overflow(number, size, &bytes) ? NULL : allocate_early(bytes);
}

EXPORTED void free(void *block) {
  if (block == NULL || is_early(block) || !resolve()) return;
  count_release(next.malloc_usable_size(block));
  next.free(block);
}

static void *resize(void *block, size_t size, const void *caller) {
  if (!resolve()) return allocate_early(size);
  if (block == NULL) return count(next.realloc(NULL, size), caller);
  if (is_early(block)) {
    size_t before;
    memcpy(&before, (char *)block - 16, sizeof before);
    void *moved = count(next.malloc(size), caller);
    if (moved != NULL) memcpy(moved, block, before < size ? before : size);
    return moved;
  }
  size_t before = next.malloc_usable_size(block);
  void *moved = next.realloc(block, size);
  if (moved != NULL) {
    count_allocation(next.malloc_usable_size(moved), before, caller);
  } else if (size == 0) {
    /* Allocators differ in whether this frees the block. glibc's does. */
    count_release(before);
  }
  return moved;
}

EXPORTED void *realloc(void *block, size_t size) { return resize(block, size, CALLER); }

EXPORTED void *reallocarray(void *block, size_t number, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(number, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return resize(block, bytes, CALLER);
}

EXPORTED int posix_memalign(void **result, size_t alignment, size_t size) {
  if (!resolve()) return ENOMEM;
  int error = next.posix_memalign(result, alignment, size);
  if (error == 0) count(*result, CALLER);
  return error;
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size) { return resolve() ? count(next.aligned_alloc(alignment, size), CALLER) : NULL; }

EXPORTED void *memalign(size_t alignment, size_t size) { return resolve() ? count(next.memalign(alignment, size), CALLER) : NULL; }

EXPORTED void *valloc(size_t size) { return resolve() ? count(next.valloc(size), CALLER) : NULL; }

EXPORTED void *pvalloc(size_t size) { return resolve() && next.pvalloc != NULL ? count(next.pvalloc(size), CALLER) : NULL; }

#endif
