/* What writes to a write-ahead log mean, and how large the log is.

   The log has a header of 32 bytes, then frames: a header of 24 bytes and a page. A new frame is a frame header directly
   followed by its page. SQLite also writes pages without a header, over a frame of the same transaction whose page changed
   again after the cache spilled it, and headers without a page, to renew the checksums of such frames when the transaction
   commits. Either may be split in two where a sync has to come between.
   See https://www.sqlite.org/fileformat2.html#the_write_ahead_log. */
#include <string.h>

#include "meter.h"

enum { WAL_HEADER = 32, FRAME_HEADER = 24 };

static uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The state of each log, for all connections of the process. Only the holder of the write lock changes it. */
static struct meter_log logs[METER_MOST_DATABASES];

/* The log of a database file or log file; null if the database has no record and none of its logs is open. */
struct meter_log *meter_log_of(struct meter_file *file) {
  if (file->database != 0) return &logs[file->database];
  if (file->kind == METER_WAL) return &file->log;
  return file->partner == NULL ? NULL : &file->partner->log;
}

void meter_note_wal_size(uint32_t number, int64_t size) {
  struct store_meter_database *database = meter_database(number);
  struct store_meter_header *header = meter_header();
  uint64_t before = __atomic_exchange_n(&database->wal_size, (uint64_t)size, __ATOMIC_RELAXED);
  meter_raise(&database->wal_peak, (uint64_t)size);
  meter_raise(&header->wal_peak, __atomic_add_fetch(&header->wal_size, (uint64_t)size - before, __ATOMIC_RELAXED));
}

static void note_header(struct meter_file *file, const uint8_t *bytes) {
  struct store_meter_database *database = meter_database(file->database);
  struct meter_log *log = meter_log_of(file);
  uint32_t sequence = big_endian(bytes + 12);
  /* The header is written again if the transaction that wrote it was rolled back. */
  bool is_new = !log->has_sequence || log->sequence != sequence;
  log->sequence = sequence;
  log->has_sequence = true;
  log->page_size = big_endian(bytes + 8);
  log->base = 0;
  log->has_base = true;
  METER_ADD(database->wal_bytes_appended, WAL_HEADER);
  if (is_new) METER_ADD(database->wal_restarts, 1);
  METER_SET(database->page_size, log->page_size);
}

static void note_frame(struct meter_file *file, int64_t offset, int64_t count, bool is_commit) {
  struct store_meter_database *database = meter_database(file->database);
  struct meter_log *log = meter_log_of(file);
  int64_t size = log->page_size > 0 ? log->page_size : count;
  int64_t frame = (offset - WAL_HEADER - FRAME_HEADER) / (FRAME_HEADER + size) + 1;
  METER_ADD(database->wal_frames, 1);
  /* This shows growth within a long transaction. Short ones are recorded when they end. */
  if (++file->frames % 64 == 0) meter_note_growth(file->database, meter_now());
  METER_ADD(database->wal_bytes_appended, FRAME_HEADER + size);
  if (!log->has_base) {
    log->base = frame - 1;
    log->has_base = true;
  }
  if (!is_commit) return;
  METER_ADD(database->wal_commits, 1);
  meter_raise(&database->wal_commit_peak, (uint64_t)(frame > log->base ? frame - log->base : 0));
  /* In exclusive locking mode, no lock shows where the next transaction begins. */
  log->base = frame;
  log->last_commit = frame;
  log->has_committed = true;
}

void meter_note_wal_write(struct meter_file *file, const uint8_t *bytes, int64_t count, int64_t offset) {
  struct store_meter_database *database = meter_database(file->database);
  struct meter_wal *wal = &file->writes;
  int64_t end = offset + count;
  if ((uint64_t)end > METER_READ(database->wal_size)) meter_note_wal_size(file->database, end);
  if (count <= FRAME_HEADER) {
    bool is_joined = wal->header_end == offset && end - wal->header_begin <= FRAME_HEADER;
    if (!is_joined) wal->is_commit = false;
    if (!is_joined) wal->header_begin = offset;
    wal->header_end = end;
    /* Bytes 4 to 7 are the database's size after a commit, and 0 in other frames. */
    int64_t first = offset - wal->header_begin;
    for (int64_t index = 0; index < count; index++) {
      if (first + index >= 4 && first + index < 8 && bytes[index] != 0) wal->is_commit = true;
    }
    return;
  }
  if (offset == 0) {
    if (count >= WAL_HEADER) note_header(file, bytes);
  } else if (offset == wal->header_end && wal->header_end - wal->header_begin == FRAME_HEADER) {
    note_frame(file, offset, count, wal->is_commit);
  } else if (offset != wal->page_end) {
    METER_ADD(database->wal_overwrites, 1);
  }
  wal->header_begin = wal->header_end = 0;
  wal->page_end = end;
}

static bool ends_with(const char *name, size_t length, const char *ending) {
  size_t size = strlen(ending);
  return length > size && strcmp(name + length - size, ending) == 0;
}

uint32_t meter_owner_number(const char *name) {
  size_t length = strlen(name), ending = ends_with(name, length, "-wal") ? 4 : ends_with(name, length, "-journal") ? 8 : 0;
  char path[STORE_METER_PATH_SIZE];
  if (ending == 0 || length - ending >= sizeof path) return 0;
  memcpy(path, name, length - ending);
  path[length - ending] = 0;
  return meter_known_database(path);
}

void meter_note_deletion(const char *name, bool syncs, uint64_t duration) {
  meter_check();
  uint32_t number = meter_owner_number(name);
  if (syncs) {
    struct store_meter_database *database = meter_database(number);
    METER_ADD(database->directory_ns, duration);
    meter_raise(&database->longest_directory_ns, duration);
  }
  if (number == 0 || !ends_with(name, strlen(name), "-wal")) return;
  memset(&logs[number], 0, sizeof logs[number]);
  meter_note_wal_size(number, 0);
  meter_note_growth(number, meter_now());
}

void meter_note_truncation(struct meter_file *wal, int64_t size) {
  meter_note_wal_size(wal->database, size);
  meter_note_growth(wal->database, meter_now());
  struct meter_file *database = wal->partner;
  if (size == 0 && database != NULL && database->checkpoint_is_locked) database->checkpoint_mode = STORE_METER_TRUNCATE;
}
