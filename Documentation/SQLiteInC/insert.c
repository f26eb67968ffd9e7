/* What the reference is held against: the same rows into the same layout, in C.
 *
 *   cc -O2 -o insert insert.c -lsqlite3 && ./insert kept-store.sqlite new-store.sqlite
 *
 * Reads the quakes of a store that `batchmark run --keep-stores` left, makes a store of the same schema and pragmas,
 * and prints the seconds that storing the rows takes: one prepared statement, one transaction, bound without copies. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct quake { double magnitude, time; char *code, *place; int code_bytes, place_bytes, has_magnitude; };

static void check(int code, sqlite3 *db, const char *what) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
    fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(db));
    exit(1);
  }
}

static char *copy(const void *bytes, int count) {
  char *text = malloc(count + 1);
  if (bytes) memcpy(text, bytes, count);
  return text;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  sqlite3 *old, *db;
  sqlite3_stmt *select, *schema, *insert;
  check(sqlite3_open_v2(arguments[1], &old, SQLITE_OPEN_READONLY, NULL), old, "open");
  check(sqlite3_open(arguments[2], &db), db, "create");
  check(sqlite3_exec(db, "PRAGMA auto_vacuum=incremental; PRAGMA journal_mode=wal; PRAGMA synchronous=normal; "
    "PRAGMA wal_autocheckpoint=1000", NULL, NULL, NULL), db, "pragmas");
  check(sqlite3_prepare_v2(old, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL", -1, &schema, NULL), old, "schema");
  while (sqlite3_step(schema) == SQLITE_ROW)
    check(sqlite3_exec(db, (const char *)sqlite3_column_text(schema, 0), NULL, NULL, NULL), db, "schema");
  check(sqlite3_exec(db, "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Quake', 0, 0)", NULL, NULL, NULL), db, "keys");

  size_t rows = 0, room = 1 << 20;
  struct quake *quakes = malloc(room * sizeof *quakes);
  check(sqlite3_prepare_v2(old, "SELECT ZMAGNITUDE, ZTIME, ZCODE, ZPLACE FROM ZQUAKE ORDER BY Z_PK", -1, &select, NULL),
    old, "select");
  while (sqlite3_step(select) == SQLITE_ROW && rows < room) {
    struct quake *quake = &quakes[rows++];
    quake->has_magnitude = sqlite3_column_type(select, 0) != SQLITE_NULL;
    quake->magnitude = sqlite3_column_double(select, 0);
    quake->time = sqlite3_column_double(select, 1);
    quake->code_bytes = sqlite3_column_bytes(select, 2);
    quake->code = copy(sqlite3_column_blob(select, 2), quake->code_bytes);
    quake->place_bytes = sqlite3_column_bytes(select, 3);
    quake->place = copy(sqlite3_column_blob(select, 3), quake->place_bytes);
  }

  check(sqlite3_prepare_v2(db,
    "INSERT INTO ZQUAKE (Z_PK, Z_ENT, Z_OPT, ZCODE, ZMAGNITUDE, ZPLACE, ZTIME) VALUES (?, 1, 1, ?, ?, ?, ?) "
    "ON CONFLICT (ZCODE) DO UPDATE SET Z_OPT = Z_OPT + 1, ZMAGNITUDE = excluded.ZMAGNITUDE, "
    "ZPLACE = excluded.ZPLACE, ZTIME = excluded.ZTIME", -1, &insert, NULL), db, "insert");

  double start = now();
  check(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), db, "begin");
  for (size_t row = 0; row < rows; row++) {
    struct quake *quake = &quakes[row];
    sqlite3_bind_int64(insert, 1, row + 1);
    sqlite3_bind_text(insert, 2, quake->code, quake->code_bytes, SQLITE_STATIC);
    if (quake->has_magnitude) sqlite3_bind_double(insert, 3, quake->magnitude);
    else sqlite3_bind_null(insert, 3);
    sqlite3_bind_text(insert, 4, quake->place, quake->place_bytes, SQLITE_STATIC);
    sqlite3_bind_double(insert, 5, quake->time);
    if (sqlite3_step(insert) != SQLITE_DONE) check(SQLITE_ERROR, db, "step");
    sqlite3_reset(insert);
  }
  char end[100];
  snprintf(end, sizeof end, "UPDATE Z_PRIMARYKEY SET Z_MAX = %zu WHERE Z_ENT = 1; COMMIT", rows);
  check(sqlite3_exec(db, end, NULL, NULL, NULL), db, "commit");
  printf("%.6f\n", now() - start);
  return 0;
}
