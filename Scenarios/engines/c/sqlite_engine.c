/* SQLite from C: one prepared statement, one transaction. https://www.sqlite.org/c3ref/stmt.html
 * It keeps the rows in memory, or streams them while it stores them. example_engine.c only has the simplest case. */
#include "batchmark_engine.h"

#include <stdint.h>

static struct batchmark_job *job;
static sqlite3 *store;
static sqlite3_stmt *statement;
static struct batchmark_value *held, *values, *given;
static sqlite3_int64 row_count, save_every;
static int value_count, given_count;

static int failed(char **error) {
  *error = strdup(sqlite3_errmsg(store));
  return 1;
}

static int run(const char *sql) { return sqlite3_exec(store, sql, NULL, NULL, NULL); }

static int prepare(const char *sql, const struct batchmark_value *first, int count) {
  int result = sqlite3_prepare_v3(store, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  for (int index = 0; index < count; index++) batchmark_bind(statement, index + 1, first + index);
  return result;
}

static int open_store(struct batchmark_job *opened, char **error) {
  job = opened;
  save_every = batchmark_number(job, "save_every", INT64_MAX);
  if (sqlite3_open_v2(job->store, &store, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK || run(job->pragmas) != SQLITE_OK)
    return failed(error);
  values = batchmark_values(job, "values", &value_count);
  given = batchmark_values(job, "set_values", &given_count);
  if (!job->insert) return 0;
  row_count = strcmp(job->strategy, "stream") == 0 ? batchmark_row_count(job) : batchmark_held_rows(job, &held);
  if (row_count < 0) return (*error = strdup("the source cannot be read")), 1;
  return run(job->first_write) == SQLITE_OK && prepare(job->insert, NULL, 0) == SQLITE_OK ? 0 : failed(error);
}

/* Runs the bound statement for a row. A transaction has `save_every` rows. */
static int save(sqlite3_int64 row, sqlite3_int64 count) {
  if (row % save_every == 0 && run("BEGIN IMMEDIATE") != SQLITE_OK) return 1;
  if (sqlite3_step(statement) != SQLITE_DONE) return 1;
  sqlite3_reset(statement);
  return ((row + 1) % save_every == 0 || row + 1 == count) && run("COMMIT") != SQLITE_OK;
}

/* Streams the rows: reads each one, then stores it. */
static int stream(sqlite3_int64 key, sqlite3_int64 *stored, char **error) {
  sqlite3 *source = NULL;
  sqlite3_stmt *rows = NULL;
  int result = batchmark_source_rows(job, &source, &rows);
  for (*stored = 0; result == SQLITE_OK && (result = sqlite3_step(rows)) == SQLITE_ROW; ++*stored, result = SQLITE_OK) {
    sqlite3_bind_int64(statement, 1, key++);
    for (int column = 0; column < job->column_count; column++)
      sqlite3_bind_value(statement, column + 2, sqlite3_column_value(rows, column));
    if (save(*stored, row_count)) return failed(error);
  }
  sqlite3_finalize(rows);
  sqlite3_close(source);
  return result == SQLITE_DONE ? 0 : ((*error = strdup("the source cannot be read")), 1);
}

static int insert(sqlite3_int64 key, sqlite3_int64 *stored, char **error) {
  const struct batchmark_value *value = held;
  if (!held) return stream(key, stored, error);
  for (sqlite3_int64 row = 0; row < row_count; row++) {
    sqlite3_bind_int64(statement, 1, key++);
    for (int column = 0; column < job->column_count; column++) batchmark_bind(statement, column + 2, value++);
    if (save(row, row_count)) return failed(error);
  }
  *stored = row_count;
  return 0;
}

/* Reads every value of each row and keeps none. */
static int fetch(sqlite3_int64 *count, char **error) {
  int result = prepare(job->select, values, value_count);
  for (*count = 0; result == SQLITE_OK && (result = sqlite3_step(statement)) == SQLITE_ROW; ++*count, result = SQLITE_OK)
    batchmark_hash_row(statement, job);
  if (result != SQLITE_DONE) return failed(error);
  sqlite3_finalize(statement);
  statement = NULL;
  return 0;
}

/* Reads the keys and versions of the rows, then runs a statement per row. */
static int change(sqlite3_int64 *count, char **error) {
  sqlite3_int64 (*rows)[2] = NULL, room = 0;
  int result = prepare(job->find, values, value_count);
  for (*count = 0; result == SQLITE_OK && (result = sqlite3_step(statement)) == SQLITE_ROW; ++*count, result = SQLITE_OK) {
    if (*count == room && !(rows = realloc(rows, (size_t)(room = room ? 2 * room : 1024) * sizeof *rows))) return 1;
    for (int column = 0; column < 2; column++) rows[*count][column] = sqlite3_column_int64(statement, column);
  }
  if (result != SQLITE_DONE) return failed(error);
  sqlite3_finalize(statement);
  if (prepare(job->change_one, given, given_count) != SQLITE_OK) return failed(error);
  for (sqlite3_int64 row = 0; row < *count; row++) {
    for (int index = given_count; index < sqlite3_bind_parameter_count(statement); index++)
      sqlite3_bind_int64(statement, index + 1, rows[row][index - given_count]);
    if (save(row, *count)) return failed(error);
  }
  free(rows);
  return 0;
}

static int pragma(const char *name, char *value, size_t size) { return batchmark_pragma(store, name, value, size); }

static int checkpoint(char **error) {
  return sqlite3_wal_checkpoint_v2(store, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) == SQLITE_OK ? 0 : failed(error);
}

static int close_store(char **error) {
  sqlite3_finalize(statement);
  return sqlite3_close(store) == SQLITE_OK ? 0 : failed(error);
}

#define STRATEGY(name, operation, summary, rest)                                                                       \
  "{\"name\": \"" name "\", \"operation\": \"" operation "\", \"role\": \"peer\", \"summary\": \"SQLite from C: " summary    \
  "\", \"gives_up\": [\"no model\", \"no objects\", \"SQL by hand\"]" rest "}"

int main(void) {
  const struct batchmark_engine engine = {
      "\"engine\": \"c-sqlite\", \"strategies\": ["
      STRATEGY("insert", "insert", "one prepared statement, one transaction",
               ", \"rows\": \"held\", \"parameters\": {\"save_every\": \"all\"}") ", "
      STRATEGY("stream", "insert", "the same, each row read from a file while it is stored",
               ", \"rows\": \"streamed\", \"parameters\": {\"save_every\": \"all\"}") ", "
      STRATEGY("select", "fetch", "one prepared SELECT, every column of every row read and none kept", "") ", "
      STRATEGY("update", "update", "the rows' keys, then one prepared UPDATE by key, a step a row",
               ", \"parameters\": {\"save_every\": \"all\"}") ", "
      STRATEGY("delete", "delete", "the rows' keys and versions, then one prepared DELETE by both, a step a row",
               ", \"parameters\": {\"save_every\": \"all\"}") "]",
      sqlite3_libversion(), "C", open_store, pragma, insert, checkpoint, close_store, fetch, change};
  return batchmark_serve(&engine);
}
