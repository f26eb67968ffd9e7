/* SQLite from C: one prepared INSERT, one transaction. https://www.sqlite.org/c3ref/stmt.html */
#include "batchmark_engine.h"

static sqlite3 *store;
static sqlite3_stmt *statement;
static struct batchmark_value *values;
static sqlite3_int64 rows, save_every;
static int columns;

static int failed(char **error) {
  *error = strdup(sqlite3_errmsg(store));
  return 1;
}

static int run(const char *sql) { return sqlite3_exec(store, sql, NULL, NULL, NULL); }

static int open_store(struct batchmark_job *job, char **error) {
  columns = job->column_count;
  rows = batchmark_held_rows(job, &values);
  if (rows < 0) return (*error = strdup("the source cannot be read")), 1;
  save_every = batchmark_number(job, "save_every", rows);
  if (sqlite3_open_v2(job->store, &store, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
      run(job->pragmas) != SQLITE_OK || run(job->first_write) != SQLITE_OK ||
      sqlite3_prepare_v3(store, job->insert, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
    return failed(error);
  return 0;
}

static int insert(sqlite3_int64 key, sqlite3_int64 *stored, char **error) {
  const struct batchmark_value *value = values;
  for (sqlite3_int64 row = 0; row < rows; row++) {
    if (row % save_every == 0 && run("BEGIN IMMEDIATE") != SQLITE_OK) return failed(error);
    sqlite3_bind_int64(statement, 1, key++);
    for (int column = 0; column < columns; column++) batchmark_bind(statement, column + 2, value++);
    if (sqlite3_step(statement) != SQLITE_DONE) return failed(error);
    sqlite3_reset(statement);
    int last = (row + 1) % save_every == 0 || row + 1 == rows;
    if (last && run("COMMIT") != SQLITE_OK) return failed(error);
  }
  *stored = rows;
  return 0;
}

static int pragma(const char *name, char *value, size_t size) {
  sqlite3_stmt *question;
  char *sql = sqlite3_mprintf("PRAGMA %s", name);
  int found = sqlite3_prepare_v2(store, sql, -1, &question, NULL) == SQLITE_OK && sqlite3_step(question) == SQLITE_ROW;
  if (found) snprintf(value, size, "%s", (const char *)sqlite3_column_text(question, 0));
  sqlite3_finalize(question);
  sqlite3_free(sql);
  return found ? 0 : 1;
}

static int checkpoint(char **error) {
  return sqlite3_wal_checkpoint_v2(store, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) == SQLITE_OK ? 0 : failed(error);
}

static int close_store(char **error) {
  sqlite3_finalize(statement);
  return sqlite3_close(store) == SQLITE_OK ? 0 : failed(error);
}

int main(void) {
  const struct batchmark_engine engine = {
      "\"engine\": \"c-sqlite\", \"strategies\": [{\"name\": \"insert\", \"operation\": \"insert\", \"role\": \"peer\", "
      "\"summary\": \"SQLite from C: one prepared statement, one transaction\", \"rows\": \"held\", "
      "\"gives_up\": [\"no model\", \"no objects\", \"SQL by hand\"], \"parameters\": {\"save_every\": \"all\"}}]",
      sqlite3_libversion(), "C", open_store, pragma, insert, checkpoint, close_store};
  return batchmark_serve(&engine);
}
