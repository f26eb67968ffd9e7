/* The meter's counters, to which the allocation functions report. */
#ifndef ALLOCATION_FIGURES_H
#define ALLOCATION_FIGURES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* All four are used together, so they share a cache line with nothing else on it. */
struct allocation_counters {
  _Alignas(64) _Atomic int64_t live_bytes;
  _Atomic int64_t peak_live_bytes;
  _Atomic uint64_t allocations;
  _Atomic uint64_t allocated_bytes;
};

/* The level of live bytes at which the callback is called, and the function that calls it. Without a callback there is no level. */
extern _Atomic int64_t allocation_alert_level __attribute__((visibility("hidden")));
void allocation_alert(void) __attribute__((visibility("hidden")));

/* Counters of everything, of what was allocated without a mark, and of what was allocated under one. They are hidden, because
   they belong to the library alone and are then reached without the global offset table. */
extern struct allocation_counters allocation_counters[3] __attribute__((visibility("hidden")));

/* 1 while the thread's allocations are marked, otherwise 0. The library is loaded from the start, so its part of a thread's
   storage has a fixed place, and reading it allocates nothing. */
extern _Thread_local int allocation_mark __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Counts a call that handed out `size` bytes and took `given_back` bytes in exchange, in one set of counters.

   The peak is exact although threads race for it: all threads agree on the order of the additions to `live_bytes`, each
   level is some thread's `live`, and that thread does not continue before the peak is at least as high. Relaxed order is
   enough, because each counter is read only for its own value. */
static inline int64_t count_allocation_in(struct allocation_counters *counters, size_t size, size_t given_back) {
  int64_t change = (int64_t)size - (int64_t)given_back;
  int64_t live =
      atomic_fetch_add_explicit(&counters->live_bytes, change, memory_order_relaxed) + change;
  atomic_fetch_add_explicit(&counters->allocations, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&counters->allocated_bytes, size, memory_order_relaxed);
  int64_t peak = atomic_load_explicit(&counters->peak_live_bytes, memory_order_relaxed);
  while (live > peak && !atomic_compare_exchange_weak_explicit(
                            &counters->peak_live_bytes, &peak, live, memory_order_relaxed,
                            memory_order_relaxed)) {
  }
  return live;
}

static inline void count_allocation(size_t size, size_t given_back) {
  int64_t live = count_allocation_in(&allocation_counters[0], size, given_back);
  count_allocation_in(&allocation_counters[1 + allocation_mark], size, given_back);
  if (live >= atomic_load_explicit(&allocation_alert_level, memory_order_relaxed)) allocation_alert();
}

/* Counts `size` bytes as freed. Call it before freeing them, so that no byte is ever counted twice. Memory allocated under
   a mark must be freed under it. */
static inline void count_release(size_t size) {
  atomic_fetch_sub_explicit(&allocation_counters[0].live_bytes, (int64_t)size, memory_order_relaxed);
  atomic_fetch_sub_explicit(&allocation_counters[1 + allocation_mark].live_bytes, (int64_t)size, memory_order_relaxed);
}

#endif
