/* How a write-ahead log grew: its highest and last size in each of a few periods of equal length. The length doubles when the
   process has run too long for them. */
#include <string.h>

#include "meter.h"

/* The length of a period at first. */
enum { MOMENT_NS = 1000000 };

static struct store_meter_moment *moments_of(uint32_t number) {
  return (struct store_meter_moment *)(void *)((char *)meter_database(number) + STORE_METER_GROWTH_OFFSET);
}

/* Merges pairs of periods. */
static void thin(struct store_meter_moment *moments) {
  for (int index = 0; index < STORE_METER_MOMENTS / 2; index++) {
    const struct store_meter_moment first = moments[2 * index], second = moments[2 * index + 1];
    METER_SET(moments[index].highest, first.highest > second.highest ? first.highest : second.highest);
    METER_SET(moments[index].last, second.last != 0 ? second.last : first.last);
  }
  memset(moments + STORE_METER_MOMENTS / 2, 0, STORE_METER_MOMENTS / 2 * sizeof *moments);
}

void meter_note_growth(uint32_t number, uint64_t now) {
  struct store_meter_database *database = meter_database(number);
  /* If another thread is recording a moment, leave this one to it. */
  if (__atomic_exchange_n(&database->moments_taken, 1, __ATOMIC_ACQUIRE) != 0) return;
  struct store_meter_moment *moments = moments_of(number);
  uint64_t since = now - meter_header()->began_ns, length = METER_READ(database->moment_ns);
  if (length == 0) length = MOMENT_NS;
  for (; since / length >= STORE_METER_MOMENTS; length *= 2) thin(moments);
  METER_SET(database->moment_ns, length);
  struct store_meter_moment *moment = &moments[since / length];
  uint64_t size = METER_READ(database->wal_size) + 1;
  meter_raise(&moment->highest, size);
  METER_SET(moment->last, size);
  __atomic_store_n(&database->moments_taken, 0, __ATOMIC_RELEASE);
}
