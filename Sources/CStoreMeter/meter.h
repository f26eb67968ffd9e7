/* Declarations shared by the parts of the meter and hidden from everything else. */
#ifndef METER_H
#define METER_H

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/store_meter.h"
#include "include/store_meter_layout.h"

#pragma GCC visibility push(hidden)

#define METER_EXPECTED(condition) __builtin_expect(!!(condition), 1)
#define METER_UNEXPECTED(condition) __builtin_expect(!!(condition), 0)

/* Many threads add to the counters and others read them. Each access is a single relaxed operation. */
#define METER_ADD(counter, amount) (void)__atomic_fetch_add(&(counter), (uint64_t)(amount), __ATOMIC_RELAXED)
#define METER_READ(counter) __atomic_load_n(&(counter), __ATOMIC_RELAXED)
#define METER_SET(counter, value) __atomic_store_n(&(counter), (uint64_t)(value), __ATOMIC_RELAXED)

static inline void meter_raise(uint64_t *counter, uint64_t value) {
  uint64_t seen = __atomic_load_n(counter, __ATOMIC_RELAXED);
  while (seen < value && !__atomic_compare_exchange_n(counter, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

/* The mapping. It always exists. If no file can be created, it is memory that nobody reads. */

/* The number of databases that fit into memory of the process. */
enum { METER_MOST_DATABASES = 32768 };

extern char *_Atomic meter_base;
/* Set in a forked child, whose mapping is still its parent's. */
extern atomic_bool meter_is_stale;
/* Whether syncs of directories are counted. */
extern atomic_bool meter_counts_directories;

void meter_open(const struct store_meter_library *library);
void meter_renew(void);

static inline void meter_check(void) {
  if (METER_UNEXPECTED(atomic_load_explicit(&meter_is_stale, memory_order_acquire))) meter_renew();
}

static inline char *meter_bytes(void) { return atomic_load_explicit(&meter_base, memory_order_relaxed); }

static inline struct store_meter_header *meter_header(void) { return (struct store_meter_header *)(void *)meter_bytes(); }

static inline struct store_meter_database *meter_database(uint32_t number) {
  return (struct store_meter_database *)(void *)(meter_bytes() + STORE_METER_DATABASES_OFFSET + (size_t)number * STORE_METER_DATABASE_SIZE);
}

static inline struct store_meter_statement *meter_statement(uint32_t number) {
  return (struct store_meter_statement *)(void *)(meter_bytes() + STORE_METER_STATEMENTS_OFFSET + (size_t)number * STORE_METER_STATEMENT_SIZE);
}

static inline struct store_meter_connection *meter_connection(uint32_t number) {
  return (struct store_meter_connection *)(void *)(meter_bytes() + STORE_METER_CONNECTIONS_OFFSET + (size_t)number * STORE_METER_CONNECTION_SIZE);
}

/* The number of a database by its path; 0 for an empty path, and if there is no room. */
uint32_t meter_database_number(const char *path);
/* The number of a database that has one already; 0 for any other. */
uint32_t meter_known_database(const char *path);
/* The number of a statement by its normalized text; 0 if there is no room. */
uint32_t meter_statement_number(uint64_t hash, const char *text, size_t stored, size_t length);

uint64_t meter_now(void);
uint64_t meter_hash(const char *text, size_t length);

/* Zeroed private memory of the process. It is never freed. */
void *meter_memory(size_t size);

/* The text without its literals: its whole length and hash, and how much of it is stored, at most `room` bytes. */
struct meter_text {
  uint64_t hash;
  size_t length;
  size_t stored;
};
/* Whether texts keep their literals. */
bool meter_keeps_values(void);
struct meter_text meter_normalize(const char *sql, char *buffer, size_t room);
/* The setting of a PRAGMA whose value reveals nothing about the data; false for any other statement. */
bool meter_pragma(const char *sql, char *buffer, size_t room);
void meter_note_pragma(uint32_t database, const char *setting);

/* Files. */

enum meter_kind { METER_DATABASE, METER_WAL, METER_JOURNAL, METER_TEMPORARY };

/* What the writes to a write-ahead log mean: see wal.c. */
struct meter_wal {
  int64_t header_begin, header_end, page_end;
  bool is_commit;
};

struct meter_log {
  uint32_t sequence;
  bool has_sequence, has_base, has_committed;
  int64_t page_size, base, last_commit;
};

struct meter_file {
  sqlite3_file base;
  sqlite3_io_methods methods;
  uint32_t database;
  enum meter_kind kind;
  struct meter_wal writes;
  struct meter_log log;
  uint32_t frames;
  /* For a database file only. The first is where SQLite keeps the file's connection. */
  sqlite3 *const *connection;
  int64_t checkpointed;
  uint64_t checkpoint_began, lock_began, read_began, last_commit;
  bool is_checkpointing, checkpoint_is_locked, met_reader, met_writer, holds_write, holds_read, has_committed;
  bool is_refused_restart;
  enum store_meter_mode checkpoint_mode;
  /* The kind of the current or last write transaction, whether it is uncommitted, and whether it holds the lock. */
  enum store_meter_kind kind_of_write;
  bool is_in_transaction, locks_for_transaction;
  int level;
  int64_t rows_at_lock;
  uint32_t read_statement;
  const volatile uint8_t *index;
  uint8_t snapshot[48];
  struct meter_file *partner;
  /* Its index among the open database files of the process, which show what holds a checkpoint back. */
  uint32_t place;
};

#define METER_FILE_SIZE ((sizeof(struct meter_file) + 15) / 16 * 16)

static inline sqlite3_file *meter_real(sqlite3_file *file) { return (sqlite3_file *)((char *)file + METER_FILE_SIZE); }
static inline struct meter_file *meter_of(sqlite3_file *file) { return (struct meter_file *)(void *)file; }
static inline struct store_meter_file *meter_counters(struct meter_file *file) {
  struct store_meter_database *database = meter_database(file->database);
  return &(&database->database)[file->kind];
}

int meter_open_file(const struct store_meter_library *library, sqlite3_vfs *real, const char *name, sqlite3_file *file, int flags, int *answer);
bool meter_is_installed(const sqlite3_file *file);
void meter_remember_file(struct meter_file *file);
void meter_forget_file(struct meter_file *file);
void meter_files_in_child(void);
void meter_note_deletion(const char *name, bool syncs, uint64_t duration);
/* The number of the database that a journal or log of this name belongs to; 0 for any other file. */
uint32_t meter_owner_number(const char *name);
void meter_note_wal_write(struct meter_file *file, const uint8_t *bytes, int64_t count, int64_t offset);
/* The state of the log of a database file or log file; null if the database has no record and none of its logs is open. */
struct meter_log *meter_log_of(struct meter_file *file);
void meter_note_wal_size(uint32_t database, int64_t size);
void meter_note_truncation(struct meter_file *wal, int64_t size);
void meter_note_lock(struct meter_file *file, int offset, int count, int flags, int code);
void meter_note_unlock(struct meter_file *file, int offset, int count, int flags);
void meter_note_level(struct meter_file *file, int level, int code, bool releases);
void meter_note_control(struct meter_file *file, int operation, void *argument);
/* Records that a database file was opened, so that one connection to it passes through the meter. */
void meter_note_opening(uint32_t database);

/* Records the size of the log at a point in time: see growth.c. */
void meter_note_growth(uint32_t database, uint64_t now);

/* Connections. */

/* What the meter knows about the running thread. */
struct meter_thread {
  bool is_counted;
  /* The system's number for it. */
  uint32_t number;
  /* The connection whose statement it started last. Another thread may use that connection by now: see `meter_running`. */
  struct meter_traced *traced;
  uint64_t sleeps;
  /* SQLite's allocations in this thread at the last look: see heap.c. */
  uint64_t allocations, allocated_bytes;
  uint32_t calls;
};
struct meter_thread *meter_thread(void);

/* One call out of this many measures the meter's own time. The number is prime, so that it is not always the same call of a
   cycle. */
enum { METER_OWN_EACH = 61, METER_OWN_FIRST = 30 };

void meter_note_own_time(uint64_t began);

/* Begins a call of the meter. Returns the time for a call that is timed, otherwise 0. */
static inline uint64_t meter_begin_own(void) {
  return METER_UNEXPECTED(++meter_thread()->calls % METER_OWN_EACH == METER_OWN_FIRST) ? meter_now() : 0;
}

static inline void meter_end_own(uint64_t began) {
  if (METER_UNEXPECTED(began != 0)) meter_note_own_time(began);
}

/* The counters that SQLite keeps for a statement, in the order of `seen`. */
enum { METER_STEPS, METER_SCANS, METER_SORTS, METER_INDEXES, METER_REPREPARES, METER_STATUSES };

enum meter_use { METER_WRITES, METER_QUERIES, METER_OTHER };

/* A prepared statement that has run. */
struct meter_prepared {
  sqlite3_stmt *statement;
  uint32_t number;
  uint32_t seen[METER_STATUSES];
  enum meter_use use;
  /* For BEGIN IMMEDIATE and BEGIN EXCLUSIVE, their kind. For others, the kind of a write outside a transaction. */
  enum store_meter_kind kind;
  /* When its timed run began; 0 while there is none. */
  uint64_t began, sleeps;
  uint32_t rows, refusals, snapshots;
  /* Refusals for which SQLite calls no busy handler, because an earlier statement of the transaction has read. */
  uint32_t upgrades;
  /* Whether it fires triggers or foreign key actions. When one starts, it looks as if the statement itself started. */
  bool has_programs, is_unreported;
  /* Whether the program resets SQLite's counters for it. */
  bool is_set_back;
  /* Whether it attaches or detaches a database. */
  bool attaches;
};

enum { METER_WAYS = 4, METER_SETS = 64, METER_INNER = 16 };

/* A query that may run once for each row of another query. */
struct meter_inner {
  uint32_t number;
  uint64_t runs, first;
};

/* A query that returned rows, and the queries that ran during it or right after it. */
struct meter_outer {
  uint32_t number;
  uint64_t rows, began;
  struct meter_inner inner[METER_INNER];
};

/* A connection. */
struct meter_traced {
  /* Its connection and the statement it runs. Other threads that ran a statement of it may read both. */
  _Atomic(sqlite3 *) connection;
  _Atomic uint32_t running;
  const struct store_meter_library *library;
  /* Its position among the connections of the process, and the numbers of its record and its database. */
  uint32_t number, record, database;
  bool is_used, profiles, has_authorizer, asks_plan;
  /* Whether its file bypasses the meter, and whether it is left out of all counts. */
  bool is_elsewhere, is_disregarded;
  uint32_t events, same;
  /* Among them when it was opened, and when the tracer last saw it close; 0 before that. */
  uint64_t runs, unfinalized, opened, closed;
  struct meter_prepared *last, *writer;
  uint32_t changes;
  /* How many databases it has, including main and temp. Known once it has attached one. */
  int databases;
  uint32_t cache[4];
  struct meter_outer outer;
  /* The program's own tracer. */
  unsigned mask;
  int (*callback)(unsigned, void *, void *, void *);
  void *context;
  struct meter_prepared prepared[METER_SETS * METER_WAYS];
};

/* The connection of a database file if this thread runs a statement of it; null if it runs none, or the connection is unknown. */
struct meter_traced *meter_running(const struct meter_file *file);
/* Ends the run of a statement whose end SQLite does not report. Called when the statement releases its lock. */
void meter_end_untimed(struct meter_traced *traced);
int meter_trace(unsigned event, void *context, void *subject, void *detail);
/* Sets the events that the meter wants now, and those that the program wants. */
void meter_set_tracer(struct meter_traced *traced);
void meter_count_caches(struct meter_traced *traced);
/* Examines a connection's databases after it attached or detached one. */
void meter_note_attached(struct meter_traced *traced);
void meter_note_close(struct meter_traced *traced, uint64_t left);

/* The program's allocations, if they are metered: see heap.c. */
bool meter_has_heap(void);
void meter_open_heap(const struct store_meter_library *library);
/* Counts what was allocated since the last look for a statement, or for none (0). */
void meter_note_heap(const struct store_meter_library *library, uint32_t statement);

/* Asks SQLite for the plan of a statement, once for each text, if the program cannot notice: see plans.c. */
void meter_ask_plan(struct meter_traced *traced, uint32_t number, bool writes, const char *sql);

/* Queries that run for the rows of other queries: see rows.c. */
void meter_note_run(struct meter_traced *traced, const struct meter_prepared *prepared);
void meter_note_row(struct meter_traced *traced, const struct meter_prepared *prepared);
void meter_end_outer(struct meter_traced *traced);

/* Records that the running statement opened a temporary file, or the bytes that it wrote to one. */
void meter_note_spill(uint64_t bytes, bool opens);
void meter_connections_in_child(void);

/* Records that a row of a table changed: see changes.c. */
void meter_note_changed_row(void *database, int operation, const char *schema, const char *table, long long row);

#pragma GCC visibility pop

#endif
