/* What the parts of the meter share, and nobody else sees. */
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

/* Counters are words that many threads add to and that others read: single, relaxed operations. */
#define METER_ADD(counter, amount) (void)__atomic_fetch_add(&(counter), (uint64_t)(amount), __ATOMIC_RELAXED)
#define METER_READ(counter) __atomic_load_n(&(counter), __ATOMIC_RELAXED)
#define METER_SET(counter, value) __atomic_store_n(&(counter), (uint64_t)(value), __ATOMIC_RELAXED)

static inline void meter_raise(uint64_t *counter, uint64_t value) {
  uint64_t seen = __atomic_load_n(counter, __ATOMIC_RELAXED);
  while (seen < value && !__atomic_compare_exchange_n(counter, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

/* The mapping. There is always one: where no file can be made, of memory that nobody reads. */

/* The most databases that there is room for, in memory of the process. */
enum { METER_MOST_DATABASES = 32768 };

extern char *_Atomic meter_base;
/* Set in a child that was forked: the mapping is its parent's still. */
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

/* The number of a database by its path; 0 for an empty path, and where there is no room. */
uint32_t meter_database_number(const char *path);
/* The same of one that is known; 0 where it is not. */
uint32_t meter_known_database(const char *path);
/* The number of a statement by its normalized text; 0 where there is no room. */
uint32_t meter_statement_number(uint64_t hash, const char *text, size_t stored, size_t length);

uint64_t meter_now(void);
uint64_t meter_hash(const char *text, size_t length);

/* Private memory of the process, given once and never back; zeros. */
void *meter_memory(size_t size);

/* The text without its literals; answers its whole length and hash, of which `room` bytes at most are stored. */
struct meter_text {
  uint64_t hash;
  size_t length;
  size_t stored;
};
/* Whether texts are kept as they are. */
bool meter_keeps_values(void);
struct meter_text meter_normalize(const char *sql, char *buffer, size_t room);
/* What a PRAGMA sets, of those whose values say nothing of the data; false for others. */
bool meter_pragma(const char *sql, char *buffer, size_t room);
void meter_note_pragma(uint32_t database, const char *setting);

/* Files. */

enum meter_kind { METER_DATABASE, METER_WAL, METER_JOURNAL, METER_TEMPORARY };

/* What a write-ahead log's writes say: see wal.c. */
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
  /* Of a database file; the first is where SQLite keeps its connection. */
  sqlite3 *const *connection;
  int64_t checkpointed;
  uint64_t checkpoint_began, lock_began, read_began, last_commit;
  bool is_checkpointing, checkpoint_is_locked, met_reader, met_writer, holds_write, holds_read, has_committed;
  bool is_refused_restart;
  enum store_meter_mode checkpoint_mode;
  /* The kind of the running or last transaction that writes, whether it has not committed, and whether it holds the lock. */
  enum store_meter_kind kind_of_write;
  bool is_in_transaction, locks_for_transaction;
  int level;
  int64_t rows_at_lock;
  uint32_t read_statement;
  const volatile uint8_t *index;
  uint8_t snapshot[48];
  struct meter_file *partner;
  /* The open database files of the process, for what holds a checkpoint back. */
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
/* The number of the database that a journal or a log of this name belongs to; 0 where it is neither. */
uint32_t meter_owner_number(const char *name);
void meter_note_wal_write(struct meter_file *file, const uint8_t *bytes, int64_t count, int64_t offset);
/* Where the log of a database file or of a log stands; null where none is open of a database for which there is no room. */
struct meter_log *meter_log_of(struct meter_file *file);
void meter_note_wal_size(uint32_t database, int64_t size);
void meter_note_truncation(struct meter_file *wal, int64_t size);
void meter_note_lock(struct meter_file *file, int offset, int count, int flags, int code);
void meter_note_unlock(struct meter_file *file, int offset, int count, int flags);
void meter_note_level(struct meter_file *file, int level, int code, bool releases);
void meter_note_control(struct meter_file *file, int operation, void *argument);
/* A database file was opened: a connection to it passes through the meter. */
void meter_note_opening(uint32_t database);

/* Notes the size of the log at a time: see growth.c. */
void meter_note_growth(uint32_t database, uint64_t now);

/* Connections. */

/* What the running thread does. */
struct meter_thread {
  bool is_counted;
  /* The system's number of it. */
  uint32_t number;
  /* The connection whose statement it last began to run; it may be another's by now: see `meter_running`. */
  struct meter_traced *traced;
  uint64_t sleeps;
  /* SQLite's allocations of this thread when it was last looked at: see heap.c. */
  uint64_t allocations, allocated_bytes;
  uint32_t calls;
};
struct meter_thread *meter_thread(void);

/* The meter's own time, of one call in so many: a prime number, so that it is not always the same call of a round. */
enum { METER_OWN_EACH = 61, METER_OWN_FIRST = 30 };

void meter_note_own_time(uint64_t began);

/* Begins a call of the meter; answers when, where it is one that is timed. */
static inline uint64_t meter_begin_own(void) {
  return METER_UNEXPECTED(++meter_thread()->calls % METER_OWN_EACH == METER_OWN_FIRST) ? meter_now() : 0;
}

static inline void meter_end_own(uint64_t began) {
  if (METER_UNEXPECTED(began != 0)) meter_note_own_time(began);
}

/* The counters of a statement that SQLite keeps, in the order of `seen`. */
enum { METER_STEPS, METER_SCANS, METER_SORTS, METER_INDEXES, METER_REPREPARES, METER_STATUSES };

enum meter_use { METER_WRITES, METER_QUERIES, METER_OTHER };

/* A prepared statement of a connection that has run. */
struct meter_prepared {
  sqlite3_stmt *statement;
  uint32_t number;
  uint32_t seen[METER_STATUSES];
  enum meter_use use;
  /* Of BEGIN IMMEDIATE and BEGIN EXCLUSIVE; of others what a write in them is outside a transaction. */
  enum store_meter_kind kind;
  /* When its run began; 0 when none that is timed is running. */
  uint64_t began, sleeps;
  uint32_t rows, refusals, snapshots;
  /* The refusals for which SQLite calls no busy handler, since an earlier statement of the transaction has read. */
  uint32_t upgrades;
  /* Whether it has triggers or actions of foreign keys, whose beginnings look like its own. */
  bool has_programs, is_unreported;
  /* Whether the program sets SQLite's counters of it back. */
  bool is_set_back;
  /* Whether it attaches or detaches a database. */
  bool attaches;
};

enum { METER_WAYS = 4, METER_SETS = 64, METER_INNER = 16 };

/* A query that may run once for each row of another. */
struct meter_inner {
  uint32_t number;
  uint64_t runs, first;
};

/* A query that gave rows, and those that ran meanwhile or after it, without a gap between them. */
struct meter_outer {
  uint32_t number;
  uint64_t rows, began;
  struct meter_inner inner[METER_INNER];
};

/* A connection. */
struct meter_traced {
  /* Which it is, and the statement that it runs, as other threads may ask that last ran one of it. */
  _Atomic(sqlite3 *) connection;
  _Atomic uint32_t running;
  const struct store_meter_library *library;
  /* Where it lies among those of the process, and its record. */
  uint32_t number, record, database;
  bool is_used, profiles, has_authorizer, asks_plan;
  /* Whether its file does not come here, and whether it is left out. */
  bool is_elsewhere, is_disregarded;
  uint32_t events, same;
  /* When it was opened, and when the tracer last heard that it is closed; 0 before. */
  uint64_t runs, unfinalized, opened, closed;
  struct meter_prepared *last, *writer;
  uint32_t changes;
  /* How many databases it has, main and temp among them, once it attached one. */
  int databases;
  uint32_t cache[4];
  struct meter_outer outer;
  /* The program's own tracer. */
  unsigned mask;
  int (*callback)(unsigned, void *, void *, void *);
  void *context;
  struct meter_prepared prepared[METER_SETS * METER_WAYS];
};

/* The connection of a database file, where the thread runs a statement of it; null where it runs none, or none that is known. */
struct meter_traced *meter_running(const struct meter_file *file);
/* Ends the run of a statement whose end SQLite does not report: one that gives up its lock now. */
void meter_end_untimed(struct meter_traced *traced);
int meter_trace(unsigned event, void *context, void *subject, void *detail);
/* Has SQLite call for what is wanted now, and for what the program wants. */
void meter_set_tracer(struct meter_traced *traced);
void meter_count_caches(struct meter_traced *traced);
/* Looks at what a connection has attached, after it attached or detached a database. */
void meter_note_attached(struct meter_traced *traced);
void meter_note_close(struct meter_traced *traced, uint64_t left);

/* What the program allocates, where that is metered: see heap.c. */
bool meter_has_heap(void);
void meter_open_heap(const struct store_meter_library *library);
/* Looks at what was allocated since the last look; it is that of a statement's run, or of none (0). */
void meter_note_heap(const struct store_meter_library *library, uint32_t statement);

/* Asks SQLite for the plan of a statement, once for each text, if the program cannot notice that: see plans.c. */
void meter_ask_plan(struct meter_traced *traced, uint32_t number, bool writes, const char *sql);

/* Queries that run for rows of others: see rows.c. */
void meter_note_run(struct meter_traced *traced, const struct meter_prepared *prepared);
void meter_note_row(struct meter_traced *traced, const struct meter_prepared *prepared);
void meter_end_outer(struct meter_traced *traced);

/* Bytes that the running statement wrote to a temporary file, or that it opened one. */
void meter_note_spill(uint64_t bytes, bool opens);
void meter_connections_in_child(void);

/* A row of a table changed: see changes.c. */
void meter_note_changed_row(void *database, int operation, const char *schema, const char *table, long long row);

#pragma GCC visibility pop

#endif
