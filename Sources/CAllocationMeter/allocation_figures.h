/* The meter's counting: what the allocation functions report to. */
#ifndef ALLOCATION_FIGURES_H
#define ALLOCATION_FIGURES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* All four are touched by nearly every call, so they share a cache line that nothing else is on. */
struct allocation_counters {
  _Alignas(64) _Atomic int64_t live_bytes;
  _Atomic int64_t peak_live_bytes;
  _Atomic uint64_t allocations;
  _Atomic uint64_t allocated_bytes;
};

/* Hidden: the counters belong to the library alone, and are reached without the global offset table. */
extern struct allocation_counters allocation_counters __attribute__((visibility("hidden")));

/* Counts a call that handed out `size` bytes and took `given_back` bytes in exchange.

   The peak is exact although threads race for it: the order of the additions to `live_bytes` is one that all threads
   agree on, every level of it is some thread's `live`, and that thread does not go on before the peak is at least as
   high. Relaxed order is enough, since each counter is read for its own value only. */
static inline void count_allocation(size_t size, size_t given_back) {
  int64_t change = (int64_t)size - (int64_t)given_back;
  int64_t live =
      atomic_fetch_add_explicit(&allocation_counters.live_bytes, change, memory_order_relaxed) + change;
  atomic_fetch_add_explicit(&allocation_counters.allocations, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&allocation_counters.allocated_bytes, size, memory_order_relaxed);
  int64_t peak = atomic_load_explicit(&allocation_counters.peak_live_bytes, memory_order_relaxed);
  while (live > peak && !atomic_compare_exchange_weak_explicit(
                            &allocation_counters.peak_live_bytes, &peak, live, memory_order_relaxed,
                            memory_order_relaxed)) {
  }
}

/* Counts `size` bytes as given back; called before they are, so that no byte is ever counted twice. */
static inline void count_release(size_t size) {
  atomic_fetch_sub_explicit(&allocation_counters.live_bytes, (int64_t)size, memory_order_relaxed);
}

#endif
