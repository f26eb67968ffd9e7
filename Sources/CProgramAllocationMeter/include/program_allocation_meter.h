/* The allocation meter for other people's programs. It counts on top of the program's allocator, and publishes its counters where
   SQLite's meter asks for them. Nobody links it: it is preloaded, and code that wants its figures declares its functions as weak. */
#ifndef PROGRAM_ALLOCATION_METER_H
#define PROGRAM_ALLOCATION_METER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a process has allocated in all threads since it started. A forked child starts with its parent's live bytes.
///
/// Sizes are those of the blocks that the allocator returns (`malloc_usable_size`). The meter counts the C functions of the
/// malloc
/// family and what is built on them, such as C++'s operators. It does not count `mmap`.
struct program_allocation_counters {
  int64_t live_bytes;
  int64_t peak_live_bytes;
  uint64_t allocations;
  uint64_t allocated_bytes;
};

/// Calls of one thread from the library whose addresses were given, and the bytes that they allocated.
struct program_allocations_of_library {
  uint64_t allocations;
  uint64_t allocated_bytes;
};

/// Moves the counters to this address, including what was counted before. Calls from addresses between `begin` and `end` are
/// a library's.
void program_allocation_meter_adopt(struct program_allocation_counters *counters, const void *begin, const void *end);

/// The figures of the calling thread.
struct program_allocations_of_library program_allocation_meter_thread(void);

#ifdef __cplusplus
}
#endif

#endif
