/* What locks, and the index of a write-ahead log, reveal about transactions, readers and checkpoints.
   See https://www.sqlite.org/walformat.html. */
#include <string.h>

#include "meter.h"

/* The locks of a log's index, and the offsets of its fields. */
enum { WRITE_LOCK = 0, CHECKPOINT_LOCK = 1, READ_LOCKS = 3, LAST_READ_LOCK = 7 };
enum { INDEX_LAST_FRAME = 16, INDEX_CHECKPOINTED = 96 };

/* The open database files of this process, so that a checkpoint can say which reader it waits for. */
enum { OPEN_FILES = 256 };
struct open_file {
  _Atomic bool is_taken;
  _Atomic uint64_t read_began;
  _Atomic uint32_t database, statement, thread;
};
static struct open_file open_files[OPEN_FILES];

/* A word of the index, in the machine's byte order. */
static uint32_t index_word(const struct meter_file *file, int offset) {
  return __atomic_load_n((const uint32_t *)(const void *)((const char *)(uintptr_t)file->index + offset), __ATOMIC_RELAXED);
}

struct meter_traced *meter_running(const struct meter_file *file) {
  struct meter_traced *traced = meter_thread()->traced;
  if (traced == NULL || file->connection == NULL) return NULL;
  /* Another thread may have closed the connection that this thread used last. */
  sqlite3 *connection = atomic_load_explicit(&traced->connection, memory_order_acquire);
  return connection != NULL && connection == *file->connection ? traced : NULL;
}

/* The number of the running statement's record; the first one if no statement is known. */
static uint32_t running_statement(const struct meter_file *file) {
  struct meter_traced *traced = meter_running(file);
  return traced != NULL && traced->last != NULL ? traced->last->number : 0;
}

static int64_t total_changes(const struct meter_file *file) {
  struct meter_traced *traced = meter_running(file);
  return traced == NULL ? -1 : (int64_t)(uint32_t)traced->library->total_changes(traced->connection);
}

/* Whether an earlier statement of the same transaction has read, and still holds its read lock. */
static bool has_read_before(const struct meter_file *file) {
  bool holds_lock = file->index != NULL ? file->holds_read : file->level >= SQLITE_LOCK_SHARED;
  return holds_lock && file->read_statement != 0 && file->read_statement != running_statement(file);
}

static void note_refusal(struct meter_file *file, bool wants_to_write) {
  struct store_meter_database *database = meter_database(file->database);
  METER_ADD(database->refusals, 1);
  struct meter_traced *traced = meter_running(file);
  if (traced == NULL || traced->last == NULL) return;
  /* A function of SQLite may also run a checkpoint after the last statement has ended. */
  if (file->checkpoint_is_locked && traced->last->began == 0) return;
  /* Whether the statement waited is known when it ends: see statements.c. */
  traced->last->refusals++;
  if (wants_to_write && has_read_before(file)) traced->last->upgrades++;
}

static enum store_meter_kind kind_of_transaction(const struct meter_file *file) {
  const struct meter_traced *traced = meter_running(file);
  if (traced == NULL || traced->last == NULL) return STORE_METER_UNKNOWN_KIND;
  return traced->library->get_autocommit(traced->connection) ? traced->last->kind : STORE_METER_DEFERRED;
}

static void begin_transaction(struct meter_file *file) {
  file->kind_of_write = kind_of_transaction(file);
  file->is_in_transaction = file->locks_for_transaction = true;
  METER_ADD(meter_database(file->database)->transactions[file->kind_of_write].begun, 1);
}

/* SQLite reports a commit after it has released the lock of a write-ahead log, but before it releases that of a file. */
static void commit_transaction(struct meter_file *file) {
  struct store_meter_database *database = meter_database(file->database);
  METER_ADD(database->commits, 1);
  file->has_committed = true;
  /* In exclusive locking mode, no lock shows where a transaction begins. */
  enum store_meter_kind kind = file->is_in_transaction ? file->kind_of_write : STORE_METER_UNKNOWN_KIND;
  if (!file->is_in_transaction) METER_ADD(database->transactions[kind].begun, 1);
  METER_ADD(database->transactions[kind].committed, 1);
  file->is_in_transaction = false;
}

/* The write lock was acquired. */
static void begin_write(struct meter_file *file) {
  struct store_meter_database *database = meter_database(file->database);
  METER_ADD(database->write_locks, 1);
  uint64_t now = meter_now();
  int64_t changes = total_changes(file);
  /* SQLite counts a statement's rows after committing it, so the rows of the last transaction are known now. */
  bool is_known = file->has_committed && file->rows_at_lock >= 0 && changes >= 0;
  if (is_known && (uint32_t)(changes - file->rows_at_lock) == 1 && now - file->last_commit < 100000000u) {
    METER_ADD(database->lone_commits, 1);
  }
  file->holds_write = true;
  file->has_committed = false;
  file->lock_began = now;
  file->rows_at_lock = changes;
}

static void end_write(struct meter_file *file) {
  if (!file->holds_write) return;
  file->holds_write = false;
  struct store_meter_database *database = meter_database(file->database);
  uint64_t now = meter_now(), held = now - file->lock_began;
  METER_ADD(database->held_ns, held);
  meter_raise(&database->longest_held_ns, held);
  if (file->partner != NULL) meter_note_growth(file->database, now);
  if (file->locks_for_transaction) {
    struct store_meter_transactions *transactions = &database->transactions[file->kind_of_write];
    METER_ADD(transactions->held_ns, held);
    meter_raise(&transactions->longest_ns, held);
    file->locks_for_transaction = false;
  }
  meter_end_untimed(meter_running(file));
  file->last_commit = now;
}

static void begin_checkpoint(struct meter_file *file, enum store_meter_mode mode) {
  file->checkpoint_began = meter_now();
  file->checkpoint_mode = mode;
  file->checkpointed = 0;
  file->checkpoint_is_locked = file->met_reader = file->met_writer = file->is_refused_restart = false;
}

/* Ends a checkpoint and records what it left, and because of whom. */
static void end_checkpoint(struct meter_file *file) {
  if (file->checkpoint_began == 0) return;
  struct store_meter_database *database = meter_database(file->database);
  uint64_t duration = meter_now() - file->checkpoint_began;
  file->checkpoint_began = 0;
  file->checkpoint_is_locked = false;
  METER_ADD(database->checkpoint_ns, duration);
  meter_raise(&database->longest_checkpoint_ns, duration);
  struct store_meter_checkpoints *checkpoints = &database->checkpoints_by_mode[file->checkpoint_mode];
  METER_ADD(checkpoints->runs, 1);
  METER_ADD(checkpoints->pages, file->checkpointed);
  METER_ADD(checkpoints->duration_ns, duration);
  if (file->met_writer) METER_ADD(checkpoints->left_for_writer, 1);
  if (file->is_refused_restart) METER_ADD(checkpoints->left_for_reader, 1);
  /* If no reader blocked it, a passive checkpoint left frames because of a writer. */
  if (file->index == NULL || !file->met_reader) return;
  uint32_t last = index_word(file, INDEX_LAST_FRAME), done = index_word(file, INDEX_CHECKPOINTED);
  if (done >= last) return;
  METER_ADD(checkpoints->left_for_reader, 1);
  meter_raise(&checkpoints->most_frames_left, last - done);
  uint32_t oldest = 0, thread = 0;
  uint64_t since = UINT64_MAX;
  for (int place = 0; place < OPEN_FILES; place++) {
    struct open_file *open = &open_files[place];
    uint64_t began = atomic_load_explicit(&open->read_began, memory_order_acquire);
    if (began == 0 || began >= since || atomic_load_explicit(&open->database, memory_order_relaxed) != file->database) continue;
    since = began;
    oldest = atomic_load_explicit(&open->statement, memory_order_relaxed);
    thread = atomic_load_explicit(&open->thread, memory_order_relaxed);
  }
  METER_ADD(database->held_back, 1);
  meter_raise(&database->held_back_frames, last - done);
  if (oldest != 0) METER_SET(database->held_back_statement, oldest);
  if (since == UINT64_MAX) {
    METER_ADD(database->held_back_elsewhere, 1);
  } else {
    METER_SET(database->held_back_thread, thread);
  }
}

static void begin_read(struct meter_file *file) {
  file->holds_read = true;
  file->read_began = meter_now();
  file->read_statement = running_statement(file);
  METER_ADD(meter_database(file->database)->read_locks, 1);
  if (file->index != NULL) memcpy(file->snapshot, (const void *)(uintptr_t)file->index, sizeof file->snapshot);
  if (file->place >= OPEN_FILES) return;
  struct open_file *open = &open_files[file->place];
  atomic_store_explicit(&open->database, file->database, memory_order_relaxed);
  atomic_store_explicit(&open->statement, file->read_statement, memory_order_relaxed);
  atomic_store_explicit(&open->thread, meter_thread()->number, memory_order_relaxed);
  /* A thread that sees this time also sees the fields above. */
  atomic_store_explicit(&open->read_began, file->read_began, memory_order_release);
}

static void end_read(struct meter_file *file) {
  if (!file->holds_read) return;
  file->holds_read = false;
  if (file->place < OPEN_FILES) atomic_store_explicit(&open_files[file->place].read_began, 0, memory_order_relaxed);
  struct store_meter_database *database = meter_database(file->database);
  uint64_t duration = meter_now() - file->read_began;
  if (duration > METER_READ(database->longest_read_ns)) {
    meter_raise(&database->longest_read_ns, duration);
    METER_SET(database->longest_read_statement, file->read_statement);
  }
}

/* After a write transaction, records how many frames are not in the database yet. */
static void note_backlog(struct meter_file *file) {
  struct meter_log *log = meter_log_of(file);
  if (log == NULL || file->index == NULL || !log->has_committed) return;
  struct store_meter_database *database = meter_database(file->database);
  log->has_committed = false;
  int64_t backlog = log->last_commit - (int64_t)index_word(file, INDEX_CHECKPOINTED);
  METER_ADD(database->wal_commits_with_backlog, 1);
  if (backlog > 0) meter_raise(&database->wal_backlog_peak, (uint64_t)backlog);
}

/* Ends what a lock indicates. Called before the lock is released, because others continue before that call returns. */
void meter_note_unlock(struct meter_file *file, int offset, int count, int flags) {
  if (count != 1) return;
  if (flags == (SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED)) {
    if (offset >= READ_LOCKS && offset <= LAST_READ_LOCK) end_read(file);
    return;
  }
  if (flags != (SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)) return;
  if (offset == CHECKPOINT_LOCK) {
    end_checkpoint(file);
  } else if (offset == WRITE_LOCK) {
    note_backlog(file);
    end_write(file);
  }
}

/* Starts what a lock indicates. */
void meter_note_lock(struct meter_file *file, int offset, int count, int flags, int code) {
  bool is_exclusive = flags == (SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE);
  /* All read marks but the first: the log is to restart. A writer restarts it too, but without the checkpoint lock. */
  if (is_exclusive && offset == READ_LOCKS + 1 && count == LAST_READ_LOCK - READ_LOCKS && file->checkpoint_is_locked) {
    file->checkpoint_mode = STORE_METER_RESTART;
    file->is_refused_restart = code == SQLITE_BUSY;
  }
  if (count != 1 || (flags & SQLITE_SHM_LOCK) == 0) return;
  /* The checkpoint locks each read mark that blocks it. */
  if (is_exclusive && offset >= READ_LOCKS && offset <= LAST_READ_LOCK && code == SQLITE_BUSY) file->met_reader = true;
  if (is_exclusive && offset == WRITE_LOCK && code == SQLITE_BUSY) {
    file->met_writer = true;
    note_refusal(file, !file->checkpoint_is_locked);
  }
  if (is_exclusive && offset == CHECKPOINT_LOCK && code == SQLITE_BUSY) {
    METER_ADD(meter_database(file->database)->checkpoints_refused, 1);
  }
  if (code != SQLITE_OK) return;
  if (!is_exclusive) {
    if (offset >= READ_LOCKS && offset <= LAST_READ_LOCK) begin_read(file);
    return;
  }
  if (offset == CHECKPOINT_LOCK) {
    begin_checkpoint(file, STORE_METER_PASSIVE);
    file->checkpoint_is_locked = true;
  } else if (offset == WRITE_LOCK) {
    /* Another process may have added frames since the last transaction. */
    struct meter_log *log = meter_log_of(file);
    if (log != NULL) log->has_base = log->has_committed = false;
    begin_write(file);
    /* Recovery also takes this lock, without reading. */
    if (file->checkpoint_is_locked) {
      file->checkpoint_mode = STORE_METER_FULL;
      file->met_writer = false;
    } else if (file->holds_read) {
      begin_transaction(file);
    }
    struct store_meter_database *database = meter_database(file->database);
    if (file->holds_read && has_read_before(file)) METER_ADD(database->upgrades, 1);
    /* SQLite compares the same bytes, and returns BUSY_SNAPSHOT if they differ. */
    if (file->holds_read && !file->is_checkpointing && file->checkpoint_began == 0 && file->index != NULL &&
        memcmp(file->snapshot, (const void *)(uintptr_t)file->index, sizeof file->snapshot) != 0) {
      METER_ADD(database->stale_snapshots, 1);
      struct meter_traced *traced = meter_running(file);
      if (traced != NULL && traced->last != NULL) traced->last->snapshots++;
    }
  }
}

/* The locks of the database file. They matter without a write-ahead log. */
void meter_note_level(struct meter_file *file, int level, int code, bool releases) {
  if (releases) {
    if (level < SQLITE_LOCK_RESERVED && file->level >= SQLITE_LOCK_RESERVED) end_write(file);
    if (level < file->level) file->level = level;
    return;
  }
  /* With a write-ahead log, only the connection that closes last asks for this lock. */
  if (code == SQLITE_BUSY && file->partner == NULL && file->index == NULL) note_refusal(file, level == SQLITE_LOCK_RESERVED);
  if (code != SQLITE_OK) return;
  /* If there is a log's index, its locks show who reads. */
  if (level == SQLITE_LOCK_SHARED && file->index == NULL) file->read_statement = running_statement(file);
  if (level >= SQLITE_LOCK_RESERVED && file->level < SQLITE_LOCK_RESERVED) begin_write(file);
  /* A connection that rolls back another's leftovers, or closes a write-ahead log, skips this level. */
  if (level == SQLITE_LOCK_RESERVED && file->level < SQLITE_LOCK_RESERVED) begin_transaction(file);
  if (level > file->level) file->level = level;
}

void meter_note_control(struct meter_file *file, int operation, void *argument) {
  struct store_meter_database *database = meter_database(file->database);
  switch (operation) {
  case SQLITE_FCNTL_PDB: file->connection = argument; break;
  case SQLITE_FCNTL_COMMIT_PHASETWO: commit_transaction(file); break;
  case SQLITE_FCNTL_CKPT_START:
    file->is_checkpointing = true;
    /* A checkpoint with a lock began when it got the lock. */
    if (file->checkpoint_began == 0) {
      begin_checkpoint(file, file->index != NULL ? STORE_METER_CLOSING : STORE_METER_UNKNOWN_MODE);
    }
    break;
  case SQLITE_FCNTL_CKPT_DONE:
    if (!file->checkpoint_is_locked) end_checkpoint(file);
    if (!file->is_checkpointing) break;
    file->is_checkpointing = false;
    if (file->checkpointed == 0) break;
    METER_ADD(database->checkpoints, 1);
    METER_ADD(database->checkpointed_pages, file->checkpointed);
    break;
  default: break;
  }
}

/* A forked child does not hold its parent's locks. */
void meter_files_in_child(void) {
  for (int place = 0; place < OPEN_FILES; place++) atomic_store(&open_files[place].read_began, 0);
}

void meter_remember_file(struct meter_file *file) {
  uint32_t place = 0;
  for (; place < OPEN_FILES; place++) {
    bool expected = false;
    if (atomic_compare_exchange_strong(&open_files[place].is_taken, &expected, true)) break;
  }
  file->place = place;
}

void meter_forget_file(struct meter_file *file) {
  if (file->holds_read) end_read(file);
  if (file->place < OPEN_FILES) atomic_store(&open_files[file->place].is_taken, false);
}
