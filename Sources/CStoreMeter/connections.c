/* Connections as they open and close, and the tracer of each. */
/* SQLite's functions are called through `store_meter_library`, not through the table that extensions get. */
#define SQLITE_CORE 1

#include <pthread.h>
#include <sqlite3ext.h>
#include <string.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif
#include <unistd.h>

#include "meter.h"

enum { MOST_LIBRARIES = 4 };
static const struct store_meter_library *_Atomic libraries[MOST_LIBRARIES];

/* The records of connections. Each is created on first use, and reused later. */
static struct meter_traced *pool[STORE_METER_CONNECTIONS];
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;

static __thread struct meter_thread thread __attribute__((tls_model("initial-exec")));

static uint32_t thread_number(void) {
#if defined(__linux__)
  return (uint32_t)syscall(SYS_gettid);
#else
  return (uint32_t)pthread_mach_thread_np(pthread_self());
#endif
}

struct meter_thread *meter_thread(void) {
  if (METER_UNEXPECTED(!thread.is_counted)) {
    thread.is_counted = true;
    thread.number = thread_number();
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

/* A record for a connection; null if there are too many. */
static struct meter_traced *take(void) {
  struct meter_traced *traced = NULL;
  pthread_mutex_lock(&changing);
  for (uint32_t number = 0; number < STORE_METER_CONNECTIONS && traced == NULL; number++) {
    if (pool[number] == NULL) pool[number] = meter_memory(sizeof **pool);
    if (pool[number] == NULL) break;
    if (pool[number]->is_used) continue;
    traced = pool[number];
    /* Fields that other threads may read are set separately. */
    size_t shared = offsetof(struct meter_traced, library);
    memset((char *)traced + shared, 0, sizeof *traced - shared);
    atomic_store_explicit(&traced->running, 0, memory_order_relaxed);
    traced->is_used = true;
    traced->number = number;
  }
  pthread_mutex_unlock(&changing);
  return traced;
}

/* The record for a thread's connections to a database; the first record if there is no room. */
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

/* Records a connection that bypasses the meter. */
static void note_elsewhere(const struct store_meter_library *library, sqlite3 *connection, const char *schema) {
  struct store_meter_header *header = meter_header();
  METER_ADD(header->opened_elsewhere, 1);
  sqlite3_vfs *vfs = NULL;
  if (library->file_control(connection, schema, SQLITE_FCNTL_VFS_POINTER, &vfs) != SQLITE_OK || vfs == NULL || vfs->zName == NULL) return;
  char *name = meter_bytes() + STORE_METER_VFS_OFFSET;
  for (size_t index = 0; index < STORE_METER_VFS_SIZE - 1; index++) {
    name[index] = vfs->zName[index];
    if (name[index] == 0) break;
  }
}

/* For each database, how often its file was opened through the meter without a connection that accounts for it yet. */
static _Atomic uint32_t unclaimed[METER_MOST_DATABASES];

void meter_note_opening(uint32_t database) { atomic_fetch_add(&unclaimed[database], 1); }

static bool claim_opening(uint32_t database) {
  uint32_t openings = atomic_load(&unclaimed[database]);
  while (openings > 0 && !atomic_compare_exchange_weak(&unclaimed[database], &openings, openings - 1)) {}
  return openings > 0;
}

/* Whether the file of a connection's database, which has just been opened, passes through the meter. A VFS on top of ours has its
   own files, but opens ours. */
static bool is_metered(const struct store_meter_library *library, sqlite3 *connection, const char *schema, const char *path) {
  uint32_t number = meter_known_database(path);
  /* A database without a record of its own cannot be claimed. */
  bool is_claimed = number != 0 && claim_opening(number);
  sqlite3_file *file = NULL;
  if (library->file_control(connection, schema, SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return is_claimed;
  return is_claimed || (file != NULL && meter_is_installed(file));
}

/* SQLite calls this for every connection that opens. */
static int connection_opens(sqlite3 *connection, char **message, const struct sqlite3_api_routines *routines);

/* Counts a connection as it opens. Returns the number of its database. */
static uint32_t count_opening(const struct store_meter_library *library, sqlite3 *connection, bool *is_elsewhere) {
  struct store_meter_header *header = meter_header();
  METER_ADD(header->opened, 1);
  const char *path = library->db_filename(connection, "main");
  uint32_t number = 0;
  *is_elsewhere = false;
  if (path == NULL || path[0] == 0) {
    METER_ADD(header->opened_in_memory, 1);
  } else {
    *is_elsewhere = !is_metered(library, connection, "main", path);
    if (*is_elsewhere) note_elsewhere(library, connection, "main");
    /* A report on a program leaves out databases whose files were not seen. A caller that asks for one by its path knows that. */
    if (!*is_elsewhere || library->is_private) number = meter_database_number(path);
  }
  struct store_meter_database *database = meter_database(number);
  if (number != 0 || library->is_private) METER_ADD(database->connections, 1);
  if (*is_elsewhere) METER_ADD(database->opened_elsewhere, 1);
  return number;
}

/* Releases the record of a connection that has closed or lost its tracer. */
static void forget(struct meter_traced *traced) {
  atomic_store_explicit(&traced->connection, NULL, memory_order_release);
  pthread_mutex_lock(&changing);
  traced->is_used = false;
  pthread_mutex_unlock(&changing);
}

static void end(struct meter_traced *traced) {
  struct store_meter_connection *record = meter_connection(traced->record);
  METER_ADD(record->open, -1);
  METER_ADD(record->open_ns, (traced->closed != 0 ? traced->closed : meter_now()) - traced->opened);
  METER_ADD(meter_database(traced->database)->open, -1);
  forget(traced);
}

/* SQLite calls this when a connection has closed, even if it lost its tracer. */
static void connection_is_gone(void *context) {
  struct meter_traced *traced = context;
  meter_check();
  if (traced->is_disregarded) {
    forget(traced);
    return;
  }
  if (traced->closed == 0) METER_ADD(meter_database(traced->database)->untraced, 1);
  end(traced);
}

static void answer_null(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)context;
  (void)count;
  (void)values;
}

/* In the process's own library, installs the hooks that report the connection's end and its rows. Returns false if there is
   no memory. */
static bool watch_connection(struct meter_traced *traced) {
  const struct store_meter_library *library = traced->library;
  if (library->update_hook != NULL) {
    library->update_hook(traced->connection, meter_note_changed_row, (void *)(uintptr_t)traced->database);
  }
  /* SQLite deletes this function, which nobody calls, together with the connection. */
  return library->create_function_v2 == NULL ||
         library->create_function_v2(
             traced->connection, "metered_connection", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY, traced, answer_null, NULL, NULL,
             connection_is_gone) == SQLITE_OK;
}

static void open_connection(const struct store_meter_library *library, sqlite3 *connection) {
  meter_open(library);
  meter_check();
  /* A connection that closed with statements left ends with the last of them, without a report. A new one may have its address. */
  struct meter_traced *gone = find(connection);
  if (gone != NULL) end(gone);
  struct store_meter_header *header = meter_header();
  bool is_elsewhere;
  uint32_t database = count_opening(library, connection, &is_elsewhere);
  if (!header->traces) return;
  struct meter_traced *traced = take();
  if (traced == NULL) {
    METER_ADD(header->lost_connections, 1);
    METER_ADD(meter_database(database)->untraced, 1);
    return;
  }
  traced->library = library;
  traced->database = database;
  traced->is_elsewhere = is_elsewhere;
  traced->profiles = true;
  traced->opened = meter_now();
  traced->record = record_number(database, meter_thread()->number);
  atomic_store_explicit(&traced->connection, connection, memory_order_release);
  struct store_meter_connection *record = meter_connection(traced->record);
  METER_ADD(record->opened, 1);
  METER_ADD(meter_database(database)->open, 1);
  meter_raise(&record->most_open, __atomic_add_fetch(&record->open, 1, __ATOMIC_RELAXED));
  if (watch_connection(traced)) meter_set_tracer(traced);
}

void meter_note_attached(struct meter_traced *traced) {
  const struct store_meter_library *library = traced->library;
  enum { MAIN_AND_TEMP = 2 };
  int count = MAIN_AND_TEMP, before = traced->databases < MAIN_AND_TEMP ? MAIN_AND_TEMP : traced->databases;
  const char *schema = NULL, *name;
  while (library->db_name != NULL && (name = library->db_name(traced->connection, count)) != NULL) {
    schema = name;
    count++;
  }
  traced->databases = count;
  if (count <= before) return;
  const char *path = library->db_filename(traced->connection, schema);
  if (path == NULL || path[0] == 0 || is_metered(library, traced->connection, schema, path)) return;
  note_elsewhere(library, traced->connection, schema);
  METER_ADD(meter_database(traced->database)->opened_elsewhere, 1);
}

void store_meter_disregard(sqlite3 *connection) {
  struct meter_traced *traced = find(connection);
  if (traced == NULL) return;
  const struct store_meter_library *library = traced->library;
  library->trace_v2(connection, 0, NULL, NULL);
  if (library->update_hook != NULL) library->update_hook(connection, NULL, NULL);
  traced->is_disregarded = true;
  struct store_meter_database *database = meter_database(traced->database);
  struct store_meter_connection *record = meter_connection(traced->record);
  METER_ADD(meter_header()->opened, -1);
  METER_ADD(database->connections, -1);
  METER_ADD(database->open, -1);
  METER_ADD(record->opened, -1);
  METER_ADD(record->open, -1);
  if (!traced->is_elsewhere) return;
  METER_ADD(meter_header()->opened_elsewhere, -1);
  METER_ADD(database->opened_elsewhere, -1);
}

void meter_note_close(struct meter_traced *traced, uint64_t left) {
  struct store_meter_connection *record = meter_connection(traced->record);
  METER_ADD(record->unfinalized, left - traced->unfinalized);
  traced->unfinalized = left;
  traced->closed = meter_now();
  struct meter_thread *thread = meter_thread();
  if (thread->traced == traced) thread->traced = NULL;
  /* A connection with statements left may stay open and report its end again. */
  if (left != 0 || traced->library->create_function_v2 != NULL) return;
  /* A backup may also keep it open, unseen. It then continues with the program's own tracer, because this record may be
     reused. */
  traced->library->trace_v2(traced->connection, traced->mask, traced->callback, traced->context);
  end(traced);
}

/* How much a connection's page cache counter, which has 31 bits, has grown. The meter never resets these counters, because others
   take differences too. If one falls and did not wrap around, a database was detached, and its share left the sum. */
static uint32_t growth_of(uint32_t now, uint32_t before) {
  uint32_t growth = (now - before) & 0x7fffffff;
  return growth < 0x40000000 ? growth : 0;
}

void meter_count_caches(struct meter_traced *traced) {
  struct store_meter_database *database = meter_database(traced->database);
  enum { COUNTERS = sizeof traced->cache / sizeof *traced->cache };
  uint64_t *counters[COUNTERS] = {&database->cache_hits, &database->cache_misses, &database->cache_spills, &database->cache_writes};
  static const int codes[COUNTERS] = {
      SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS, SQLITE_DBSTATUS_CACHE_SPILL, SQLITE_DBSTATUS_CACHE_WRITE};
  for (int index = 0; index < COUNTERS; index++) {
    int value = 0, highest = 0;
    if (traced->library->db_status(traced->connection, codes[index], &value, &highest, 0) != SQLITE_OK) continue;
    uint32_t now = (uint32_t)value, growth = growth_of(now, traced->cache[index]);
    traced->cache[index] = now;
    if (growth != 0) METER_ADD(*counters[index], growth);
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
  /* As in SQLite, there is no tracer without events or without a function. */
  bool is_none = mask == 0 || callback == NULL;
  traced->mask = 0;
  traced->callback = callback;
  traced->context = context;
  traced->mask = is_none ? 0 : mask;
  meter_set_tracer(traced);
  return 0;
}

int store_meter_lose(sqlite3 *connection) {
  meter_check();
  struct meter_traced *traced = find(connection);
  if (traced == NULL) return 0;
  METER_ADD(meter_header()->untraced, 1);
  METER_ADD(meter_database(traced->database)->untraced, 1);
  /* sqlite3_profile leaves the tracer in place. The connection continues with the program's own, because this record may be reused. */
  traced->library->trace_v2(connection, traced->mask, traced->callback, traced->context);
  end(traced);
  return 1;
}

void store_meter_note_authorizer(sqlite3 *connection, int is_set) {
  struct meter_traced *traced = find(connection);
  if (traced != NULL) traced->has_authorizer = is_set;
}

int store_meter_is_traced(sqlite3 *connection) { return find(connection) != NULL; }
