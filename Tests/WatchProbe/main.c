/* WatchProbe FOLDER NAME [flaw | twin | ARGUMENT] */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

static const char *folder;

const char *path_of(const char *name) {
  static __thread char path[2048];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void fail(sqlite3 *connection, const char *what) {
  fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(connection));
  exit(70);
}

sqlite3 *open_plain(const char *name, const char *vfs) {
  sqlite3 *connection = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
  const char *path = strncmp(name, "file:", 5) == 0 || name[0] == ':' ? name : path_of(name);
  if (sqlite3_open_v2(path, &connection, flags, vfs) != SQLITE_OK) fail(connection, name);
  return connection;
}

sqlite3 *open_store(const char *name) {
  sqlite3 *connection = open_plain(name, NULL);
  run(connection, "PRAGMA journal_mode = wal; PRAGMA synchronous = normal");
  return connection;
}

void run(sqlite3 *connection, const char *sql) {
  if (sqlite3_exec(connection, sql, NULL, NULL, NULL) != SQLITE_OK) fail(connection, sql);
}

int attempt(sqlite3 *connection, const char *sql) { return sqlite3_exec(connection, sql, NULL, NULL, NULL); }

sqlite3_stmt *prepare(sqlite3 *connection, const char *sql) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(connection, sql, -1, &statement, NULL) != SQLITE_OK) fail(connection, sql);
  return statement;
}

int step_all(sqlite3_stmt *statement) {
  int rows = 0, code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) rows++;
  if (code != SQLITE_DONE) fail(sqlite3_db_handle(statement), "step");
  sqlite3_reset(statement);
  return rows;
}

void fill(sqlite3 *connection, int rows) {
  run(connection, "CREATE TABLE item (id INTEGER PRIMARY KEY, owner INTEGER, name TEXT, size INTEGER); BEGIN");
  sqlite3_stmt *insert = prepare(connection, "INSERT INTO item (owner, name, size) VALUES (?, ?, ?)");
  for (int row = 0; row < rows; row++) {
    char name[40];
    snprintf(name, sizeof name, "item number %d", row);
    sqlite3_bind_int(insert, 1, row % 50 + 1);
    sqlite3_bind_text(insert, 2, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int(insert, 3, row * 7919 % 10007);
    step_all(insert);
  }
  sqlite3_finalize(insert);
  run(connection, "COMMIT");
}

void close_store(sqlite3 *connection) {
  if (sqlite3_close(connection) != SQLITE_OK) fail(connection, "close");
}

int main(int count, char **arguments) {
  // The process that starts the tests may have blocked signals. Programs inherit that, and `watch` does not change it.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (count < 3) {
    fprintf(stderr, "expected: WatchProbe FOLDER NAME [flaw | twin | ARGUMENT]\n");
    return 64;
  }
  folder = arguments[1];
  const char *argument = count > 3 ? arguments[3] : "";
  bool is_flawed = strcmp(argument, "flaw") == 0;
  if (is_flawed || strcmp(argument, "twin") == 0) return run_flaw(arguments[2], is_flawed) ? 0 : 64;
  return run_case(arguments[2], argument) || run_work(arguments[2], argument) ? 0 : 64;
}
