/* Fourteen flaws, each with a twin that does the same work without it. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe.h"

static void lone_commits(bool is_flawed) {
  sqlite3 *store = open_store("store.db");
  run(store, "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)");
  if (!is_flawed) run(store, "BEGIN");
  sqlite3_stmt *insert = prepare(store, "INSERT INTO item (name) VALUES ('a name')");
  for (int row = 0; row < 100; row++) step_all(insert);
  sqlite3_finalize(insert);
  if (!is_flawed) run(store, "COMMIT");
  close_store(store);
}

static void prepared_per_row(bool is_flawed) {
  sqlite3 *store = open_store("store.db");
  run(store, "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); BEGIN");
  sqlite3_stmt *kept = is_flawed ? NULL : prepare(store, "INSERT INTO item (id, name) VALUES (?, 'a name')");
  for (int row = 1; row <= 200; row++) {
    char sql[100];
    snprintf(sql, sizeof sql, "INSERT INTO item (id, name) VALUES (%d, 'a name')", row);
    sqlite3_stmt *insert = is_flawed ? prepare(store, sql) : kept;
    if (!is_flawed) sqlite3_bind_int(insert, 1, row);
    step_all(insert);
    if (is_flawed) sqlite3_finalize(insert);
  }
  sqlite3_finalize(kept);
  run(store, "COMMIT");
  close_store(store);
}

static void query_per_row(bool is_flawed) {
  sqlite3 *store = open_store("store.db");
  fill(store, 100);
  run(store, "CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT)");
  run(store, "INSERT INTO owner SELECT id, name FROM item WHERE id <= 50");
  if (is_flawed) {
    sqlite3_stmt *items = prepare(store, "SELECT id, owner FROM item");
    sqlite3_stmt *owner = prepare(store, "SELECT name FROM owner WHERE id = ?");
    while (sqlite3_step(items) == SQLITE_ROW) {
      sqlite3_bind_int(owner, 1, sqlite3_column_int(items, 1));
      step_all(owner);
    }
    sqlite3_finalize(items);
    sqlite3_finalize(owner);
  } else {
    sqlite3_stmt *both = prepare(store, "SELECT item.id, owner.name FROM item JOIN owner ON owner.id = item.owner");
    step_all(both);
    sqlite3_finalize(both);
  }
  close_store(store);
}

static void full_scan(bool is_flawed) {
  sqlite3 *store = open_store("store.db");
  fill(store, 5000);
  if (!is_flawed) run(store, "CREATE INDEX item_name ON item (name)");
  sqlite3_stmt *find = prepare(store, "SELECT id FROM item WHERE name = ?");
  for (int number = 0; number < 30; number++) {
    char name[40];
    snprintf(name, sizeof name, "item number %d", number * 37);
    sqlite3_bind_text(find, 1, name, -1, SQLITE_TRANSIENT);
    step_all(find);
  }
  sqlite3_finalize(find);
  close_store(store);
}

static void automatic_index(bool is_flawed) {
  sqlite3 *store = open_store("store.db");
  fill(store, 2000);
  run(store, "CREATE TABLE tag (item INTEGER, word TEXT); INSERT INTO tag SELECT id, 'word' FROM item");
  if (!is_flawed) run(store, "CREATE INDEX tag_item ON tag (item)");
  sqlite3_stmt *both = prepare(store, "SELECT item.name, tag.word FROM item JOIN tag ON tag.item = item.id + 0 ORDER BY item.id");
  step_all(both);
  sqlite3_finalize(both);
  close_store(store);
}

static void long_reader(bool is_flawed) {
  sqlite3 *store = open_store("store.db");
  fill(store, 100);
  sqlite3 *other = open_store("store.db");
  sqlite3_stmt *items = prepare(other, "SELECT name FROM item");
  sqlite3_step(items);
  if (!is_flawed) step_all(items);
  sqlite3_stmt *insert = prepare(
      store, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
             "INSERT INTO item (name) SELECT 'a longer name for a page to be filled by it sooner' FROM n");
  for (int transaction = 0; transaction < 60; transaction++) step_all(insert);
  sqlite3_finalize(insert);
  sqlite3_finalize(items);
  close_store(other);
  close_store(store);
}

static void checkpoints(bool is_flawed) {
  sqlite3 *store = open_store("store.db");
  run(store, is_flawed ? "PRAGMA wal_autocheckpoint = 1" : "PRAGMA wal_autocheckpoint = 1000");
  fill(store, 100);
  sqlite3_stmt *change = prepare(store, "UPDATE item SET size = size + 1");
  for (int transaction = 0; transaction < 100; transaction++) step_all(change);
  sqlite3_finalize(change);
  close_store(store);
}

static void transactions(sqlite3 *store) {
  fill(store, 200);
  sqlite3_stmt *change = prepare(store, "UPDATE item SET size = size + 1 WHERE id <= 50");
  for (int transaction = 0; transaction < 40; transaction++) step_all(change);
  sqlite3_finalize(change);
  close_store(store);
}

static void rollback_journal(bool is_flawed) { transactions(is_flawed ? open_plain("store.db", NULL) : open_store("store.db")); }

static void full_syncs(bool is_flawed) {
  sqlite3 *store = open_store("store.db");
  run(store, is_flawed ? "PRAGMA synchronous = full" : "PRAGMA synchronous = normal");
  transactions(store);
}

static void small_cache(bool is_flawed) {
  sqlite3 *store = open_store("store.db");
  fill(store, 20000);
  close_store(store);
  store = open_store("store.db");
  run(store, is_flawed ? "PRAGMA cache_size = 10" : "PRAGMA cache_size = 2000");
  sqlite3_stmt *find = prepare(store, "SELECT name FROM item WHERE id = ?");
  for (int number = 0; number < 20000; number++) {
    sqlite3_bind_int(find, 1, number * 7919 % 20000 + 1);
    step_all(find);
  }
  sqlite3_finalize(find);
  close_store(store);
}

static void *commit_later(void *connection) {
  usleep(100000);
  run(connection, "COMMIT");
  return NULL;
}

static void refusals(bool is_flawed) {
  sqlite3 *store = open_store("store.db"), *other = open_store("store.db");
  fill(store, 10);
  if (!is_flawed) sqlite3_busy_timeout(other, 10000);
  run(store, "BEGIN IMMEDIATE; UPDATE item SET size = 1");
  pthread_t thread;
  pthread_create(&thread, NULL, commit_later, store);
  attempt(other, "UPDATE item SET size = 2");
  pthread_join(thread, NULL);
  close_store(other);
  close_store(store);
}

static void deferred_writer(bool is_flawed) {
  sqlite3 *store = open_store("store.db"), *other = open_store("store.db");
  fill(store, 10);
  sqlite3_busy_timeout(store, 1000);
  run(store, is_flawed ? "BEGIN" : "BEGIN IMMEDIATE");
  run(store, "SELECT size FROM item WHERE id = 1");
  sqlite3_busy_timeout(other, 1);
  if (is_flawed) run(other, "UPDATE item SET size = 2 WHERE id = 2");
  attempt(store, "UPDATE item SET size = 3 WHERE id = 1");
  attempt(store, "COMMIT");
  attempt(store, "ROLLBACK");
  close_store(other);
  close_store(store);
}

static void spilled_sort(bool is_flawed) {
  sqlite3 *store = open_store("store.db");
  fill(store, 60000);
  if (!is_flawed) run(store, "CREATE INDEX item_size ON item (size, name, owner)");
  sqlite3_stmt *sorted = prepare(store, "SELECT size, name, owner FROM item ORDER BY size");
  step_all(sorted);
  sqlite3_finalize(sorted);
  close_store(store);
}

static void unfinalized(bool is_flawed) {
  sqlite3 *store = open_store("store.db");
  fill(store, 10);
  sqlite3_stmt *items = prepare(store, "SELECT name FROM item");
  step_all(items);
  if (!is_flawed) sqlite3_finalize(items);
  sqlite3_close_v2(store);
}

bool run_flaw(const char *name, bool is_flawed) {
  static const struct {
    const char *name;
    void (*run)(bool);
  } all[] = {
      {"lone-commits", lone_commits}, {"prepared-per-row", prepared_per_row}, {"query-per-row", query_per_row},
      {"full-scan", full_scan}, {"automatic-index", automatic_index}, {"long-reader", long_reader},
      {"checkpoints", checkpoints}, {"rollback-journal", rollback_journal}, {"full-syncs", full_syncs},
      {"small-cache", small_cache}, {"refusals", refusals}, {"deferred-writer", deferred_writer},
      {"spilled-sort", spilled_sort}, {"unfinalized", unfinalized},
  };
  for (unsigned index = 0; index < sizeof all / sizeof *all; index++) {
    if (strcmp(all[index].name, name) != 0) continue;
    all[index].run(is_flawed);
    return true;
  }
  return false;
}
