/* The allocation meter for programs of others: it counts over the allocator that the program has, and publishes where the meter
   of SQLite asks. Nobody links it: it is preloaded, and whoever wants its figures names its functions as weak ones. */
#ifndef PROGRAM_ALLOCATION_METER_H
#define PROGRAM_ALLOCATION_METER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a process has allocated, over all threads, since it started; a forked child begins with what its parent had live.
///
/// Sizes are those that the allocator hands out (`malloc_usable_size`). Counted are the C functions of the malloc family, and what
/// is made of them, as C++'s operators are; not `mmap`.
struct program_allocation_counters {
  int64_t live_bytes;
  int64_t peak_live_bytes;
  uint64_t allocations;
  uint64_t allocated_bytes;
};

/// Calls of one thread that came from the library whose addresses were given, and the bytes that they handed out.
struct program_allocations_of_library {
  uint64_t allocations;
  uint64_t allocated_bytes;
};

/// Has the figures lie at a place from now on, with what was counted before; calls from addresses between the two are a library's.
void program_allocation_meter_adopt(struct program_allocation_counters *counters, const void *begin, const void *end);

/// The figures of the calling thread.
struct program_allocations_of_library program_allocation_meter_thread(void);

#ifdef __cplusplus
}
#endif

#endif
