/* The shortest engine in C: one prepared statement, one transaction. A good start for your own engine:
 *   cc -O2 -o example_engine example_engine.c -lsqlite3 */
#include "batchmark_engine.h"

static struct batchmark_job *job;
static sqlite3 *store;
static sqlite3_stmt *statement;
static struct batchmark_value *held;
static sqlite3_int64 row_count;

static int failed(char **error) {
  *error = strdup(sqlite3_errmsg(store));
  return 1;
}

static int run(const char *sql) { return sqlite3_exec(store, sql, NULL, NULL, NULL); }

static int open_store(struct batchmark_job *opened, char **error) {
  job = opened;
  if ((row_count = batchmark_held_rows(job, &held)) < 0) return (*error = strdup("the source cannot be read")), 1;
  if (sqlite3_open_v2(job->store, &store, SQLITE_OPEN_READWRITE, NULL) || run(job->pragmas) || run(job->first_write) ||
      sqlite3_prepare_v3(store, job->insert, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL))
    return failed(error);
  return 0;
}

static int pragma(const char *name, char *value, size_t size) { return batchmark_pragma(store, name, value, size); }

static int insert(sqlite3_int64 key, sqlite3_int64 *stored, char **error) {
  const struct batchmark_value *value = held;
  if (run("BEGIN IMMEDIATE")) return failed(error);
  for (sqlite3_int64 row = 0; row < row_count; row++) {
    sqlite3_bind_int64(statement, 1, key++);
    for (int column = 0; column < job->column_count; column++) batchmark_bind(statement, column + 2, value++);
    if (sqlite3_step(statement) != SQLITE_DONE) return failed(error);
    sqlite3_reset(statement);
  }
  *stored = row_count;
  return run("COMMIT") ? failed(error) : 0;
}

static int checkpoint(char **error) {
  return sqlite3_wal_checkpoint_v2(store, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) ? failed(error) : 0;
}

static int close_store(char **error) {
  sqlite3_finalize(statement);
  return sqlite3_close(store) ? failed(error) : 0;
}

int main(void) {
  const struct batchmark_engine engine = {
      "\"engine\": \"example\", \"strategies\": [{\"name\": \"save\", \"operation\": \"insert\", \"rows\": \"held\", "
      "\"role\": \"object_by_object\", \"summary\": \"SQLite from C: one prepared statement, one transaction\"}]",
      "1", "C", open_store, pragma, insert, checkpoint, close_store, NULL, NULL};
  return batchmark_serve(&engine);
}
