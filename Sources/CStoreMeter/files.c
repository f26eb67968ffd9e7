/* The files that SQLite opens, each with our header in front of the file of the VFS beneath. Every call is passed on, and those
   that transfer bytes or lock are counted. */
#include <string.h>

#include "meter.h"

static int metered_close(sqlite3_file *file) {
  struct meter_file *metered = meter_of(file);
  sqlite3_file *real = meter_real(file);
  if (metered->kind == METER_DATABASE) meter_forget_file(metered);
  /* SQLite closes the log first. If it ever does not, no pointer to freed memory may remain. */
  if (metered->partner != NULL) metered->partner->partner = NULL;
  metered->partner = NULL;
  return real->pMethods->xClose(real);
}

static int metered_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  sqlite3_file *real = meter_real(file);
  int code = real->pMethods->xRead(real, buffer, count, offset);
  meter_check();
  uint64_t own = meter_begin_own();
  struct store_meter_file *counters = meter_counters(meter_of(file));
  METER_ADD(counters->reads, 1);
  if (code == SQLITE_OK) METER_ADD(counters->bytes_read, count);
  meter_end_own(own);
  return code;
}

static void note_write(struct meter_file *metered, const void *buffer, int count, sqlite3_int64 offset) {
  METER_ADD(meter_counters(metered)->bytes_written, count);
  if (metered->kind == METER_WAL) {
    meter_note_wal_write(metered, buffer, count, offset);
  } else if (metered->kind == METER_DATABASE) {
    if (metered->is_checkpointing) metered->checkpointed++;
    if (offset == 0 && count >= 512) METER_SET(meter_database(metered->database)->page_size, count);
  } else if (metered->kind == METER_TEMPORARY) {
    meter_note_spill((uint64_t)count, false);
  }
}

static int metered_write(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
  struct meter_file *metered = meter_of(file);
  sqlite3_file *real = meter_real(file);
  int code = real->pMethods->xWrite(real, buffer, count, offset);
  meter_check();
  uint64_t own = meter_begin_own();
  METER_ADD(meter_counters(metered)->writes, 1);
  if (code == SQLITE_OK) note_write(metered, buffer, count, offset);
  meter_end_own(own);
  return code;
}

static int metered_truncate(sqlite3_file *file, sqlite3_int64 size) {
  struct meter_file *metered = meter_of(file);
  sqlite3_file *real = meter_real(file);
  int code = real->pMethods->xTruncate(real, size);
  meter_check();
  METER_ADD(meter_counters(metered)->truncates, 1);
  if (metered->kind == METER_WAL && code == SQLITE_OK) meter_note_truncation(metered, size);
  return code;
}

static int metered_sync(sqlite3_file *file, int flags) {
  sqlite3_file *real = meter_real(file);
  uint64_t began = meter_now();
  int code = real->pMethods->xSync(real, flags);
  uint64_t duration = meter_now() - began;
  meter_check();
  struct store_meter_file *counters = meter_counters(meter_of(file));
  METER_ADD(counters->syncs, 1);
  METER_ADD(counters->sync_ns, duration);
  meter_raise(&counters->longest_sync_ns, duration);
  return code;
}

static int metered_file_size(sqlite3_file *file, sqlite3_int64 *size) {
  sqlite3_file *real = meter_real(file);
  return real->pMethods->xFileSize(real, size);
}

static int metered_lock(sqlite3_file *file, int level) {
  sqlite3_file *real = meter_real(file);
  int code = real->pMethods->xLock(real, level);
  meter_check();
  uint64_t own = meter_begin_own();
  if (meter_of(file)->kind == METER_DATABASE) meter_note_level(meter_of(file), level, code, false);
  meter_end_own(own);
  return code;
}

static int metered_unlock(sqlite3_file *file, int level) {
  sqlite3_file *real = meter_real(file);
  meter_check();
  uint64_t own = meter_begin_own();
  if (meter_of(file)->kind == METER_DATABASE) meter_note_level(meter_of(file), level, SQLITE_OK, true);
  meter_end_own(own);
  return real->pMethods->xUnlock(real, level);
}

static int metered_check_reserved_lock(sqlite3_file *file, int *answer) {
  sqlite3_file *real = meter_real(file);
  return real->pMethods->xCheckReservedLock(real, answer);
}

static int metered_file_control(sqlite3_file *file, int operation, void *argument) {
  sqlite3_file *real = meter_real(file);
  int code = real->pMethods->xFileControl(real, operation, argument);
  meter_check();
  uint64_t own = meter_begin_own();
  if (meter_of(file)->kind == METER_DATABASE) meter_note_control(meter_of(file), operation, argument);
  meter_end_own(own);
  return code;
}

static int metered_sector_size(sqlite3_file *file) {
  sqlite3_file *real = meter_real(file);
  return real->pMethods->xSectorSize(real);
}

static int metered_device_characteristics(sqlite3_file *file) {
  sqlite3_file *real = meter_real(file);
  return real->pMethods->xDeviceCharacteristics(real);
}

static int metered_shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **address) {
  sqlite3_file *real = meter_real(file);
  int code = real->pMethods->xShmMap(real, region, size, extends, address);
  if (region == 0) meter_of(file)->index = code == SQLITE_OK ? *address : NULL;
  meter_check();
  METER_ADD(meter_database(meter_of(file)->database)->shared_maps, 1);
  return code;
}

static int metered_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  sqlite3_file *real = meter_real(file);
  meter_check();
  uint64_t own = meter_begin_own();
  meter_note_unlock(meter_of(file), offset, count, flags);
  meter_end_own(own);
  int code = real->pMethods->xShmLock(real, offset, count, flags);
  own = meter_begin_own();
  METER_ADD(meter_database(meter_of(file)->database)->shared_locks, 1);
  meter_note_lock(meter_of(file), offset, count, flags, code);
  meter_end_own(own);
  return code;
}

static void metered_shm_barrier(sqlite3_file *file) {
  sqlite3_file *real = meter_real(file);
  real->pMethods->xShmBarrier(real);
  meter_check();
  METER_ADD(meter_database(meter_of(file)->database)->shared_barriers, 1);
}

static int metered_shm_unmap(sqlite3_file *file, int deletes) {
  sqlite3_file *real = meter_real(file);
  meter_of(file)->index = NULL;
  return real->pMethods->xShmUnmap(real, deletes);
}

static int metered_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **address) {
  sqlite3_file *real = meter_real(file);
  return real->pMethods->xFetch(real, offset, count, address);
}

static int metered_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *address) {
  sqlite3_file *real = meter_real(file);
  return real->pMethods->xUnfetch(real, offset, address);
}

/* Replaces only the methods that exist: SQLite decides by the version and by missing methods what a file can do. */
static void install_methods(struct meter_file *file, const sqlite3_io_methods *real) {
  sqlite3_io_methods *methods = &file->methods;
  memset(methods, 0, sizeof *methods);
  methods->iVersion = real->iVersion < 3 ? real->iVersion : 3;
  methods->xClose = metered_close;
  methods->xRead = metered_read;
  methods->xWrite = metered_write;
  methods->xTruncate = metered_truncate;
  methods->xSync = metered_sync;
  methods->xFileSize = metered_file_size;
  methods->xLock = metered_lock;
  methods->xUnlock = metered_unlock;
  methods->xCheckReservedLock = metered_check_reserved_lock;
  methods->xFileControl = metered_file_control;
  if (real->xSectorSize != NULL) methods->xSectorSize = metered_sector_size;
  if (real->xDeviceCharacteristics != NULL) methods->xDeviceCharacteristics = metered_device_characteristics;
  if (real->iVersion >= 2 && real->xShmMap != NULL) {
    methods->xShmMap = metered_shm_map;
    methods->xShmLock = metered_shm_lock;
    methods->xShmBarrier = metered_shm_barrier;
    methods->xShmUnmap = metered_shm_unmap;
  }
  if (real->iVersion >= 3 && real->xFetch != NULL) {
    methods->xFetch = metered_fetch;
    methods->xUnfetch = metered_unfetch;
  }
}

/* A process that links the meter may have it preloaded too. The files of both look alike, except for their functions. */
bool meter_is_installed(const sqlite3_file *file) {
  if (file->pMethods == NULL || file->pMethods->xClose != metered_close) return false;
  return (const void *)file->pMethods == (const void *)&((const struct meter_file *)(const void *)file)->methods;
}

static enum meter_kind kind_of(int flags) {
  if (flags & SQLITE_OPEN_MAIN_DB) return METER_DATABASE;
  if (flags & SQLITE_OPEN_WAL) return METER_WAL;
  if (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL)) return METER_JOURNAL;
  return METER_TEMPORARY;
}

/* The path of the database that a file belongs to; null if it belongs to none. */
static const char *database_of(const struct store_meter_library *library, const char *name, int flags) {
  if (name == NULL) return NULL;
  if (flags & SQLITE_OPEN_MAIN_DB) return name;
  bool belongs = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
  return belongs && library->filename_database != NULL ? library->filename_database(name) : NULL;
}

int meter_open_file(
    const struct store_meter_library *library, sqlite3_vfs *real, const char *name, sqlite3_file *file, int flags, int *answer) {
  file->pMethods = NULL;
  sqlite3_file *beneath = meter_real(file);
  beneath->pMethods = NULL;
  int code = real->xOpen(real, name, beneath, flags, answer);
  /* A file that has methods must be closed even when opening it failed. */
  if (beneath->pMethods == NULL) return code;
  meter_check();
  struct meter_file *metered = meter_of(file);
  memset(metered, 0, sizeof *metered);
  metered->kind = kind_of(flags);
  metered->database = meter_database_number(database_of(library, name, flags));
  metered->place = UINT32_MAX;
  install_methods(metered, beneath->pMethods);
  file->pMethods = &metered->methods;
  METER_ADD(meter_counters(metered)->opens, 1);
  meter_thread();
  if (metered->kind == METER_DATABASE) {
    meter_note_opening(metered->database);
    meter_remember_file(metered);
  } else if (metered->kind == METER_TEMPORARY) {
    meter_note_spill(0, true);
  } else if (metered->kind == METER_WAL) {
    sqlite3_file *database = library->database_file_object != NULL ? library->database_file_object(name) : NULL;
    if (database != NULL && meter_is_installed(database)) {
      metered->partner = meter_of(database);
      metered->partner->partner = metered;
    }
    /* A log left from an earlier use already has a size. */
    sqlite3_int64 size = 0;
    if (beneath->pMethods->xFileSize(beneath, &size) == SQLITE_OK) meter_note_wal_size(metered->database, size);
  }
  return code;
}
