/* The tracer of a connection: which statements it has, how often and how long they run, and what they cost.

   SQLite calls it when a run begins, at each row, and when a run ends. If a statement runs repeatedly, only one run out of many
   is timed, because SQLite reads the clock twice to report the end of a run. */
#include <string.h>
#include <strings.h>

#include "meter.h"

/* After this many consecutive runs, not every run is timed. */
enum { METER_HOT = 64 };

static struct meter_prepared *set_of(struct meter_traced *traced, const sqlite3_stmt *statement) {
  uint64_t hash = (uint64_t)(uintptr_t)statement * 0x9e3779b97f4a7c15u;
  return &traced->prepared[(hash >> 58) * METER_WAYS];
}

static struct meter_prepared *find(struct meter_traced *traced, const sqlite3_stmt *statement) {
  if (traced->last != NULL && traced->last->statement == statement) return traced->last;
  struct meter_prepared *set = set_of(traced, statement);
  for (int way = 0; way < METER_WAYS; way++) {
    if (set[way].statement == statement) return &set[way];
  }
  return NULL;
}

static uint32_t status(const struct meter_traced *traced, const struct meter_prepared *prepared, int index) {
  static const int codes[METER_STATUSES] = {
      SQLITE_STMTSTATUS_VM_STEP, SQLITE_STMTSTATUS_FULLSCAN_STEP, SQLITE_STMTSTATUS_SORT, SQLITE_STMTSTATUS_AUTOINDEX,
      SQLITE_STMTSTATUS_REPREPARE};
  return (uint32_t)traced->library->stmt_status(prepared->statement, codes[index], 0);
}

/* Adds what SQLite has counted since the last look. The meter does not reset SQLite's counters, because the program may use them;
   it remembers their last values instead. */
static void count_statuses(struct meter_traced *traced, struct meter_prepared *prepared) {
  struct store_meter_statement *statement = meter_statement(prepared->number);
  struct store_meter_database *database = meter_database(traced->database);
  uint64_t *sums[METER_STATUSES] = {
      &database->vm_steps, &database->full_scan_steps, &database->sorts, &database->automatic_index_rows, &database->repreparations};
  uint64_t *counters[METER_STATUSES] = {
      &statement->vm_steps, &statement->full_scan_steps, &statement->sorts, &statement->automatic_index_rows,
      &statement->repreparations};
  for (int index = 0; index < METER_STATUSES; index++) {
    uint32_t now = status(traced, prepared, index), before = prepared->seen[index];
    prepared->seen[index] = now;
    /* The program may have reset it. */
    if (now < before) before = 0;
    if (now == before) continue;
    METER_ADD(*counters[index], now - before);
    METER_ADD(*sums[index], now - before);
    if (index == METER_SCANS) METER_ADD(database->full_scans, 1);
  }
}

/* The same for a statement that may still be running. If each run is examined when it ends, it is counted then. */
static void count_unfinished(struct meter_traced *traced, struct meter_prepared *prepared) {
  if (!traced->library->is_private) count_statuses(traced, prepared);
}

/* Whether a statement that is known by its address is still prepared. */
static bool is_prepared(const struct meter_traced *traced, const sqlite3_stmt *statement) {
  sqlite3_stmt *other = NULL;
  while ((other = traced->library->next_stmt(traced->connection, other)) != NULL) {
    if (other == statement) return true;
  }
  return false;
}

/* Whether another statement of the connection has not ended. */
static bool runs_another(const struct meter_traced *traced, const sqlite3_stmt *statement) {
  sqlite3_stmt *other = NULL;
  while ((other = traced->library->next_stmt(traced->connection, other)) != NULL) {
    if (other != statement && traced->library->stmt_busy(other)) return true;
  }
  return false;
}

/* Counts the rows changed since the last look for the statement that last began to write. */
static void count_changes(struct meter_traced *traced) {
  uint32_t changes = (uint32_t)traced->library->total_changes(traced->connection);
  uint32_t changed = changes - traced->changes;
  if (changed == 0) return;
  traced->changes = changes;
  METER_ADD(meter_database(traced->database)->rows_changed, changed);
  if (traced->writer != NULL) METER_ADD(meter_statement(traced->writer->number)->rows_changed, changed);
}

static bool begins_with(const char *text, const char *word) {
  size_t length = strlen(word);
  return strncasecmp(text, word, length) == 0;
}

/* Texts seen in the process, most of which are prepared repeatedly. Threads read and write each as one whole word: the
   number in its lowest bits, and the text's hash above it. */
enum { TEXTS = 4096, NUMBERS = STORE_METER_STATEMENTS - 1 };
_Static_assert((STORE_METER_STATEMENTS & NUMBERS) == 0, "a number fits into bits of its own");
static _Atomic uint64_t texts[TEXTS];

static uint32_t number_of_text(const char *sql) {
  size_t length = strlen(sql);
  uint64_t hash = meter_hash(sql, length);
  _Atomic uint64_t *place = &texts[hash % TEXTS];
  uint64_t known = atomic_load_explicit(place, memory_order_acquire), above = hash & ~(uint64_t)NUMBERS;
  if (known != 0 && (known & ~(uint64_t)NUMBERS) == above) return known & NUMBERS;
  char text[STORE_METER_TEXT_SIZE];
  struct meter_text normalized = meter_normalize(sql, text, sizeof text);
  uint32_t number = meter_statement_number(normalized.hash, text, normalized.stored, normalized.length);
  atomic_store_explicit(place, above | number, memory_order_release);
  return number;
}

static enum meter_use use_of(const struct meter_traced *traced, sqlite3_stmt *statement, const char *text) {
  if (!traced->library->stmt_readonly(statement)) return METER_WRITES;
  return begins_with(text, "SELECT") || begins_with(text, "WITH") || begins_with(text, "VALUES") ? METER_QUERIES : METER_OTHER;
}

/* Whether a statement has a plan. Preparing some that have none, such as PRAGMA, has effects. */
static bool has_plan(const char *text) {
  static const char *const words[] = {"SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "REPLACE", "VALUES"};
  for (size_t index = 0; index < sizeof words / sizeof *words; index++) {
    if (begins_with(text, words[index])) return true;
  }
  return false;
}

/* How a transaction gets the lock if it begins to write in this statement, outside an open transaction. */
static enum store_meter_kind kind_of(const char *text) {
  static const char begin[] = "BEGIN";
  if (!begins_with(text, begin)) return STORE_METER_AUTOCOMMIT;
  text += sizeof begin - 1;
  text += strspn(text, " \t\r\n");
  if (begins_with(text, "IMMEDIATE")) return STORE_METER_IMMEDIATE;
  return begins_with(text, "EXCLUSIVE") ? STORE_METER_EXCLUSIVE : STORE_METER_AUTOCOMMIT;
}

/* Chooses the record that another statement takes over. A statement that is finalized or does not run is preferred, because its
   cost is known by then. */
static struct meter_prepared *give_up(struct meter_traced *traced, struct meter_prepared *set) {
  const struct store_meter_library *library = traced->library;
  bool is_there[METER_WAYS] = {false};
  sqlite3_stmt *statement = NULL;
  while ((statement = library->next_stmt(traced->connection, statement)) != NULL) {
    for (int way = 0; way < METER_WAYS; way++) is_there[way] |= set[way].statement == statement;
  }
  unsigned first = (unsigned)(traced->runs % METER_WAYS), chosen = first;
  for (unsigned turn = 0; turn < METER_WAYS; turn++) {
    unsigned way = (first + turn) % METER_WAYS;
    if (&set[way] == traced->last || (is_there[way] && library->stmt_busy(set[way].statement))) continue;
    chosen = way;
    break;
  }
  if (is_there[chosen]) count_statuses(traced, &set[chosen]);
  return &set[chosen];
}

/* A record for a statement that has none. */
static struct meter_prepared *add(struct meter_traced *traced, sqlite3_stmt *statement, bool is_new) {
  struct meter_prepared *set = set_of(traced, statement), *place = NULL;
  for (int way = 0; way < METER_WAYS; way++) {
    if (set[way].statement == NULL || set[way].statement == statement) {
      place = &set[way];
      break;
    }
  }
  if (place == NULL) place = give_up(traced, set);
  if (traced->writer == place) traced->writer = NULL;
  memset(place, 0, sizeof *place);
  place->statement = statement;
  const char *sql = traced->library->sql(statement);
  place->number = sql == NULL ? 0 : number_of_text(sql);
  struct store_meter_statement *record = meter_statement(place->number);
  const char *text = (const char *)record + STORE_METER_TEXT_OFFSET;
  if (place->number == 0 && sql != NULL) text = sql;
  place->use = use_of(traced, statement, text);
  place->kind = kind_of(text);
  place->attaches = begins_with(text, "ATTACH") || begins_with(text, "DETACH");
  if (is_new) {
    METER_ADD(record->preparations, 1);
    if (place->number != 0) {
      METER_SET(record->database, traced->database);
      METER_SET(record->is_reading, place->use);
      if (sql != NULL && has_plan(text)) meter_ask_plan(traced, place->number, place->use == METER_WRITES, sql);
    }
    char setting[STORE_METER_PRAGMAS_SIZE];
    if (place->use != METER_QUERIES && sql != NULL && meter_pragma(sql, setting, sizeof setting)) {
      meter_note_pragma(traced->database, setting);
    }
  } else {
    for (int index = 0; index < METER_STATUSES; index++) place->seen[index] = status(traced, place, index);
  }
  return place;
}

/* Records that the program resets SQLite's counters for a statement, as Tcl does after each run. The next run then starts
   at their current values, and each run is examined. */
static void note_set_back(struct meter_traced *traced, struct meter_prepared *prepared) {
  if (METER_EXPECTED(status(traced, prepared, METER_STEPS) >= prepared->seen[METER_STEPS])) return;
  prepared->is_set_back = true;
  for (int index = 0; index < METER_STATUSES; index++) prepared->seen[index] = status(traced, prepared, index);
}

static bool is_of_trigger(const char *text) {
  if (text == NULL || text[0] != '-') return false;
  while (strncmp(text, "-- ", 3) == 0) text += 3;
  return strncmp(text, "TRIGGER ", 8) == 0;
}

/* Changes to another statement. Reads the cost of the last one while it certainly exists. */
static bool change_statement(struct meter_traced *traced) {
  traced->same = 0;
  bool is_counted = traced->last == NULL || (traced->profiles && !traced->last->is_unreported);
  if (!is_counted && is_prepared(traced, traced->last->statement)) count_statuses(traced, traced->last);
  if (traced->profiles) return true;
  traced->profiles = true;
  meter_set_tracer(traced);
  return false;
}

static void begin_run(struct meter_traced *traced, sqlite3_stmt *statement, const char *text) {
  struct meter_prepared *prepared = find(traced, statement);
  bool is_new = traced->library->stmt_status(statement, SQLITE_STMTSTATUS_RUN, 0) == 0;
  if (prepared != NULL && !is_new && prepared->began != 0 && !prepared->is_unreported) {
    /* A trigger or a foreign key action. */
    prepared->has_programs = true;
    return;
  }
  if (is_of_trigger(text)) return;
  bool is_reported = true;
  if (prepared == NULL || is_new) {
    count_changes(traced);
    is_reported = change_statement(traced);
    prepared = add(traced, statement, is_new);
  } else if (prepared != traced->last) {
    is_reported = change_statement(traced);
  }
  if (traced->profiles) note_set_back(traced, prepared);
  meter_note_heap(traced->library, 0);
  prepared->is_unreported = !is_reported;
  traced->last = prepared;
  atomic_store_explicit(&traced->running, prepared->number, memory_order_relaxed);
  meter_thread()->traced = traced;
  count_changes(traced);
  char *record = (char *)meter_statement(prepared->number);
  METER_ADD(*(uint64_t *)(void *)(record + STORE_METER_CALLS_OFFSET + (size_t)(traced->number % STORE_METER_CALLS) * STORE_METER_CALLS_STRIDE), 1);
  traced->runs++;
  METER_ADD(meter_connection(traced->record)->statements, 1);
  if (prepared->use == METER_WRITES) {
    traced->writer = prepared;
    if (traced->library->get_autocommit(traced->connection)) METER_ADD(((struct store_meter_statement *)(void *)record)->autocommits, 1);
  } else if (prepared->use == METER_QUERIES) {
    meter_note_run(traced, prepared);
  }
  traced->same++;
  prepared->rows = 0;
  if (traced->profiles) {
    prepared->began = meter_now();
    prepared->sleeps = meter_thread()->sleeps;
  } else if (traced->same % STORE_METER_TIMED_EACH == STORE_METER_TIMED_EACH - 1) {
    /* The next run is timed. */
    traced->profiles = true;
    meter_set_tracer(traced);
  }
}

/* The index of a duration among the 160 counters. */
static int place_of_time(uint64_t duration) {
  if (duration < 8) return 0;
  int doubling = 63 - __builtin_clzll(duration);
  int place = (doubling - 3) * 4 + (int)(duration >> (doubling - 2) & 3) + 1;
  return place < STORE_METER_TIMES ? place : STORE_METER_TIMES - 1;
}

static void note_time(struct store_meter_statement *record, uint64_t duration) {
  METER_ADD(record->timed_runs, 1);
  METER_ADD(record->timed_ns, duration);
  if (duration > METER_READ(record->longest_ns)) meter_raise(&record->longest_ns, duration);
  uint32_t *times = (uint32_t *)(void *)((char *)record + STORE_METER_TIMES_OFFSET);
  (void)__atomic_fetch_add(&times[place_of_time(duration)], 1, __ATOMIC_RELAXED);
}

static void end_run(struct meter_traced *traced, sqlite3_stmt *statement) {
  uint64_t now = meter_now();
  bool is_exact = METER_READ(meter_header()->is_exact);
  struct meter_prepared *prepared = find(traced, statement);
  /* Other statements have taken over its record. */
  if (prepared == NULL && is_exact) prepared = add(traced, statement, false);
  if (prepared == NULL || (prepared->began == 0 && !is_exact)) return;
  struct store_meter_statement *record = meter_statement(prepared->number);
  if (prepared->began != 0) note_time(record, now - prepared->began);
  prepared->began = 0;
  METER_ADD(meter_database(traced->database)->statements, 1);
  if (METER_UNEXPECTED(prepared->attaches)) meter_note_attached(traced);
  meter_note_heap(traced->library, prepared->number);
  count_statuses(traced, prepared);
  count_changes(traced);
  if (prepared->rows != 0) METER_ADD(record->rows_returned, prepared->rows);
  prepared->rows = 0;
  if (prepared->refusals != 0) {
    METER_ADD(record->refusals, prepared->refusals);
    if (meter_thread()->sleeps == prepared->sleeps) {
      METER_ADD(meter_database(traced->database)->refusals_at_once, prepared->refusals);
      METER_ADD(meter_database(traced->database)->refused_upgrades, prepared->upgrades);
    }
    prepared->refusals = prepared->upgrades = 0;
  }
  if (prepared->snapshots != 0) METER_ADD(record->stale_snapshots, prepared->snapshots);
  prepared->snapshots = 0;
  METER_ADD(meter_header()->events, 1);
  if (is_exact || ++traced->events % 256 == 0) meter_count_caches(traced);
  /* If only counts matter, each run is examined. */
  if (is_exact || meter_has_heap()) return;
  bool is_hot = traced->same >= METER_HOT && traced->last == prepared && prepared->use == METER_WRITES;
  bool is_regular = is_hot && !prepared->has_programs && !prepared->is_set_back;
  /* The end of another statement that is being read would not be reported. */
  if (traced->profiles && is_regular && !runs_another(traced, statement)) {
    traced->profiles = false;
    meter_set_tracer(traced);
  }
}

void meter_end_untimed(struct meter_traced *traced) {
  if (traced == NULL || traced->last == NULL || !traced->last->is_unreported) return;
  traced->last->is_unreported = false;
  traced->last->rows = 0;
  /* The lock may be that of a checkpoint that no statement asked for, and the last statement may be finalized. */
  if (is_prepared(traced, traced->last->statement)) end_run(traced, traced->last->statement);
}

void meter_note_spill(uint64_t bytes, bool opens) {
  struct meter_traced *traced = meter_thread()->traced;
  if (traced == NULL) return;
  struct store_meter_statement *record = meter_statement(atomic_load_explicit(&traced->running, memory_order_relaxed));
  if (opens) METER_ADD(record->temporary_files, 1);
  if (bytes != 0) METER_ADD(record->temporary_bytes, bytes);
}

/* Whether the statement belongs to a virtual table of SQLite, or to a blob that one opened. The virtual table finalizes it when its
   connection closes, after the tracer was called for that. Full-text tables put the database's name in single quotes
   ('main'.data_version), and so do most statements of R-trees. */
static bool is_of_module(const char *sql) {
  static const char *const ends[] = {"_rowid", "_node", "_parent"};
  if (sql == NULL || strstr(sql, "'.") != NULL) return true;
  const char *name = strstr(sql, "\".\"");
  if (name == NULL) return false;
  name += strlen("\".\"");
  size_t length = strcspn(name, "\"");
  for (size_t index = 0; index < sizeof ends / sizeof *ends; index++) {
    size_t size = strlen(ends[index]);
    if (length > size && strncmp(name + length - size, ends[index], size) == 0) return true;
  }
  return false;
}

/* A connection is about to close, or would be if all its statements were finalized. */
static void end_connection(struct meter_traced *traced) {
  count_changes(traced);
  sqlite3_stmt *statement = NULL;
  uint64_t left = 0;
  while ((statement = traced->library->next_stmt(traced->connection, statement)) != NULL) {
    struct meter_prepared *prepared = find(traced, statement);
    if (!is_of_module(traced->library->sql(statement))) left++;
    if (prepared != NULL) count_unfinished(traced, prepared);
  }
  /* The program may finalize them after a first attempt and close again. Only those left at the last attempt count. */
  METER_ADD(meter_database(traced->database)->unfinalized, left - traced->unfinalized);
  meter_count_caches(traced);
  meter_end_outer(traced);
  meter_note_close(traced, left);
}

int meter_trace(unsigned event, void *context, void *subject, void *detail) {
  struct meter_traced *traced = context;
  if (METER_UNEXPECTED(traced->asks_plan)) return 0;
  meter_check();
  uint64_t own = meter_begin_own();
  /* Once the connection is closed, its record may be reused. */
  int (*callback)(unsigned, void *, void *, void *) = traced->mask & event ? traced->callback : NULL;
  void *of_program = traced->context;
  switch (event) {
  case SQLITE_TRACE_STMT: begin_run(traced, subject, detail); break;
  case SQLITE_TRACE_PROFILE: end_run(traced, subject); break;
  case SQLITE_TRACE_ROW: {
    struct meter_prepared *prepared = find(traced, subject);
    if (prepared == NULL) break;
    prepared->rows++;
    /* Rows are counted at the end of a run, which is not reported for this one. */
    if (prepared->is_unreported || prepared->began == 0) METER_ADD(meter_statement(prepared->number)->rows_returned, 1);
    meter_note_heap(traced->library, prepared->number);
    if (prepared->use == METER_QUERIES) meter_note_row(traced, prepared);
    break;
  }
  case SQLITE_TRACE_CLOSE: end_connection(traced); break;
  default: break;
  }
  meter_end_own(own);
  return callback != NULL ? callback(event, of_program, subject, detail) : 0;
}
