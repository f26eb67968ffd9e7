/* The meter's counting: what the allocation functions report to. */
#ifndef ALLOCATION_FIGURES_H
#define ALLOCATION_FIGURES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* All four are touched together, so they share a cache line that nothing else is on. */
struct allocation_counters {
  _Alignas(64) _Atomic int64_t live_bytes;
  _Atomic int64_t peak_live_bytes;
  _Atomic uint64_t allocations;
  _Atomic uint64_t allocated_bytes;
};

/* The level of live bytes at which a callback is called, and the callback; no level without one. */
extern _Atomic int64_t allocation_alert_level __attribute__((visibility("hidden")));
void allocation_alert(void) __attribute__((visibility("hidden")));

/* Everything, what was allocated without a mark, and what was allocated under one. Hidden: the counters belong to the
   library alone, and are reached without the global offset table. */
extern struct allocation_counters allocation_counters[3] __attribute__((visibility("hidden")));

/* 1 while the thread's allocations are marked, else 0. The library is there from the start, so its share of a thread's
   storage is at a fixed place, and reading it allocates nothing. */
extern _Thread_local int allocation_mark __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Counts a call that handed out `size` bytes and took `given_back` bytes in exchange, in one set of counters.

   The peak is exact although threads race for it: the order of the additions to `live_bytes` is one that all threads
   agree on, every level of it is some thread's `live`, and that thread does not go on before the peak is at least as
   high. Relaxed order is enough, since each counter is read for its own value only. */
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

/* Counts `size` bytes as given back; called before they are, so that no byte is ever counted twice. What is
   allocated under a mark is given back under it. */
static inline void count_release(size_t size) {
  atomic_fetch_sub_explicit(&allocation_counters[0].live_bytes, (int64_t)size, memory_order_relaxed);
  atomic_fetch_sub_explicit(&allocation_counters[1 + allocation_mark].live_bytes, (int64_t)size, memory_order_relaxed);
}

#endif
