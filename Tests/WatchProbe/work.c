/* Uses of statements and locks that are easily mistaken for something else. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "probe.h"

static int count_rows(sqlite3 *store, const char *sql) {
  sqlite3_stmt *statement = prepare(store, sql);
  int rows = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int(statement, 0) : -1;
  sqlite3_finalize(statement);
  return rows;
}

/* Stores a row only if none was changed, and checks SQLite's count of changes after statements without any. */
static void changes(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  run(store, "CREATE TABLE tally (word TEXT, count INTEGER); INSERT INTO tally VALUES ('a', 1)");
  for (int number = 0; number < 2; number++) {
    run(store, "UPDATE tally SET count = count + 1 WHERE word = 'a'; INSERT INTO tally SELECT 'a', 1 WHERE changes() = 0");
    run(store, "UPDATE tally SET count = count + 1 WHERE word = 'b'; INSERT INTO tally SELECT 'b', 1 WHERE changes() = 0");
  }
  printf("%d ", count_rows(store, "SELECT count(*) FROM tally"));
  run(store, "UPDATE tally SET count = 0; SELECT word FROM tally");
  printf("%d ", sqlite3_changes(store));
  sqlite3_stmt *unused = prepare(store, "DELETE FROM tally");
  printf("%d\n", sqlite3_changes(store));
  sqlite3_finalize(unused);
  close_store(store);
}

/* Changes a row for each row that another statement reads. */
static void loops(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  fill(store, 200);
  run(store, "CREATE TABLE other (id INTEGER PRIMARY KEY, size INTEGER); INSERT INTO other SELECT id, size FROM item; BEGIN");
  sqlite3_stmt *items = prepare(store, "SELECT id FROM item");
  sqlite3_stmt *change = prepare(store, "UPDATE other SET size = size + 1 WHERE id = ?");
  for (int number = 0; number < 10; number++) {
    while (sqlite3_step(items) == SQLITE_ROW) {
      sqlite3_bind_int(change, 1, sqlite3_column_int(items, 0));
      step_all(change);
    }
    sqlite3_reset(items);
  }
  sqlite3_finalize(change);
  sqlite3_finalize(items);
  run(store, "COMMIT");
  close_store(store);
}

/* Stores rows one by one with RETURNING, then reads them within the same transaction. */
static void stored_and_read(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  run(store, "CREATE TABLE item (id INTEGER PRIMARY KEY, size INTEGER); BEGIN");
  sqlite3_stmt *insert = prepare(store, "INSERT INTO item (size) VALUES (?) RETURNING id");
  for (int number = 0; number < 500; number++) {
    sqlite3_bind_int(insert, 1, number);
    step_all(insert);
  }
  sqlite3_stmt *items = prepare(store, "SELECT size FROM item WHERE size < 100");
  step_all(items);
  sqlite3_stmt *sum = prepare(store, "SELECT sum(size) FROM item");
  step_all(sum);
  sqlite3_finalize(insert);
  sqlite3_finalize(items);
  sqlite3_finalize(sum);
  run(store, "COMMIT");
  close_store(store);
}

/* A transaction that has read tries to write while another one does, with a busy timeout. */
static void late_writer(const char *argument) {
  bool has_log = strcmp(argument, "wal") == 0;
  sqlite3 *store = has_log ? open_store("store.db") : open_plain("store.db", NULL);
  sqlite3 *other = has_log ? open_store("store.db") : open_plain("store.db", NULL);
  fill(store, 10);
  sqlite3_busy_timeout(store, 5000);
  run(store, "BEGIN; SELECT size FROM item");
  run(other, "BEGIN IMMEDIATE");
  printf("%d\n", attempt(store, "UPDATE item SET size = 2"));
  run(other, "ROLLBACK");
  run(store, "COMMIT");
  close_store(other);
  close_store(store);
}

/* A function runs a checkpoint, which waits until its busy timeout ends; a query runs before and after it. */
static void refused_checkpoint(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db"), *other = open_store("store.db");
  fill(store, 10);
  sqlite3_busy_timeout(other, 50);
  sqlite3_stmt *items = prepare(other, "SELECT size FROM item");
  run(store, "BEGIN IMMEDIATE; UPDATE item SET size = 1");
  step_all(items);
  printf("%d\n", sqlite3_wal_checkpoint_v2(other, NULL, SQLITE_CHECKPOINT_FULL, NULL, NULL));
  run(store, "COMMIT");
  step_all(items);
  sqlite3_finalize(items);
  close_store(other);
  close_store(store);
}

/* Searches a full-text table and an R-tree, whose internal statements exist until the connection is closed. */
static void modules(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  run(store, "CREATE VIRTUAL TABLE word USING fts5(text); CREATE VIRTUAL TABLE area USING rtree(id, low, high, +name)");
  run(store, "INSERT INTO word VALUES ('one'), ('two'); INSERT INTO area VALUES (1, 0, 5, 'a'), (2, 3, 9, 'b')");
  run(store, "UPDATE area SET name = 'c' WHERE id = 1; DELETE FROM word WHERE rowid = 2");
  run(store, "SELECT text FROM word WHERE word MATCH 'one'; SELECT name FROM area WHERE low < 4");
  close_store(store);
}

static void count_text(void *calls, const char *sql) {
  (void)sql;
  ++*(int *)calls;
}

/* A connection commits repeatedly, and another one reads all rows each time; the first one may have a tracer. */
static void shared(const char *argument) {
  int calls = 0;
  sqlite3 *store = open_store("store.db");
  if (strcmp(argument, "traced") == 0) sqlite3_trace(store, count_text, &calls);
  sqlite3 *other = open_store("store.db");
  fill(store, 5000);
  sqlite3_stmt *change = prepare(store, "UPDATE item SET size = size + 1 WHERE id = 1");
  sqlite3_stmt *items = prepare(other, "SELECT sum(size) FROM item");
  for (int number = 0; number < 60; number++) {
    step_all(change);
    step_all(items);
  }
  sqlite3_finalize(change);
  sqlite3_finalize(items);
  close_store(other);
  close_store(store);
}

/* Reports for each file in the meter's folder whether it takes at most half a megabyte on the disk. */
static void footprint(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  const char *folder = getenv("BATCHMARK_METER_FOLDER");
  DIR *files = folder == NULL ? NULL : opendir(folder);
  struct dirent *entry;
  while (files != NULL && (entry = readdir(files)) != NULL) {
    struct stat status;
    if (fstatat(dirfd(files), entry->d_name, &status, 0) != 0 || !S_ISREG(status.st_mode)) continue;
    printf("%s\n", status.st_blocks <= 1024 ? "small" : "large");
  }
  if (files != NULL) closedir(files);
  close_store(store);
}

/* Pragmas of the connection's database and of others. */
static void pragmas(const char *argument) {
  (void)argument;
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  char sql[2200];
  snprintf(sql, sizeof sql, "ATTACH '%s' AS other", path_of("other.db"));
  run(store, sql);
  run(store, "PRAGMA main.cache_size = 100; PRAGMA other.synchronous = off; PRAGMA temp.cache_size = 10; PRAGMA other.journal_mode = memory");
  close_store(store);
}

/* Some queries, then a number of them for each row of another one. */
static void queries(const char *argument) {
  enum { MOST = 20 };
  sqlite3 *store = open_store("store.db");
  fill(store, 100);
  int count = atoi(argument);
  sqlite3_stmt *items = prepare(store, "SELECT id FROM item"), *all[MOST] = {NULL};
  for (int number = 0; number < count; number++) {
    char sql[100];
    snprintf(sql, sizeof sql, "SELECT name AS name_%d FROM item WHERE id = ?", number);
    all[number] = prepare(store, sql);
  }
  for (int number = 0; number < MOST; number++) {
    char sql[100];
    snprintf(sql, sizeof sql, "SELECT count(*) AS count_%d FROM item", number);
    run(store, sql);
  }
  while (sqlite3_step(items) == SQLITE_ROW) {
    for (int number = 0; number < count; number++) {
      sqlite3_bind_int(all[number], 1, sqlite3_column_int(items, 0));
      step_all(all[number]);
    }
  }
  for (int number = 0; number < count; number++) sqlite3_finalize(all[number]);
  sqlite3_finalize(items);
  close_store(store);
}

/* Three queries that differ after about two thousand bytes. */
static void long_texts(const char *argument) {
  (void)argument;
  static const char *const ends[] = {"", " WHERE size < 5", " ORDER BY owner"};
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  char sql[3000] = "SELECT id";
  while (strlen(sql) < 2000) strcat(sql, ", size AS some_size");
  strcat(sql, " FROM item");
  size_t length = strlen(sql);
  for (int number = 0; number < 3; number++) {
    strcpy(sql + length, ends[number]);
    for (int time = 0; time <= number; time++) run(store, sql);
  }
  close_store(store);
}

static void count_time(void *calls, const char *sql, sqlite3_uint64 nanoseconds) {
  (void)nanoseconds;
  count_text(calls, sql);
}

/* Consecutive connections have a function that is called for each statement, set with the predecessor of sqlite3_trace_v2. */
static void replaced(const char *argument) {
  int calls = 0;
  for (int number = 0; number < 5; number++) {
    sqlite3 *store = open_store("store.db");
    if (strcmp(argument, "profile") == 0) {
      sqlite3_profile(store, count_time, &calls);
    } else {
      sqlite3_trace(store, count_text, &calls);
    }
    if (number == 0) fill(store, 200);
    run(store, "UPDATE item SET size = size + 1");
    close_store(store);
  }
  printf("%d\n", calls);
}

bool run_work(const char *name, const char *argument) {
  static const struct {
    const char *name;
    void (*run)(const char *);
  } all[] = {
      {"changes", changes}, {"loops", loops}, {"stored-and-read", stored_and_read},
      {"late-writer", late_writer}, {"refused-checkpoint", refused_checkpoint},
      {"modules", modules}, {"shared", shared}, {"footprint", footprint}, {"pragmas", pragmas}, {"queries", queries},
      {"long-texts", long_texts}, {"replaced", replaced},
  };
  for (unsigned index = 0; index < sizeof all / sizeof *all; index++) {
    if (strcmp(all[index].name, name) != 0) continue;
    all[index].run(argument);
    return true;
  }
  return false;
}
