/* The counters. They are in this library until SQLite's meter has room for them where other processes can read them. */
#include "counters.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "include/program_allocation_meter.h"

#if defined(__linux__)

static struct program_allocation_counters own;
static struct program_allocation_counters *_Atomic current = &own;
static _Atomic uintptr_t library_begin, library_end;
static _Thread_local struct program_allocations_of_library of_thread __attribute__((tls_model("initial-exec")));

#define ADD(counter, amount) __atomic_add_fetch(&(counter), amount, __ATOMIC_RELAXED)

static void raise_peak(struct program_allocation_counters *counters, int64_t live) {
  int64_t peak = __atomic_load_n(&counters->peak_live_bytes, __ATOMIC_RELAXED);
  while (live > peak && !__atomic_compare_exchange_n(&counters->peak_live_bytes, &peak, live, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

void count_allocation(size_t size, size_t given_back, const void *caller) {
  struct program_allocation_counters *counters = atomic_load_explicit(&current, memory_order_relaxed);
  int64_t live = ADD(counters->live_bytes, (int64_t)size - (int64_t)given_back);
  ADD(counters->allocations, 1);
  ADD(counters->allocated_bytes, size);
  raise_peak(counters, live);
  uintptr_t address = (uintptr_t)caller;
  if (address < atomic_load_explicit(&library_begin, memory_order_relaxed)) return;
  if (address >= atomic_load_explicit(&library_end, memory_order_relaxed)) return;
  of_thread.allocations++;
  of_thread.allocated_bytes += size;
}

void count_release(size_t size) {
  struct program_allocation_counters *counters = atomic_load_explicit(&current, memory_order_relaxed);
  ADD(counters->live_bytes, -(int64_t)size);
}

/* A child must not write to the parent's counters. It continues with its own, which start with the live memory. */
static void in_child(void) {
  const struct program_allocation_counters *parent = atomic_load(&current);
  int64_t live = __atomic_load_n(&parent->live_bytes, __ATOMIC_RELAXED);
  own = (struct program_allocation_counters){.live_bytes = live, .peak_live_bytes = live};
  atomic_store(&current, &own);
}

void program_allocation_meter_adopt(struct program_allocation_counters *counters, const void *begin, const void *end) {
  static atomic_bool is_prepared;
  if (!atomic_exchange(&is_prepared, true)) pthread_atfork(NULL, NULL, in_child);
  atomic_store(&library_begin, (uintptr_t)begin);
  atomic_store(&library_end, (uintptr_t)end);
  struct program_allocation_counters *before = atomic_exchange(&current, counters);
  if (before == counters) return;
  int64_t live = ADD(counters->live_bytes, __atomic_exchange_n(&before->live_bytes, 0, __ATOMIC_RELAXED));
  ADD(counters->allocations, __atomic_exchange_n(&before->allocations, 0, __ATOMIC_RELAXED));
  ADD(counters->allocated_bytes, __atomic_exchange_n(&before->allocated_bytes, 0, __ATOMIC_RELAXED));
  raise_peak(counters, __atomic_exchange_n(&before->peak_live_bytes, 0, __ATOMIC_RELAXED));
  raise_peak(counters, live);
}

struct program_allocations_of_library program_allocation_meter_thread(void) { return of_thread; }

#else

void program_allocation_meter_adopt(struct program_allocation_counters *counters, const void *begin, const void *end) {
  (void)counters;
  (void)begin;
  (void)end;
}

struct program_allocations_of_library program_allocation_meter_thread(void) { return (struct program_allocations_of_library){0, 0}; }

#endif
