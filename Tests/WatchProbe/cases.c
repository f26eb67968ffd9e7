/* What programs do in addition to storing rows: threads, children, names of VFS, configuration, sudden ends. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

static void ignore(void *context, int code, const char *message) {
  (void)context;
  (void)code;
  (void)message;
}

/* SQLite is configured, used, shut down, configured and used again. */
static void configured(const char *argument) {
  (void)argument;
  int first = sqlite3_config(SQLITE_CONFIG_LOG, ignore, NULL);
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  close_store(store);
  int late = sqlite3_config(SQLITE_CONFIG_LOG, ignore, NULL);
  int end = sqlite3_shutdown();
  int second = sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
  store = open_store("store.db");
  run(store, "DELETE FROM item");
  close_store(store);
  printf("%d %d %d %d\n", first, late, end, second);
}

static void *write_rows(void *number) {
  char name[40];
  snprintf(name, sizeof name, "store-%d.db", (int)(intptr_t)number);
  sqlite3 *store = open_store(name);
  fill(store, 1000);
  close_store(store);
  return NULL;
}

static void threads(const char *argument) {
  (void)argument;
  pthread_t all[8];
  for (intptr_t number = 0; number < 8; number++) pthread_create(&all[number], NULL, write_rows, (void *)number);
  for (int number = 0; number < 8; number++) pthread_join(all[number], NULL);
}

/* Transactions that get the write lock in each possible way. */
static void kinds(const char *argument) {
  sqlite3 *store = strcmp(argument, "wal") == 0 ? open_store("store.db") : open_plain("store.db", NULL);
  run(store, "CREATE TABLE item (id INTEGER PRIMARY KEY, size INTEGER)");
  for (int number = 0; number < 4; number++) run(store, "INSERT INTO item (size) VALUES (1)");
  for (int number = 0; number < 3; number++) run(store, "BEGIN; INSERT INTO item (size) VALUES (2); COMMIT");
  for (int number = 0; number < 2; number++) run(store, "begin /* at once */ immediate; INSERT INTO item (size) VALUES (3); COMMIT");
  run(store, "BEGIN EXCLUSIVE TRANSACTION; INSERT INTO item (size) VALUES (4); ROLLBACK");
  // It only reads, so it is not a write transaction.
  run(store, "BEGIN; SELECT size FROM item; COMMIT");
  close_store(store);
}

/* A checkpoint of each mode, with nothing in its way, with a reader, and with a writer. */
static void modes(const char *argument) {
  (void)argument;
  static const char *const all[] = {"passive", "full", "restart", "truncate"};
  sqlite3 *store = open_store("store.db"), *other = open_store("store.db");
  run(store, "PRAGMA wal_autocheckpoint = 0; CREATE TABLE item (id INTEGER PRIMARY KEY, size INTEGER)");
  for (int round = 0; round < 2; round++) {
    if (round == 1) run(other, "BEGIN; SELECT size FROM item");
    for (int mode = 0; mode < 4; mode++) {
      char sql[60];
      snprintf(sql, sizeof sql, "PRAGMA wal_checkpoint(%s)", all[mode]);
      run(store, "INSERT INTO item (size) VALUES (1)");
      run(store, sql);
    }
  }
  run(other, "COMMIT; BEGIN IMMEDIATE");
  run(store, "PRAGMA wal_checkpoint(full)");
  run(other, "COMMIT");
  close_store(other);
  run(store, "INSERT INTO item (size) VALUES (1)");
  close_store(store);
}

/* A child reads while its parent's checkpoints wait for it. */
static void reader(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  close_store(store);
  int begun[2], done[2];
  if (pipe(begun) != 0 || pipe(done) != 0) abort();
  char byte = 0;
  pid_t child = fork();
  if (child == 0) {
    sqlite3 *own = open_plain("store.db", NULL);
    run(own, "BEGIN; SELECT size FROM item");
    if (write(begun[1], &byte, 1) != 1 || read(done[0], &byte, 1) != 1) abort();
    run(own, "COMMIT");
    close_store(own);
    _exit(0);
  }
  store = open_store("store.db");
  if (read(begun[0], &byte, 1) != 1) abort();
  for (int number = 0; number < 3; number++) run(store, "UPDATE item SET size = size + 1; PRAGMA wal_checkpoint(passive)");
  if (write(done[1], &byte, 1) != 1) abort();
  waitpid(child, NULL, 0);
  close_store(store);
}

/* The parent has a connection; the child opens its own. */
static void forked(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  pid_t child = fork();
  if (child == 0) {
    sqlite3 *own = open_store("child.db");
    fill(own, 20);
    close_store(own);
    _exit(3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  run(store, "DELETE FROM item");
  close_store(store);
  printf("%d\n", WEXITSTATUS(status));
}

static void names(const char *argument) {
  sqlite3 *store = open_plain("store.db", argument);
  fill(store, 10);
  close_store(store);
}

static void uri(const char *argument) {
  char name[2200];
  snprintf(name, sizeof name, "file:%s?vfs=%s", path_of("store.db"), argument);
  sqlite3 *store = open_plain(name, NULL);
  fill(store, 10);
  close_store(store);
}

static int open_own(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *answer) {
  sqlite3_vfs *real = vfs->pAppData;
  return real->xOpen(real, name, file, flags, answer);
}

/* A custom VFS on top of the default one. */
static void own_vfs(const char *argument) {
  (void)argument;
  static sqlite3_vfs own;
  own = *sqlite3_vfs_find(NULL);
  own.zName = "own";
  own.pAppData = sqlite3_vfs_find(NULL);
  own.xOpen = open_own;
  sqlite3_vfs_register(&own, 1);
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  close_store(store);
}

static void many(const char *argument) {
  int count = atoi(argument);
  for (int number = 0; number < count; number++) {
    char name[40];
    snprintf(name, sizeof name, "store-%d.db", number);
    sqlite3 *store = open_plain(name, NULL);
    run(store, "PRAGMA synchronous = off; PRAGMA journal_mode = memory; CREATE TABLE item (id INTEGER PRIMARY KEY)");
    close_store(store);
  }
}

static void texts(const char *argument) {
  sqlite3 *store = open_plain(":memory:", NULL);
  int count = atoi(argument);
  for (int number = 0; number < count; number++) {
    char sql[60];
    snprintf(sql, sizeof sql, "SELECT 1 AS column_%d", number);
    run(store, sql);
  }
  close_store(store);
}

static void runs(const char *argument) {
  sqlite3 *store = open_store("store.db");
  fill(store, atoi(argument));
  close_store(store);
}

/* A trigger and a foreign key; their programs do not count as runs of the statement. */
static void programs(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  run(store, "PRAGMA foreign_keys = on; CREATE TABLE a (id INTEGER PRIMARY KEY);"
             "CREATE TABLE b (a INTEGER REFERENCES a ON DELETE CASCADE); CREATE TABLE log (what TEXT);"
             "CREATE TRIGGER noted AFTER INSERT ON a BEGIN INSERT INTO log VALUES ('a'); END; BEGIN");
  sqlite3_stmt *insert = prepare(store, "INSERT INTO a (id) VALUES (?)");
  for (int id = 1; id <= 200; id++) {
    sqlite3_bind_int(insert, 1, id);
    step_all(insert);
  }
  sqlite3_finalize(insert);
  run(store, "INSERT INTO b SELECT id FROM a; COMMIT");
  sqlite3_stmt *delete = prepare(store, "DELETE FROM a WHERE id <= 100");
  step_all(delete);
  sqlite3_finalize(delete);
  close_store(store);
}

static int count_events(unsigned event, void *context, void *subject, void *detail) {
  (void)event;
  (void)subject;
  (void)detail;
  ++*(int *)context;
  return 0;
}

/* The program has its own tracer. */
static void traced(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  int events = 0;
  sqlite3_trace_v2(store, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE, count_events, &events);
  fill(store, 200);
  sqlite3_trace_v2(store, 0, NULL, NULL);
  run(store, "DELETE FROM item");
  close_store(store);
  printf("%d\n", events);
}

/* Many small blocks, and ten blocks of a mebibyte at the same time, with each function of the malloc family. */
static void allocations(const char *argument) {
  enum { BLOCKS = 10, SIZE = 1 << 20 };
  sqlite3 *store = open_store("store.db");
  fill(store, 100);
  for (int number = atoi(argument); number > 0; number--) {
    void *volatile block = malloc(100);
    free(block);
  }
  void *volatile blocks[BLOCKS] = {malloc(SIZE), calloc(SIZE, 1), realloc(NULL, SIZE), aligned_alloc(4096, SIZE)};
  void *aligned = NULL;
  if (posix_memalign(&aligned, 64, SIZE) != 0) abort();
  blocks[4] = aligned;
  for (int index = 5; index < BLOCKS; index++) blocks[index] = realloc(malloc(10), SIZE);
  run(store, "SELECT count(*) FROM item");
  for (int index = 0; index < BLOCKS; index++) free(blocks[index]);
  close_store(store);
}

/* One row every tenth of a second, until a file appears. */
static void slow(const char *argument) {
  sqlite3 *store = open_store("store.db");
  run(store, "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)");
  for (int number = 0; number < 6000 && access(argument, F_OK) != 0; number++) {
    run(store, "INSERT INTO item (name) VALUES ('slow')");
    usleep(100000);
  }
  close_store(store);
}

static int count_decisions(void *context, int action, const char *first, const char *second, const char *database, const char *trigger) {
  (void)action, (void)first, (void)second, (void)database, (void)trigger;
  ++*(int *)context;
  return SQLITE_OK;
}

/* Statements with plans of several steps; then the program sets its own authorizer, and a statement fails. */
static void plans(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  run(store, "SELECT name FROM item WHERE id = 3");
  run(store, "SELECT owner, count(*) FROM item WHERE size > 5 AND id IN (SELECT owner FROM item) GROUP BY owner ORDER BY 2");
  run(store, "PRAGMA user_version = 7");
  run(store, "CREATE VIRTUAL TABLE word USING fts5(text); INSERT INTO word VALUES ('hidden'); SELECT text FROM word WHERE word MATCH 'hidden'");
  int decisions = 0;
  sqlite3_set_authorizer(store, count_decisions, &decisions);
  run(store, "SELECT size FROM item WHERE name = 'no plan'");
  int code = attempt(store, "INSERT INTO item (id) VALUES (3)");
  printf("%d %d %s %d\n", decisions, code, sqlite3_errmsg(store), sqlite3_total_changes(store));
  close_store(store);
}

/* Literals in every form; the report must not show any of them. */
static void secrets(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  run(store, "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, note BLOB)");
  run(store, "INSERT INTO person (name, note) VALUES ('hidden-text', x'68696464656e'), (\"hidden-quoted\", 987654321)");
  run(store, "SELECT id FROM person WHERE name = \"hidden-name\" OR name LIKE 'hidden%' OR id IN (987654322, 987654323) -- hidden-comment");
  sqlite3_stmt *find = prepare(store, "SELECT id FROM person WHERE name = ?");
  sqlite3_bind_text(find, 1, "hidden-bound", -1, SQLITE_STATIC);
  step_all(find);
  sqlite3_finalize(find);
  close_store(store);
}

static void ends(const char *argument) {
  sqlite3 *store = open_store("store.db");
  fill(store, 100);
  fprintf(stderr, "filled\n");
  if (strcmp(argument, "abort") == 0) abort();
  if (strcmp(argument, "status") == 0) exit(42);
  if (strcmp(argument, "kill") == 0) raise(SIGKILL);
  if (strcmp(argument, "term") == 0) raise(SIGTERM);
  // A test that shares two processors with all others may wake up late.
  if (strcmp(argument, "wait") == 0) sleep(1200);
}

static void print_message(void *context, int code, const char *message) {
  (void)context;
  printf("%d %s\n", code, message);
}

/* A table cannot be dropped while a statement of the connection reads it. */
static void drop_in_use(void) {
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  sqlite3_stmt *items = prepare(store, "SELECT name FROM item");
  sqlite3_step(items);
  for (int number = 0; number < 2; number++) {
    int code = attempt(store, "DROP TABLE item");
    printf("%d %s\n", code, sqlite3_errmsg(store));
  }
  /* A message that SQLite truncates. */
  char sql[600];
  memset(sql, ' ', sizeof sql);
  memcpy(sql, "INSERT INTO item (id) VALUES (1)", 32);
  memcpy(sql + 590, "-- end", 7);
  printf("%d\n", attempt(store, sql));
  sqlite3_finalize(items);
  run(store, "DROP TABLE item");
  close_store(store);
}

/* With a shared cache, a connection locks tables for others: for one that reads, and for one that writes repeatedly. */
static void share_cache(void) {
  char name[2200];
  snprintf(name, sizeof name, "file:%s?cache=shared", path_of("shared.db"));
  sqlite3 *store = open_plain(name, NULL), *other = open_plain(name, NULL);
  run(store, "PRAGMA journal_mode = memory; PRAGMA synchronous = off");
  fill(store, 10);
  sqlite3_stmt *items = prepare(other, "SELECT name FROM item");
  sqlite3_stmt *change = prepare(other, "UPDATE item SET size = size + 1 WHERE id <= 5");
  run(store, "BEGIN; DELETE FROM item WHERE id = 10");
  for (int number = 0; number < 3; number++) {
    int code = sqlite3_step(items);
    sqlite3_reset(items);
    printf("%d %s\n", code, sqlite3_errmsg(other));
  }
  run(store, "COMMIT");
  for (int number = 0; number < 100; number++) step_all(change);
  run(store, "BEGIN; DELETE FROM item WHERE id = 9");
  for (int number = 0; number < 4; number++) {
    int code = sqlite3_step(change);
    printf("%d %d\n", code, sqlite3_reset(change));
  }
  run(store, "COMMIT");
  step_all(change);
  printf("%d\n", step_all(items));
  sqlite3_finalize(items);
  sqlite3_finalize(change);
  close_store(other);
  close_store(store);
}

/* Tables in use by the same connection, and by another one with a shared cache; with SQLite's log messages. */
static void locked(const char *argument) {
  (void)argument;
  sqlite3_config(SQLITE_CONFIG_LOG, print_message, NULL);
  drop_in_use();
  share_cache();
}

static void copy_page(sqlite3_backup *backup) { printf("%d ", sqlite3_backup_step(backup, 1)); }

/* A connection that a backup keeps open is used again; then connections are repeatedly closed before their statements. */
static void closed(const char *argument) {
  sqlite3 *store = open_store("store.db"), *copy = open_plain(":memory:", NULL);
  int events = 0;
  sqlite3_trace_v2(store, SQLITE_TRACE_STMT, count_events, &events);
  fill(store, 1000);
  sqlite3_backup *backup = sqlite3_backup_init(copy, "main", store, "main");
  copy_page(backup);
  printf("%d ", sqlite3_close(store));
  run(store, "DELETE FROM item WHERE id <= 10");
  copy_page(backup);
  printf("%d ", sqlite3_backup_finish(backup));
  printf("%d ", sqlite3_close(store));
  printf("%d\n", events);
  close_store(copy);
  for (int number = atoi(argument); number > 0; number--) {
    sqlite3 *own = open_store("store.db");
    sqlite3_stmt *items = prepare(own, "SELECT name FROM item WHERE id = 20");
    step_all(items);
    sqlite3_close_v2(own);
    sqlite3_finalize(items);
  }
}

/* The program reads a statement's counters and resets one. */
static void counters(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  sqlite3_stmt *items = prepare(store, "SELECT name FROM item ORDER BY size");
  for (int number = 0; number < 3; number++) step_all(items);
  int steps = sqlite3_stmt_status(items, SQLITE_STMTSTATUS_VM_STEP, 1);
  for (int number = 0; number < 2; number++) step_all(items);
  printf("%d\n", steps + sqlite3_stmt_status(items, SQLITE_STMTSTATUS_VM_STEP, 0));
  sqlite3_finalize(items);
  close_store(store);
}

/* The program resets the counters after each run, like Tcl. */
static void set_back(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  sqlite3_stmt *change = prepare(store, "UPDATE item SET size = size + 1 WHERE id <= 5");
  int steps = 0;
  for (int number = 0; number < 200; number++) {
    step_all(change);
    steps += sqlite3_stmt_status(change, SQLITE_STMTSTATUS_VM_STEP, 1);
  }
  printf("%d\n", steps);
  sqlite3_finalize(change);
  close_store(store);
}

/* A checkpoint without a statement releases the write lock after the last statement is finalized. */
static void gone(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  sqlite3_stmt *change = prepare(store, "UPDATE item SET size = size + 1 WHERE id <= 5");
  for (int number = 0; number < 100; number++) step_all(change);
  run(store, "SELECT name FROM item");
  printf("%d\n", sqlite3_wal_checkpoint_v2(store, NULL, SQLITE_CHECKPOINT_FULL, NULL, NULL));
  sqlite3_finalize(change);
  close_store(store);
}

static void nothing(const char *argument) { puts(argument); }

bool run_case(const char *name, const char *argument) {
  static const struct {
    const char *name;
    void (*run)(const char *);
  } all[] = {
      {"configured", configured}, {"threads", threads}, {"forked", forked}, {"kinds", kinds},
      {"modes", modes}, {"reader", reader}, {"names", names}, {"uri", uri}, {"own-vfs", own_vfs},
      {"many", many}, {"texts", texts}, {"runs", runs}, {"programs", programs}, {"traced", traced}, {"plans", plans}, {"slow", slow}, {"allocations", allocations}, {"secrets", secrets},
      {"locked", locked}, {"closed", closed}, {"counters", counters}, {"set-back", set_back}, {"gone", gone}, {"ends", ends}, {"nothing", nothing},
  };
  for (unsigned index = 0; index < sizeof all / sizeof *all; index++) {
    if (strcmp(all[index].name, name) != 0) continue;
    all[index].run(argument);
    return true;
  }
  return false;
}
