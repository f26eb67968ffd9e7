/* The helper for engines in C and C++: implements the protocol on descriptors 3 and 4, so an engine only handles rows.
 *
 * An engine defines the functions of `struct batchmark_engine` and calls `batchmark_serve`. Batchmark's request is in
 * `struct batchmark_job`; see the article "Engines in any language". The helper parses requests with SQLite's JSON
 * functions, so it needs libsqlite3 3.38 or newer.
 */
#ifndef BATCHMARK_ENGINE_H
#define BATCHMARK_ENGINE_H

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct batchmark_column {
  char *attribute, *column, *type, *storage;
};

/* The request to open a store. A text is NULL if the operation does not need it. */
struct batchmark_job {
  char *strategy, *operation, *store, *table, *pragmas;
  char *source, *source_table, *insert, *first_write;   /* for an insert */
  char *select, *find, *change_one, *change_all;        /* for a fetch, an update or a delete */
  int column_count;
  struct batchmark_column *columns;
  sqlite3 *json; /* reads values of the request; see batchmark_value */
  char *request;
};

/* A value in a row of the source. */
struct batchmark_value {
  int type; /* SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_BLOB or SQLITE_NULL */
  sqlite3_int64 integer;
  double real;
  char *bytes;
  int length;
};

struct batchmark_engine {
  /* "engine" and "strategies" of the answer to hello. A strategy that cannot handle rows with unique values that are
   * already in the store has "upserts": false. */
  const char *hello;
  const char *version, *runtime;
  /* Each returns 0 on success. On failure it returns another number and sets `*error`, which the caller frees. */
  int (*open)(struct batchmark_job *job, char **error);
  int (*pragma)(const char *name, char *value, size_t size);
  int (*insert)(sqlite3_int64 first_key, sqlite3_int64 *rows, char **error);
  int (*checkpoint)(char **error);
  int (*close)(char **error);
  /* NULL if no strategy supports the operation. */
  int (*fetch)(sqlite3_int64 *rows, char **error);  /* hashes each row with batchmark_hash_row */
  int (*change)(sqlite3_int64 *rows, char **error); /* updates or deletes */
};

/* Returns the text at a JSON path of the request, or NULL if there is none. The caller frees it. */
static char *batchmark_value(sqlite3 *json, const char *request, const char *path) {
  sqlite3_stmt *statement = NULL;
  char *value = NULL;
  if (sqlite3_prepare_v2(json, "SELECT ?1 ->> ?2", -1, &statement, NULL) != SQLITE_OK) return NULL;
  sqlite3_bind_text(statement, 1, request, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, path, -1, SQLITE_STATIC);
  if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL)
    value = strdup((const char *)sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  return value;
}

/* Returns a parameter that is a number of rows, at most `rows`. */
static inline sqlite3_int64 batchmark_number(const struct batchmark_job *job, const char *parameter, sqlite3_int64 rows) {
  char *path = sqlite3_mprintf("$.open.parameters.%s", parameter);
  char *value = batchmark_value(job->json, job->request, path);
  sqlite3_int64 number = value ? strtoll(value, NULL, 10) : 0;
  free(value);
  sqlite3_free(path);
  return number > 0 && number < rows ? number : rows;
}

/* Returns the number of rows of the source, or -1 if the request does not have it. */
static inline sqlite3_int64 batchmark_row_count(const struct batchmark_job *job) {
  char *text = batchmark_value(job->json, job->request, "$.open.entities[0].rows");
  sqlite3_int64 rows = text ? strtoll(text, NULL, 10) : -1;
  free(text);
  return rows;
}

/* Prepares a statement that reads the rows of the source, on a new connection. Returns 0 on success. */
static int batchmark_source_rows(const struct batchmark_job *job, sqlite3 **source, sqlite3_stmt **statement) {
  char *sql = sqlite3_mprintf("SELECT * FROM \"%w\" ORDER BY rowid", job->source_table);
  int result = sqlite3_open_v2(job->source, source, SQLITE_OPEN_READONLY, NULL);
  if (result == SQLITE_OK) result = sqlite3_prepare_v2(*source, sql, -1, statement, NULL);
  sqlite3_free(sql);
  return result;
}

/* Reads all rows of the source into memory. `*values` has column_count values per row. Returns -1 on failure. */
static sqlite3_int64 batchmark_held_rows(const struct batchmark_job *job, struct batchmark_value **values) {
  sqlite3 *source = NULL;
  sqlite3_stmt *statement = NULL;
  sqlite3_int64 rows = 0, room = 0;
  *values = NULL;
  if (batchmark_source_rows(job, &source, &statement) != SQLITE_OK) rows = -1;
  while (rows >= 0 && sqlite3_step(statement) == SQLITE_ROW) {
    if (rows == room) {
      room = room ? room * 2 : 1024;
      *values = (struct batchmark_value *)realloc(*values, (size_t)room * (size_t)job->column_count * sizeof **values);
      if (!*values) { rows = -1; break; }
    }
    for (int index = 0; index < job->column_count; index++) {
      struct batchmark_value *value = *values + rows * job->column_count + index;
      memset(value, 0, sizeof *value);
      value->type = sqlite3_column_type(statement, index);
      if (value->type == SQLITE_INTEGER) value->integer = sqlite3_column_int64(statement, index);
      if (value->type == SQLITE_FLOAT) value->real = sqlite3_column_double(statement, index);
      if (value->type == SQLITE_TEXT || value->type == SQLITE_BLOB) {
        const void *bytes = sqlite3_column_blob(statement, index);
        value->length = sqlite3_column_bytes(statement, index);
        value->bytes = (char *)malloc((size_t)value->length + 1);
        if (value->bytes && bytes) memcpy(value->bytes, bytes, (size_t)value->length);
      }
    }
    rows++;
  }
  sqlite3_finalize(statement);
  sqlite3_close(source);
  return rows;
}

/* Binds a value; text and blobs are not copied. */
static inline int batchmark_bind(sqlite3_stmt *statement, int index, const struct batchmark_value *value) {
  switch (value->type) {
  case SQLITE_INTEGER: return sqlite3_bind_int64(statement, index, value->integer);
  case SQLITE_FLOAT: return sqlite3_bind_double(statement, index, value->real);
  case SQLITE_TEXT: return sqlite3_bind_text(statement, index, value->bytes, value->length, SQLITE_STATIC);
  case SQLITE_BLOB: return sqlite3_bind_blob(statement, index, value->bytes, value->length, SQLITE_STATIC);
  default: return sqlite3_bind_null(statement, index);
  }
}

/* Gets the current value of a store's pragma. Returns 0 if there is one. */
static inline int batchmark_pragma(sqlite3 *store, const char *name, char *value, size_t size) {
  sqlite3_stmt *statement = NULL;
  char *sql = sqlite3_mprintf("PRAGMA %s", name);
  int found = sqlite3_prepare_v2(store, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW;
  if (found) snprintf(value, size, "%s", (const char *)sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_free(sql);
  return !found;
}

/* Returns the values of a statement's parameters, such as "values", and sets `*count` to their number. */
static inline struct batchmark_value *batchmark_values(const struct batchmark_job *job, const char *key, int *count) {
  sqlite3_stmt *statement = NULL;
  struct batchmark_value *values = NULL;
  char *path = sqlite3_mprintf("$.open.%s", key);
  *count = 0;
  sqlite3_prepare_v2(job->json, "SELECT atom, CASE type WHEN 'object' THEN value ->> '$.blob' END FROM json_each(?1, ?2)", -1, &statement, NULL);
  sqlite3_bind_text(statement, 1, job->request, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, path, -1, SQLITE_STATIC);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    values = (struct batchmark_value *)realloc(values, (size_t)(*count + 1) * sizeof *values);
    if (!values) break;
    struct batchmark_value *value = values + (*count)++;
    memset(value, 0, sizeof *value);
    value->type = sqlite3_column_type(statement, 0);
    value->integer = sqlite3_column_int64(statement, 0);
    value->real = sqlite3_column_double(statement, 0);
    value->length = sqlite3_column_bytes(statement, 0);
    if (value->type == SQLITE_TEXT) value->bytes = strdup((const char *)sqlite3_column_text(statement, 0));
    const char *digits = (const char *)sqlite3_column_text(statement, 1);
    if (value->type != SQLITE_NULL || !digits) continue;
    value->type = SQLITE_BLOB;
    value->length = (int)strlen(digits) / 2;
    value->bytes = (char *)calloc((size_t)value->length + 1, 1);
    for (int index = 0; value->bytes && index < value->length; index++) {
      unsigned byte = 0;
      sscanf(digits + 2 * index, "%2x", &byte);
      value->bytes[index] = (char)byte;
    }
  }
  sqlite3_finalize(statement);
  sqlite3_free(path);
  return values;
}

/* The CRC-32 of all values that were read. */
static unsigned batchmark_hash;

static inline void batchmark_hash_bytes(const void *bytes, int length) {
  static unsigned table[256];
  const unsigned char *it = (const unsigned char *)bytes;
  unsigned hash = ~batchmark_hash;
  for (unsigned byte = 0; !table[255] && byte < 256; byte++) {
    table[byte] = byte;
    for (int bit = 0; bit < 8; bit++) table[byte] = table[byte] & 1 ? table[byte] >> 1 ^ 0xEDB88320u : table[byte] >> 1;
  }
  while (length-- > 0) hash = table[(hash ^ *it++) & 0xFF] ^ hash >> 8;
  batchmark_hash = ~hash;
}

/* Hashes a column's value by its storage class: a letter, the value and a line feed. */
static inline void batchmark_hash_column(sqlite3_stmt *statement, int column, char storage) {
  unsigned char letter = sqlite3_column_type(statement, column) == SQLITE_NULL ? 'N' : (unsigned char)storage, bytes[8];
  sqlite3_int64 integer = 0;
  double real = 0;
  batchmark_hash_bytes(&letter, 1);
  if (letter == 'I' || letter == 'R') {
    if (letter == 'I') integer = sqlite3_column_int64(statement, column);
    else real = sqlite3_column_double(statement, column), memcpy(&integer, &real, sizeof integer);
    for (int index = 0; index < 8; index++) bytes[index] = (unsigned char)(integer >> (56 - 8 * index));
    batchmark_hash_bytes(bytes, 8);
  } else if (letter != 'N') {
    const void *text = sqlite3_column_blob(statement, column);
    batchmark_hash_bytes(text, sqlite3_column_bytes(statement, column));
  }
  batchmark_hash_bytes("\n", 1);
}

/* Hashes the current row of a statement like job->select: the key, the version and the columns. */
static inline void batchmark_hash_row(sqlite3_stmt *statement, const struct batchmark_job *job) {
  batchmark_hash_column(statement, 0, 'I');
  batchmark_hash_column(statement, 1, 'I');
  for (int index = 0; index < job->column_count; index++)
    batchmark_hash_column(statement, index + 2, job->columns[index].storage[0]);
}

static struct batchmark_job *batchmark_read_job(sqlite3 *json, char *request) {
  struct batchmark_job *job = (struct batchmark_job *)calloc(1, sizeof *job);
  if (!job) return NULL;
  job->json = json;
  job->request = request;
  job->strategy = batchmark_value(json, request, "$.open.strategy");
  job->operation = batchmark_value(json, request, "$.open.operation");
  job->select = batchmark_value(json, request, "$.open.select");
  job->find = batchmark_value(json, request, "$.open.find");
  job->change_one = batchmark_value(json, request, "$.open.change_one");
  job->change_all = batchmark_value(json, request, "$.open.change_all");
  job->store = batchmark_value(json, request, "$.open.store");
  job->source = batchmark_value(json, request, "$.open.source");
  job->insert = batchmark_value(json, request, "$.open.insert");
  job->first_write = batchmark_value(json, request, "$.open.first_write");
  job->table = batchmark_value(json, request, "$.open.entities[0].table");
  job->source_table = batchmark_value(json, request, "$.open.entities[0].source_table");
  for (;;) {
    char path[64];
    snprintf(path, sizeof path, "$.open.entities[0].columns[%d].column", job->column_count);
    char *column = batchmark_value(json, request, path);
    if (!column) break;
    size_t room = (size_t)(job->column_count + 1) * sizeof *job->columns;
    job->columns = (struct batchmark_column *)realloc(job->columns, room);
    if (!job->columns) return NULL;
    struct batchmark_column *it = job->columns + job->column_count;
    it->column = column;
    snprintf(path, sizeof path, "$.open.entities[0].columns[%d].attribute", job->column_count);
    it->attribute = batchmark_value(json, request, path);
    snprintf(path, sizeof path, "$.open.entities[0].columns[%d].type", job->column_count);
    it->type = batchmark_value(json, request, path);
    snprintf(path, sizeof path, "$.open.entities[0].columns[%d].storage", job->column_count);
    it->storage = batchmark_value(json, request, path);
    job->column_count++;
  }
  /* The pragmas as statements. */
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v2(
      json,
      "SELECT coalesce(group_concat('PRAGMA ' || (value ->> '$.name') || ' = ' || (value ->> '$.value'), ';'), '') "
      "FROM json_each(?1, '$.open.pragmas')",
      -1, &statement, NULL);
  sqlite3_bind_text(statement, 1, request, -1, SQLITE_STATIC);
  if (sqlite3_step(statement) == SQLITE_ROW) job->pragmas = strdup((const char *)sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  return job;
}

/* Answers with an error and frees `text`. */
static void batchmark_say_error(FILE *answers, char *text) {
  char *line = sqlite3_mprintf("%s", text ? text : "an error without a text");
  for (char *it = line; it && *it; it++)
    if (*it == '"' || *it == '\\' || (unsigned char)*it < 0x20) *it = '\'';
  fprintf(answers, "{\"error\": \"%s\"}\n", line);
  sqlite3_free(line);
  free(text);
}

static void batchmark_say_ready(FILE *answers, const struct batchmark_job *job, const struct batchmark_engine *engine) {
  const char *separator = "";
  fprintf(answers, "{\"ready\": {");
  for (int index = 0;; index++) {
    char path[64], value[64];
    snprintf(path, sizeof path, "$.open.answered_pragmas[%d]", index);
    char *name = batchmark_value(job->json, job->request, path);
    if (!name) break;
    if (engine->pragma(name, value, sizeof value) == 0) {
      fprintf(answers, "%s\"%s\": \"%s\"", separator, name, value);
      separator = ", ";
    }
    free(name);
  }
  fprintf(answers, "}}\n");
}

static double batchmark_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Answers requests until Batchmark closes the connection. Returns the exit status. */
static int batchmark_serve(const struct batchmark_engine *engine) {
  FILE *requests = fdopen(3, "r"), *answers = fdopen(4, "w");
  struct batchmark_job *job = NULL;
  sqlite3 *json = NULL;
  char *line = NULL;
  size_t room = 0;
  if (!requests || !answers || sqlite3_open(":memory:", &json) != SQLITE_OK) return 1;
  while (getline(&line, &room, requests) > 0) {
    char *error = NULL, *colon;
    if (strncmp(line, "{\"hello\"", 8) == 0) {
      fprintf(answers, "{\"hello\": 1, %s, \"version\": \"%s\", \"runtime\": \"%s\", ", engine->hello, engine->version,
              engine->runtime);
      fprintf(answers, "\"sqlite\": {\"version\": \"%s\", \"source_id\": \"%s\"}}\n", sqlite3_libversion(),
              sqlite3_sourceid());
    } else if (strncmp(line, "{\"open\"", 7) == 0) {
      job = batchmark_read_job(json, strdup(line));
      if (!job || engine->open(job, &error) != 0) {
        batchmark_say_error(answers, error);
        job = NULL;
      } else {
        batchmark_say_ready(answers, job, engine);
      }
    } else if (job && strncmp(line, "{\"go\"", 5) == 0) {
      /* Parse the number by hand: Batchmark would count a SQLite statement here as the engine's. */
      sqlite3_int64 rows = 0, key = (colon = strstr(line, "\"first_key\":")) ? strtoll(strchr(colon, ':') + 1, NULL, 10) : 0;
      batchmark_hash = 0;
      double start = batchmark_now();
      int failed = strcmp(job->operation, "insert") == 0  ? engine->insert(key, &rows, &error)
                   : strcmp(job->operation, "fetch") == 0 ? engine->fetch(&rows, &error)
                                                          : engine->change(&rows, &error);
      double seconds = batchmark_now() - start;
      if (failed) batchmark_say_error(answers, error);
      else fprintf(answers, "{\"done\": {\"rows\": %lld, \"seconds\": %.9f}}\n", (long long)rows, seconds);
    } else if (job && strncmp(line, "{\"hash\"", 7) == 0) {
      fprintf(answers, "{\"hashed\": %u}\n", batchmark_hash);
    } else if (job && strncmp(line, "{\"checkpoint\"", 13) == 0) {
      if (engine->checkpoint(&error) != 0) batchmark_say_error(answers, error);
      else fprintf(answers, "{\"checkpointed\": 1}\n");
    } else if (strncmp(line, "{\"close\"", 8) == 0) {
      if (job && engine->close(&error) != 0) batchmark_say_error(answers, error);
      else fprintf(answers, "{\"closed\": 1}\n");
      fflush(answers);
      break;
    } else {
      batchmark_say_error(answers, strdup(job ? "this program does not know the request" : "no store is open for the request"));
    }
    fflush(answers);
  }
  return 0;
}

#endif
