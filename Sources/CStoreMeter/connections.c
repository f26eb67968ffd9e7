/* Connections as they open and close, and the tracer that each gets. */
/* The functions of SQLite are called through `store_meter_library`, and not through the table that extensions get. */
#define SQLITE_CORE 1

#include <pthread.h>
#include <sqlite3ext.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "meter.h"

enum { MOST_LIBRARIES = 4 };
static const struct store_meter_library *_Atomic libraries[MOST_LIBRARIES];

/* The records of connections, each made when first needed and used again. */
static struct meter_traced *pool[STORE_METER_CONNECTIONS];
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;

static __thread struct meter_thread thread __attribute__((tls_model("initial-exec")));

struct meter_thread *meter_thread(void) {
  if (METER_UNEXPECTED(!thread.is_counted)) {
    thread.is_counted = true;
    thread.number = (uint32_t)syscall(SYS_gettid);
    if (atomic_load(&meter_base) != NULL) METER_ADD(meter_header()->threads, 1);
  }
  return &thread;
}

void meter_connections_in_child(void) {
  pthread_mutex_init(&changing, NULL);
  thread.is_counted = false;
}

void meter_set_tracer(struct meter_traced *traced) {
  unsigned events = SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_CLOSE | (traced->profiles ? SQLITE_TRACE_PROFILE : 0);
  traced->library->trace_v2(traced->connection, events | traced->mask, meter_trace, traced);
}

/* A record for a connection; null where there are too many. */
static struct meter_traced *take(void) {
  struct meter_traced *traced = NULL;
  pthread_mutex_lock(&changing);
  for (uint32_t number = 0; number < STORE_METER_CONNECTIONS && traced == NULL; number++) {
    if (pool[number] == NULL) pool[number] = meter_memory(sizeof **pool);
    if (pool[number] == NULL) break;
    if (pool[number]->is_used) continue;
    traced = pool[number];
    memset(traced, 0, sizeof *traced);
    traced->is_used = true;
    traced->number = number;
  }
  pthread_mutex_unlock(&changing);
  return traced;
}

/* The record for the connections of a thread to a database; the first one where there is no room. */
static uint32_t record_number(uint32_t database, uint32_t thread) {
  struct store_meter_header *header = meter_header();
  pthread_mutex_lock(&changing);
  uint32_t count = (uint32_t)header->connections, number = 1;
  for (; number < count; number++) {
    const struct store_meter_connection *record = meter_connection(number);
    if (record->database == database && record->thread == thread) break;
  }
  if (number == STORE_METER_CONNECTIONS) {
    number = 0;
  } else if (number == count) {
    struct store_meter_connection *record = meter_connection(number);
    METER_SET(record->database, database);
    METER_SET(record->thread, thread);
    __atomic_store_n(&record->state, 2, __ATOMIC_RELEASE);
    __atomic_store_n(&header->connections, number + 1, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&changing);
  return number;
}

static struct meter_traced *find(const sqlite3 *connection) {
  struct meter_traced *traced = NULL;
  pthread_mutex_lock(&changing);
  for (uint32_t number = 0; number < STORE_METER_CONNECTIONS && pool[number] != NULL && traced == NULL; number++) {
    if (pool[number]->is_used && pool[number]->connection == connection) traced = pool[number];
  }
  pthread_mutex_unlock(&changing);
  return traced;
}

/* Notes a connection that does not come here. */
static void note_elsewhere(const struct store_meter_library *library, sqlite3 *connection) {
  struct store_meter_header *header = meter_header();
  METER_ADD(header->opened_elsewhere, 1);
  sqlite3_vfs *vfs = NULL;
  if (library->file_control(connection, "main", SQLITE_FCNTL_VFS_POINTER, &vfs) != SQLITE_OK || vfs == NULL || vfs->zName == NULL) return;
  char *name = meter_bytes() + STORE_METER_VFS_OFFSET;
  for (size_t index = 0; index < STORE_METER_VFS_SIZE - 1; index++) {
    name[index] = vfs->zName[index];
    if (name[index] == 0) break;
  }
}

/* Whether the file of a connection's main database passes through the meter; a VFS over ours has files of its own. */
static bool is_metered(const struct store_meter_library *library, sqlite3 *connection) {
  struct meter_thread *thread = meter_thread();
  bool has_opened = thread->has_opened;
  thread->has_opened = false;
  sqlite3_file *file = NULL;
  if (library->file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return has_opened;
  return has_opened || (file != NULL && meter_is_installed(file));
}

/* SQLite calls this for every connection that opens. */
static int connection_opens(sqlite3 *connection, char **message, const struct sqlite3_api_routines *routines);

static void open_connection(const struct store_meter_library *library, sqlite3 *connection) {
  meter_open(library);
  meter_check();
  struct store_meter_header *header = meter_header();
  METER_ADD(header->opened, 1);
  const char *path = library->db_filename(connection, "main");
  uint32_t database = 0;
  if (path == NULL || path[0] == 0) {
    METER_ADD(header->opened_in_memory, 1);
  } else if (is_metered(library, connection)) {
    database = meter_database_number(path);
    METER_ADD(meter_database(database)->connections, 1);
  } else {
    note_elsewhere(library, connection);
  }
  if (!header->traces) return;
  struct meter_traced *traced = take();
  if (traced == NULL) {
    METER_ADD(header->lost_connections, 1);
    return;
  }
  traced->library = library;
  traced->connection = connection;
  traced->database = database;
  traced->profiles = true;
  traced->opened = meter_now();
  traced->record = record_number(database, meter_thread()->number);
  struct store_meter_connection *record = meter_connection(traced->record);
  METER_ADD(record->opened, 1);
  meter_raise(&record->most_open, __atomic_add_fetch(&record->open, 1, __ATOMIC_RELAXED));
  meter_set_tracer(traced);
}

void meter_note_close(struct meter_traced *traced, uint64_t left) {
  struct store_meter_connection *record = meter_connection(traced->record);
  METER_ADD(record->unfinalized, left - traced->unfinalized);
  traced->unfinalized = left;
  struct meter_thread *thread = meter_thread();
  if (thread->traced == traced) thread->traced = NULL;
  /* With statements left it may stay open, and say so again. */
  if (left != 0) return;
  METER_ADD(record->open, -1);
  METER_ADD(record->open_ns, meter_now() - traced->opened);
  traced->connection = NULL;
  pthread_mutex_lock(&changing);
  traced->is_used = false;
  pthread_mutex_unlock(&changing);
}

void meter_count_caches(struct meter_traced *traced) {
  struct store_meter_database *database = meter_database(traced->database);
  uint64_t *counters[3] = {&database->cache_hits, &database->cache_misses, &database->cache_spills};
  static const int codes[3] = {SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS, SQLITE_DBSTATUS_CACHE_SPILL};
  for (int index = 0; index < 3; index++) {
    int value = 0, highest = 0;
    if (traced->library->db_status(traced->connection, codes[index], &value, &highest, 0) != SQLITE_OK) continue;
    uint32_t now = (uint32_t)value, before = traced->cache[index];
    traced->cache[index] = now;
    if (now > before) METER_ADD(*counters[index], now - before);
  }
}

static int connection_opens(sqlite3 *connection, char **message, const struct sqlite3_api_routines *routines) {
  (void)message;
  const struct store_meter_library *library = atomic_load(&libraries[0]);
  for (int index = 1; index < MOST_LIBRARIES; index++) {
    const struct store_meter_library *other = atomic_load(&libraries[index]);
    if (other != NULL && routines != NULL && other->vfs_find == routines->vfs_find) library = other;
  }
  if (library != NULL) open_connection(library, connection);
  return SQLITE_OK;
}

int store_meter_trace(const struct store_meter_library *library) {
  for (int index = 0; index < MOST_LIBRARIES; index++) {
    const struct store_meter_library *none = NULL;
    if (atomic_load(&libraries[index]) == library || atomic_compare_exchange_strong(&libraries[index], &none, library)) {
      return library->auto_extension((void (*)(void))connection_opens);
    }
  }
  return SQLITE_OK;
}

int store_meter_chain(
    sqlite3 *connection, unsigned mask, int (*callback)(unsigned, void *, void *, void *), void *context) {
  struct meter_traced *traced = find(connection);
  if (traced == NULL) return 1;
  /* As SQLite does: without events or without a function there is no tracer. */
  bool is_none = mask == 0 || callback == NULL;
  traced->mask = 0;
  traced->callback = callback;
  traced->context = context;
  traced->mask = is_none ? 0 : mask;
  meter_set_tracer(traced);
  return 0;
}

int store_meter_lose(sqlite3 *connection) {
  struct meter_traced *traced = find(connection);
  if (traced == NULL) return 0;
  METER_ADD(meter_header()->untraced, 1);
  pthread_mutex_lock(&changing);
  traced->connection = NULL;
  traced->is_used = false;
  pthread_mutex_unlock(&changing);
  return 1;
}

void store_meter_note_authorizer(sqlite3 *connection, int is_set) {
  struct meter_traced *traced = find(connection);
  if (traced != NULL) traced->has_authorizer = is_set;
}

int store_meter_is_traced(sqlite3 *connection) { return find(connection) != NULL; }
