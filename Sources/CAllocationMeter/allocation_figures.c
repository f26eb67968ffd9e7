/* Reads the meter's counters. */
#include "allocation_figures.h"

#include <errno.h>

#include "allocation_meter.h"

#if defined(__linux__) && !defined(BATCHMARK_SANITIZE)

struct allocation_counters allocation_counters[3];
_Thread_local int allocation_mark;
_Atomic int64_t allocation_alert_level = INT64_MAX;
static void (*_Atomic allocation_alerted)(void);

int allocation_meter_read(struct allocation_meter_figures *figures) {
  if (figures->version != ALLOCATION_METER_VERSION || figures->owner > ALLOCATION_METER_MARKED) return EINVAL;
  struct allocation_counters *counters = &allocation_counters[figures->owner];
  int64_t live = atomic_load_explicit(&counters->live_bytes, memory_order_relaxed);
  int64_t peak = atomic_load_explicit(&counters->peak_live_bytes, memory_order_relaxed);
  figures->live_bytes = live;
  /* A thread may have added to the live bytes but not raised the peak yet. */
  figures->peak_live_bytes = live > peak ? live : peak;
  figures->allocations = atomic_load_explicit(&counters->allocations, memory_order_relaxed);
  figures->allocated_bytes = atomic_load_explicit(&counters->allocated_bytes, memory_order_relaxed);
  return 0;
}

int allocation_meter_reset_peak(void) {
  for (int owner = 0; owner <= ALLOCATION_METER_MARKED; owner++) {
    struct allocation_counters *counters = &allocation_counters[owner];
    atomic_store_explicit(
        &counters->peak_live_bytes, atomic_load_explicit(&counters->live_bytes, memory_order_relaxed),
        memory_order_relaxed);
  }
  return 0;
}

int allocation_meter_alert(int64_t live_bytes, void (*alerted)(void)) {
  atomic_store(&allocation_alerted, alerted);
  atomic_store(&allocation_alert_level, alerted == NULL ? INT64_MAX : live_bytes);
  return 0;
}

/* Only the first thread that reaches the level still finds it set. */
void allocation_alert(void) {
  if (atomic_exchange(&allocation_alert_level, INT64_MAX) == INT64_MAX) return;
  void (*alerted)(void) = atomic_load(&allocation_alerted);
  if (alerted != NULL) alerted();
}

int allocation_meter_mark(int mark) {
  int before = allocation_mark;
  allocation_mark = mark != 0;
  return before;
}

#else

int allocation_meter_read(struct allocation_meter_figures *figures) {
  (void)figures;
  return ENOTSUP;
}

int allocation_meter_reset_peak(void) { return ENOTSUP; }

int allocation_meter_alert(int64_t live_bytes, void (*alerted)(void)) {
  (void)live_bytes;
  (void)alerted;
  return ENOTSUP;
}

int allocation_meter_mark(int mark) {
  (void)mark;
  return 0;
}

#endif
