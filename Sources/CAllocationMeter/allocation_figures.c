/* Reading the meter's counters. */
#include "allocation_figures.h"

#include <errno.h>

#include "allocation_meter.h"

#if defined(__linux__) && !defined(BATCHMARK_SANITIZE)

struct allocation_counters allocation_counters;

int allocation_meter_read(struct allocation_meter_figures *figures) {
  if (figures->version != ALLOCATION_METER_VERSION) return EINVAL;
  int64_t live = atomic_load_explicit(&allocation_counters.live_bytes, memory_order_relaxed);
  int64_t peak = atomic_load_explicit(&allocation_counters.peak_live_bytes, memory_order_relaxed);
  figures->live_bytes = live;
  /* A thread between its addition and its new peak has raised the one and not yet the other. */
  figures->peak_live_bytes = live > peak ? live : peak;
  figures->allocations = atomic_load_explicit(&allocation_counters.allocations, memory_order_relaxed);
  figures->allocated_bytes = atomic_load_explicit(&allocation_counters.allocated_bytes, memory_order_relaxed);
  return 0;
}

int allocation_meter_reset_peak(void) {
  atomic_store_explicit(
      &allocation_counters.peak_live_bytes,
      atomic_load_explicit(&allocation_counters.live_bytes, memory_order_relaxed), memory_order_relaxed);
  return 0;
}

#else

int allocation_meter_read(struct allocation_meter_figures *figures) {
  (void)figures;
  return ENOTSUP;
}

int allocation_meter_reset_peak(void) { return ENOTSUP; }

#endif
