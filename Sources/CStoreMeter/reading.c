/* Reads the counters of a meter that is private to the process, as copies, and resets its peaks. */
#include <string.h>

#include "meter.h"

enum { WORDS = sizeof(struct store_meter_database) / sizeof(uint64_t) };

/* Copies word by word, because other threads keep adding to the counters. */
static void copy(uint32_t number, struct store_meter_database *to) {
  const uint64_t *from = (const uint64_t *)(const void *)meter_database(number);
  uint64_t *words = (uint64_t *)(void *)to;
  for (int word = 0; word < WORDS; word++) words[word] = METER_READ(from[word]);
}

/* The peaks of a database, except the size of its log. */
enum { PEAKS = 8 };
static void list_peaks(struct store_meter_database *database, uint64_t *peaks[PEAKS]) {
  uint64_t *list[PEAKS] = {
      &database->wal_commit_peak, &database->wal_backlog_peak, &database->longest_directory_ns, &database->longest_checkpoint_ns,
      &database->database.longest_sync_ns, &database->wal.longest_sync_ns, &database->journal.longest_sync_ns,
      &database->temporary.longest_sync_ns};
  memcpy(peaks, list, sizeof list);
}

static uint32_t count_databases(void) {
  return atomic_load(&meter_base) == NULL ? 0 : (uint32_t)__atomic_load_n(&meter_header()->databases, __ATOMIC_ACQUIRE);
}

void store_meter_read_total(struct store_meter_database *total) {
  memset(total, 0, sizeof *total);
  uint64_t highest[PEAKS] = {0}, *sums = (uint64_t *)(void *)total, *peaks[PEAKS];
  uint32_t count = count_databases();
  for (uint32_t number = 0; number < count; number++) {
    struct store_meter_database one;
    copy(number, &one);
    for (int word = 0; word < WORDS; word++) sums[word] += ((const uint64_t *)(const void *)&one)[word];
    list_peaks(&one, peaks);
    for (int peak = 0; peak < PEAKS; peak++) highest[peak] = *peaks[peak] > highest[peak] ? *peaks[peak] : highest[peak];
  }
  list_peaks(total, peaks);
  for (int peak = 0; peak < PEAKS; peak++) *peaks[peak] = highest[peak];
  if (count > 0) total->wal_peak = METER_READ(meter_header()->wal_peak);
}

void store_meter_read_database(const char *path, struct store_meter_database *database) {
  memset(database, 0, sizeof *database);
  uint32_t number = meter_known_database(path);
  if (count_databases() > 0 && (number != 0 || path[0] == 0)) copy(number, database);
}

int store_meter_counts_directories(void) { return atomic_load(&meter_counts_directories); }

void store_meter_mark_peaks(void) {
  uint32_t count = count_databases();
  for (uint32_t number = 0; number < count; number++) {
    struct store_meter_database *database = meter_database(number);
    METER_SET(database->wal_peak, METER_READ(database->wal_size));
    uint64_t *peaks[PEAKS];
    list_peaks(database, peaks);
    for (int peak = 0; peak < PEAKS; peak++) METER_SET(*peaks[peak], 0);
  }
  if (count > 0) METER_SET(meter_header()->wal_peak, METER_READ(meter_header()->wal_size));
}
