/* C++'s operators new and delete. libjemalloc defines its own, on top of its internal functions, and the Swift runtime, which
   is C++, allocates with them. They would bypass the meter.

   They are written in C under their mangled names (Itanium C++ ABI; `size_t` is `m`, as on every 64-bit Linux), so that the
   preloaded library does not load a C++ runtime into processes that have none. */
#if defined(__linux__) && !defined(BATCHMARK_SANITIZE)

#include <stdlib.h>

#include "metered_allocation.h"

/* std::get_new_handler and std::__throw_bad_alloc of the C++ runtime, if there is one. Exceptions pass through these C
   functions. The unwind tables for that exist on every 64-bit Linux. */
typedef void (*new_handler)(void);
new_handler get_new_handler(void) __asm__("_ZSt15get_new_handlerv") __attribute__((weak));
void throw_bad_alloc(void) __asm__("_ZSt17__throw_bad_allocv") __attribute__((weak));

/* If memory runs out, C++ requires calling the new-handler until there is some, or throwing an exception if there is no handler. */
static void *allocate_or_throw(size_t size, int flags) {
  for (;;) {
    void *block = metered_allocate(size, flags);
    if (block != NULL) return block;
    new_handler handler = get_new_handler ? get_new_handler() : NULL;
    if (handler == NULL) {
      if (throw_bad_alloc) throw_bad_alloc();
      abort();
    }
    handler();
  }
}

#define OPERATOR_NEW(name, symbol)          \
  void *name(size_t size) __asm__(symbol);  \
  void *name(size_t size) { return allocate_or_throw(size, 0); }

#define OPERATOR_NEW_ALIGNED(name, symbol)                   \
  void *name(size_t size, size_t alignment) __asm__(symbol); \
  void *name(size_t size, size_t alignment) { return allocate_or_throw(size, MALLOCX_ALIGN(alignment)); }

OPERATOR_NEW(new_object, "_Znwm")
OPERATOR_NEW(new_array, "_Znam")
OPERATOR_NEW_ALIGNED(new_object_aligned, "_ZnwmSt11align_val_t")
OPERATOR_NEW_ALIGNED(new_array_aligned, "_ZnamSt11align_val_t")

/* The `nothrow` forms return null. */
#define OPERATOR_NEW_NOTHROW(name, symbol)                      \
  void *name(size_t size, const void *nothrow) __asm__(symbol); \
  void *name(size_t size, const void *nothrow) {                \
    (void)nothrow;                                              \
    return metered_allocate(size, 0);                           \
  }

#define OPERATOR_NEW_ALIGNED_NOTHROW(name, symbol)                                \
  void *name(size_t size, size_t alignment, const void *nothrow) __asm__(symbol); \
  void *name(size_t size, size_t alignment, const void *nothrow) {                \
    (void)nothrow;                                                                \
    return metered_allocate(size, MALLOCX_ALIGN(alignment));                      \
  }

OPERATOR_NEW_NOTHROW(new_object_nothrow, "_ZnwmRKSt9nothrow_t")
OPERATOR_NEW_NOTHROW(new_array_nothrow, "_ZnamRKSt9nothrow_t")
OPERATOR_NEW_ALIGNED_NOTHROW(new_object_aligned_nothrow, "_ZnwmSt11align_val_tRKSt9nothrow_t")
OPERATOR_NEW_ALIGNED_NOTHROW(new_array_aligned_nothrow, "_ZnamSt11align_val_tRKSt9nothrow_t")

/* Freeing needs no sizes, alignments or nothrow tags, and the calling conventions of 64-bit Linux allow a function to ignore
   further arguments, so one body serves every form. */
#define OPERATOR_DELETE(name, symbol)     \
  void name(void *block) __asm__(symbol); \
  void name(void *block) { free(block); }

OPERATOR_DELETE(delete_object, "_ZdlPv")
OPERATOR_DELETE(delete_array, "_ZdaPv")
OPERATOR_DELETE(delete_object_sized, "_ZdlPvm")
OPERATOR_DELETE(delete_array_sized, "_ZdaPvm")
OPERATOR_DELETE(delete_object_nothrow, "_ZdlPvRKSt9nothrow_t")
OPERATOR_DELETE(delete_array_nothrow, "_ZdaPvRKSt9nothrow_t")
OPERATOR_DELETE(delete_object_aligned, "_ZdlPvSt11align_val_t")
OPERATOR_DELETE(delete_array_aligned, "_ZdaPvSt11align_val_t")
OPERATOR_DELETE(delete_object_sized_aligned, "_ZdlPvmSt11align_val_t")
OPERATOR_DELETE(delete_array_sized_aligned, "_ZdaPvmSt11align_val_t")
OPERATOR_DELETE(delete_object_aligned_nothrow, "_ZdlPvSt11align_val_tRKSt9nothrow_t")
OPERATOR_DELETE(delete_array_aligned_nothrow, "_ZdaPvSt11align_val_tRKSt9nothrow_t")

#endif
