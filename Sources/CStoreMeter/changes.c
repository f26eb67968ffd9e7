/* Counts rows as they change and records the size of a database's write-ahead log at certain counts. Only in the process's
   own library, because another program may have an update hook of its own. */
#include <pthread.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#include "meter.h"

/* What is watched, in one piece of memory: the points, which are complete once recorded, and the names of the tables. */
struct watch {
  size_t size;
  uint64_t tables, points, noted, rows;
  struct store_meter_point *list;
  const char *names;
};

static pthread_mutex_t watching = PTHREAD_MUTEX_INITIALIZER;
static struct watch *watched;
static atomic_bool is_watching;

static struct watch *make(const char *tables, uint64_t table_count, const uint64_t *row_counts, uint64_t count) {
  size_t names = 0;
  for (uint64_t table = 0; table < table_count; table++) names += strlen(tables + names) + 1;
  size_t size = sizeof(struct watch) + count * sizeof(struct store_meter_point) + names;
  struct watch *watch = meter_memory(size);
  if (watch == NULL) return NULL;
  *watch = (struct watch){.size = size, .tables = table_count, .points = count};
  watch->list = (struct store_meter_point *)(void *)(watch + 1);
  for (uint64_t point = 0; point < count; point++) watch->list[point].rows = row_counts[point];
  if (names != 0) memcpy(watch->list + count, tables, names);
  watch->names = (const char *)(watch->list + count);
  return watch;
}

int store_meter_watch(const char *tables, uint64_t table_count, const uint64_t *row_counts, uint64_t count) {
  if (atomic_load(&meter_base) == NULL) return 0;
  struct watch *watch = make(tables, table_count, row_counts, count);
  if (watch == NULL) return 0;
  pthread_mutex_lock(&watching);
  uint64_t databases = __atomic_load_n(&meter_header()->databases, __ATOMIC_ACQUIRE);
  for (uint32_t number = 0; number < databases; number++) {
    struct store_meter_database *database = meter_database(number);
    METER_SET(database->watched_frames, METER_READ(database->wal_frames));
    METER_SET(database->watched_checkpoints, METER_READ(database->checkpoints));
  }
  if (watched != NULL) munmap(watched, watched->size);
  watched = watch;
  atomic_store(&is_watching, true);
  pthread_mutex_unlock(&watching);
  return 1;
}

void store_meter_stop_watching(void) { atomic_store(&is_watching, false); }

uint64_t store_meter_read_points(struct store_meter_point *points, uint64_t room) {
  pthread_mutex_lock(&watching);
  uint64_t count = watched == NULL ? 0 : watched->noted;
  if (count != 0 && room != 0) memcpy(points, watched->list, (count < room ? count : room) * sizeof *points);
  pthread_mutex_unlock(&watching);
  return count;
}

static bool is_watched(const char *table) {
  const char *name = watched->names;
  for (uint64_t number = 0; number < watched->tables; number++, name += strlen(name) + 1) {
    if (strcasecmp(name, table) == 0) return true;
  }
  return false;
}

static void count_row(uint32_t number) {
  if (watched->noted == watched->points) return;
  struct store_meter_point *point = &watched->list[watched->noted];
  if (++watched->rows != point->rows) return;
  const struct store_meter_database *database = meter_database(number);
  point->wal_size = METER_READ(database->wal_size);
  point->wal_frames = METER_READ(database->wal_frames) - METER_READ(database->watched_frames);
  point->checkpoints = METER_READ(database->checkpoints) - METER_READ(database->watched_checkpoints);
  watched->noted++;
}

void meter_note_changed_row(void *database, int operation, const char *schema, const char *table, long long row) {
  (void)operation;
  (void)schema;
  (void)row;
  if (table == NULL || !atomic_load_explicit(&is_watching, memory_order_relaxed)) return;
  pthread_mutex_lock(&watching);
  if (atomic_load(&is_watching) && is_watched(table)) count_row((uint32_t)(uintptr_t)database);
  pthread_mutex_unlock(&watching);
}
