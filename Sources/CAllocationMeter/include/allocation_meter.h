/* The allocation meter's figures. Nobody links the meter: a program that wants the figures preloads the library and finds its
   functions by name (`dlsym`). */
#ifndef ALLOCATION_METER_H
#define ALLOCATION_METER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of `struct allocation_meter_figures` below. Increase it with every change of the layout.
#define ALLOCATION_METER_VERSION 2

/// Which allocations are read: all, those made without a mark, or those made under one.
#define ALLOCATION_METER_ALL 0
#define ALLOCATION_METER_UNMARKED 1
#define ALLOCATION_METER_MARKED 2

/// What the process has allocated since it started, over all threads.
///
/// Sizes are those of the blocks that the allocator returns (`sallocx`), a little above the requested size. The meter counts
/// the C functions of the malloc family and C++'s operators new and delete. It does not count `mmap`, or direct calls of
/// jemalloc's own `mallocx` family. Each counter is exact, but counters that are read while other threads allocate may be
/// from different moments.
struct allocation_meter_figures {
  /// The caller sets this to `ALLOCATION_METER_VERSION`. A caller built for another layout is refused.
  uint64_t version;
  /// The caller sets this to one of the three owners above.
  uint64_t owner;
  /// Bytes allocated and not freed yet.
  int64_t live_bytes;
  /// The highest `live_bytes` since the process started or the peak was reset.
  int64_t peak_live_bytes;
  /// Calls that allocated memory, including calls of `realloc`.
  uint64_t allocations;
  /// Bytes that those calls allocated. A `realloc` counts with its whole new size, as in jemalloc.
  uint64_t allocated_bytes;
};

/// Fills in the figures. It allocates nothing, takes no lock, and may be called from any thread.
///
/// Returns 0; `EINVAL` if the caller's `version` is not this library's, or `owner` is invalid; `ENOTSUP` if the library was
/// built without the meter (no Linux, or no jemalloc).
int allocation_meter_read(struct allocation_meter_figures *figures);

/// Starts (1) or stops (0) marking what the calling thread allocates and frees. Returns whether it was marked before.
///
/// A library marks its own allocations by calling this around each of its calls of the malloc family. Memory
/// allocated under the mark must be freed under it.
int allocation_meter_mark(int mark);

/// Resets the peak of each owner to its current live bytes. Returns 0 or `ENOTSUP`.
///
/// If other threads allocate at the same time, a level that they reached just before the reset may still become the peak.
int allocation_meter_reset_peak(void);

/// Calls a function once when the live bytes reach a level, in the allocating thread, before the allocation returns.
///
/// A null pointer cancels the call. Returns 0 or `ENOTSUP`.
int allocation_meter_alert(int64_t live_bytes, void (*alerted)(void));

#ifdef __cplusplus
}
#endif

#endif
