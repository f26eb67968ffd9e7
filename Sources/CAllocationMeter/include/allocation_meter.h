/* The allocation meter's figures. Nobody links the meter: a program that wants the figures preloads its library and looks
   the functions up by name (`dlsym`). */
#ifndef ALLOCATION_METER_H
#define ALLOCATION_METER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of `struct allocation_meter_figures` below; raised with every change of its layout.
#define ALLOCATION_METER_VERSION 2

/// Whose allocations are asked for: all, those made without a mark, or those made under one.
#define ALLOCATION_METER_ALL 0
#define ALLOCATION_METER_UNMARKED 1
#define ALLOCATION_METER_MARKED 2

/// What the process has allocated since it started, over all threads.
///
/// Sizes are those the allocator hands out (`sallocx`), a little above what was asked for. Counted are the C
/// functions of the malloc family and C++'s operators new and delete; not `mmap`, and not direct calls of jemalloc's
/// own `mallocx` family. The counters are exact one by one; four of them read while other threads allocate are not
/// of one instant.
struct allocation_meter_figures {
  /// Set by the caller to `ALLOCATION_METER_VERSION`, so that a caller built for another layout is refused.
  uint64_t version;
  /// Set by the caller: one of the three owners above.
  uint64_t owner;
  /// Bytes handed out and not given back.
  int64_t live_bytes;
  /// The highest `live_bytes` since the process started or the peak was reset.
  int64_t peak_live_bytes;
  /// Calls that handed out memory; a `realloc` that did counts as one.
  uint64_t allocations;
  /// Bytes those calls handed out; a `realloc` counts with the whole of its new size, as jemalloc counts it.
  uint64_t allocated_bytes;
};

/// Fills in the figures. Allocates nothing, takes no lock, and may be called from any thread.
///
/// Returns 0; `EINVAL` when the caller's `version` is not this library's, or `owner` is none; `ENOTSUP` when the library was built
/// without the meter (no Linux, or no jemalloc).
int allocation_meter_read(struct allocation_meter_figures *figures);

/// Begins (1) or ends (0) the marking of what the calling thread allocates and gives back; returns whether it was marked.
///
/// A library marks its own allocations by calling this around each of its calls of the malloc family. What was
/// allocated under the mark must be given back under it.
int allocation_meter_mark(int mark);

/// Makes the live bytes of this moment the peak, of each owner, and returns 0 or `ENOTSUP`.
///
/// Other threads may allocate meanwhile; a level they reached just before the reset may then still become the peak.
int allocation_meter_reset_peak(void);

/// Calls a function once, when the live bytes reach a level, in the thread whose allocation does, before that returns.
///
/// A null pointer takes it back. Returns 0 or `ENOTSUP`.
int allocation_meter_alert(int64_t live_bytes, void (*alerted)(void));

#ifdef __cplusplus
}
#endif

#endif
