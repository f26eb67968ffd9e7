/* The program's allocations and SQLite's part of them, if the allocation meter for other people's programs is preloaded too. */
#include "meter.h"

/* Declared in program_allocation_meter.h, which this library does not include. */
struct program_allocations_of_library {
  uint64_t allocations, allocated_bytes;
};
void program_allocation_meter_adopt(void *counters, const void *begin, const void *end) __attribute__((weak, visibility("default")));
struct program_allocations_of_library program_allocation_meter_thread(void) __attribute__((weak, visibility("default")));

/* Set only by a preloaded meter. A meter that is private to the process leaves allocations to it. */
static atomic_bool is_metered;

bool meter_has_heap(void) { return atomic_load_explicit(&is_metered, memory_order_relaxed); }

void meter_open_heap(const struct store_meter_library *library) {
  if (library->is_private || program_allocation_meter_adopt == NULL || program_allocation_meter_thread == NULL) return;
  program_allocation_meter_adopt(&meter_header()->heap, library->begin, library->end);
  atomic_store(&is_metered, true);
}

void meter_note_heap(const struct store_meter_library *library, uint32_t number) {
  if (METER_EXPECTED(!meter_has_heap())) return;
  struct program_allocations_of_library now = program_allocation_meter_thread();
  struct meter_thread *thread = meter_thread();
  if (number != 0) {
    struct store_meter_statement *statement = meter_statement(number);
    METER_ADD(statement->allocations, now.allocations - thread->allocations);
    METER_ADD(statement->allocated_bytes, now.allocated_bytes - thread->allocated_bytes);
  }
  thread->allocations = now.allocations;
  thread->allocated_bytes = now.allocated_bytes;
  long long bytes = 0, highest = 0;
  if (library->status64 == NULL || library->status64(SQLITE_STATUS_MEMORY_USED, &bytes, &highest, 0) != SQLITE_OK) return;
  /* The program may have turned this count off. */
  if (highest <= 0) return;
  struct store_meter_heap *heap = &meter_header()->heap;
  int64_t live = __atomic_load_n(&heap->live_bytes, __ATOMIC_RELAXED);
  METER_SET(heap->is_known, 1);
  METER_SET(heap->sqlite_bytes, bytes);
  meter_raise(&heap->sqlite_peak_bytes, (uint64_t)highest);
  if (live > bytes) meter_raise(&heap->rest_peak_bytes, (uint64_t)(live - bytes));
}
