/* A VFS in front of each VFS of a SQLite library, under the same name, so that programs that name their VFS are metered too. */
#include <string.h>

#include "meter.h"

/* One of our VFS. SQLite knows only its first field. */
struct metering_vfs {
  sqlite3_vfs base;
  sqlite3_vfs *real;
  const struct store_meter_library *library;
};

enum { MOST_VFS = 32 };
static struct metering_vfs all[MOST_VFS];
static int count;

static bool is_ours(const void *vfs) { return (const char *)vfs >= (const char *)all && (const char *)vfs < (const char *)(all + MOST_VFS); }

/* The VFS that a method is called for. Programs make their own VFS by copying the default one and changing some of its methods. Our
   remaining methods are then called for the copy, and find our VFS by its `pAppData`, unless the program changed that too. */
static struct metering_vfs *ours(sqlite3_vfs *vfs) {
  void *found = is_ours(vfs) ? vfs : is_ours(vfs->pAppData) ? vfs->pAppData : all;
  return found;
}
static sqlite3_vfs *beneath(sqlite3_vfs *vfs) { return ours(vfs)->real; }

static int metered_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *answer) {
  const struct store_meter_library *library = ours(vfs)->library;
  meter_open(library);
  /* The program may have removed the registered extension. */
  if (flags & SQLITE_OPEN_MAIN_DB) store_meter_trace(library);
  return meter_open_file(library, beneath(vfs), name, file, flags, answer);
}

static int metered_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  sqlite3_vfs *real = beneath(vfs);
  uint64_t began = meter_now();
  int code = real->xDelete(real, name, syncs);
  if (code == SQLITE_OK && name != NULL && atomic_load(&meter_base) != NULL) meter_note_deletion(name, syncs, meter_now() - began);
  return code;
}

static int metered_access(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
  return beneath(vfs)->xAccess(beneath(vfs), name, flags, answer);
}

static int metered_full_pathname(sqlite3_vfs *vfs, const char *name, int size, char *answer) {
  return beneath(vfs)->xFullPathname(beneath(vfs), name, size, answer);
}

static void *metered_dl_open(sqlite3_vfs *vfs, const char *name) { return beneath(vfs)->xDlOpen(beneath(vfs), name); }

static void metered_dl_error(sqlite3_vfs *vfs, int size, char *answer) { beneath(vfs)->xDlError(beneath(vfs), size, answer); }

static void (*metered_dl_sym(sqlite3_vfs *vfs, void *library, const char *symbol))(void) {
  return beneath(vfs)->xDlSym(beneath(vfs), library, symbol);
}

static void metered_dl_close(sqlite3_vfs *vfs, void *library) { beneath(vfs)->xDlClose(beneath(vfs), library); }

static int metered_randomness(sqlite3_vfs *vfs, int size, char *answer) {
  return beneath(vfs)->xRandomness(beneath(vfs), size, answer);
}

static int metered_sleep(sqlite3_vfs *vfs, int microseconds) {
  if (atomic_load(&meter_base) == NULL) return beneath(vfs)->xSleep(beneath(vfs), microseconds);
  uint64_t began = meter_now();
  int slept = beneath(vfs)->xSleep(beneath(vfs), microseconds);
  meter_check();
  METER_ADD(meter_header()->sleeps, 1);
  METER_ADD(meter_header()->sleep_ns, meter_now() - began);
  meter_thread()->sleeps++;
  return slept;
}

static int metered_current_time(sqlite3_vfs *vfs, double *days) { return beneath(vfs)->xCurrentTime(beneath(vfs), days); }

static int metered_last_error(sqlite3_vfs *vfs, int size, char *answer) {
  return beneath(vfs)->xGetLastError(beneath(vfs), size, answer);
}

static int metered_current_time_64(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
  return beneath(vfs)->xCurrentTimeInt64(beneath(vfs), milliseconds);
}

static int metered_set_call(sqlite3_vfs *vfs, const char *name, sqlite3_syscall_ptr call) {
  return beneath(vfs)->xSetSystemCall(beneath(vfs), name, call);
}

static sqlite3_syscall_ptr metered_get_call(sqlite3_vfs *vfs, const char *name) {
  return beneath(vfs)->xGetSystemCall(beneath(vfs), name);
}

static const char *metered_next_call(sqlite3_vfs *vfs, const char *name) {
  return beneath(vfs)->xNextSystemCall(beneath(vfs), name);
}

/* The unix VFS opens a directory only to sync it once: after a journal or log was made, and after a deletion that must last.
   SQLite allows its system calls to be replaced, and this is one of them. A second library in a process is left as it is. */
static int (*_Atomic open_directory)(const char *, int *);

static int metered_open_directory(const char *name, int *descriptor) {
  int (*call)(const char *, int *) = atomic_load(&open_directory);
  int code = call(name, descriptor);
  if (code != SQLITE_OK || name == NULL || atomic_load(&meter_base) == NULL) return code;
  meter_check();
  METER_ADD(meter_database(meter_owner_number(name))->directory_syncs, 1);
  return code;
}

static void count_directories(sqlite3_vfs *vfs) {
  if (vfs->iVersion < 3 || vfs->xGetSystemCall == NULL || vfs->xSetSystemCall == NULL) return;
  int (*found)(const char *, int *) = (int (*)(const char *, int *))vfs->xGetSystemCall(vfs, "openDirectory");
  int (*none)(const char *, int *) = NULL;
  if (found == NULL || !atomic_compare_exchange_strong(&open_directory, &none, found)) return;
  bool is_set = vfs->xSetSystemCall(vfs, "openDirectory", (sqlite3_syscall_ptr)metered_open_directory) == SQLITE_OK;
  atomic_store(&meter_counts_directories, is_set);
}

/* Keeps the version, and leaves missing methods missing. */
static void fill(struct metering_vfs *metering) {
  sqlite3_vfs *vfs = &metering->base;
  *vfs = *metering->real;
  vfs->pNext = NULL;
  vfs->pAppData = metering;
  vfs->iVersion = vfs->iVersion < 3 ? vfs->iVersion : 3;
  vfs->szOsFile += (int)METER_FILE_SIZE;
  vfs->xOpen = metered_open;
  if (vfs->xDelete != NULL) vfs->xDelete = metered_delete;
  if (vfs->xAccess != NULL) vfs->xAccess = metered_access;
  if (vfs->xFullPathname != NULL) vfs->xFullPathname = metered_full_pathname;
  if (vfs->xDlOpen != NULL) vfs->xDlOpen = metered_dl_open;
  if (vfs->xDlError != NULL) vfs->xDlError = metered_dl_error;
  if (vfs->xDlSym != NULL) vfs->xDlSym = metered_dl_sym;
  if (vfs->xDlClose != NULL) vfs->xDlClose = metered_dl_close;
  if (vfs->xRandomness != NULL) vfs->xRandomness = metered_randomness;
  if (vfs->xSleep != NULL) vfs->xSleep = metered_sleep;
  if (vfs->xCurrentTime != NULL) vfs->xCurrentTime = metered_current_time;
  if (vfs->xGetLastError != NULL) vfs->xGetLastError = metered_last_error;
  if (vfs->iVersion >= 2 && vfs->xCurrentTimeInt64 != NULL) vfs->xCurrentTimeInt64 = metered_current_time_64;
  if (vfs->iVersion < 3) return;
  if (vfs->xSetSystemCall != NULL) vfs->xSetSystemCall = metered_set_call;
  if (vfs->xGetSystemCall != NULL) vfs->xGetSystemCall = metered_get_call;
  if (vfs->xNextSystemCall != NULL) vfs->xNextSystemCall = metered_next_call;
}

/* Our VFS in front of another one, created now or earlier; null if there are too many. */
static struct metering_vfs *in_front_of(const struct store_meter_library *library, sqlite3_vfs *real) {
  for (int index = 0; index < count; index++) {
    if (all[index].real == real && all[index].library == library) return &all[index];
  }
  if (count == MOST_VFS) return NULL;
  struct metering_vfs *metering = &all[count++];
  metering->real = real;
  metering->library = library;
  fill(metering);
  return metering;
}

/* Registers one VFS in front of the default one, under its own name. */
static int register_one(const struct store_meter_library *library) {
  sqlite3_vfs *standard = library->vfs_find(NULL);
  if (standard == NULL) return SQLITE_NOTFOUND;
  count_directories(standard);
  struct metering_vfs *metering = in_front_of(library, standard);
  if (metering == NULL) return SQLITE_FULL;
  metering->base.zName = library->vfs_name;
  meter_open(library);
  return library->vfs_register(&metering->base, 1);
}

int store_meter_register(const struct store_meter_library *library) {
  if (library->vfs_name != NULL) return register_one(library);
  sqlite3_vfs *found[MOST_VFS];
  int number = 0;
  for (sqlite3_vfs *vfs = library->vfs_find(NULL); vfs != NULL && number < MOST_VFS; vfs = vfs->pNext) {
    /* A VFS of the program that existed before a shutdown may lie on top of one of ours. */
    if (!is_ours(vfs) && vfs->zName != NULL && strncmp(vfs->zName, "unix", 4) == 0) found[number++] = vfs;
  }
  sqlite3_vfs *standard = library->vfs_find(NULL);
  if (number > 0) count_directories(found[0]);
  /* The default VFS comes first. */
  for (int index = 0; index < number; index++) {
    struct metering_vfs *metering = in_front_of(library, found[index]);
    if (metering == NULL) continue;
    library->vfs_unregister(found[index]);
    int code = library->vfs_register(&metering->base, found[index] == standard);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}
