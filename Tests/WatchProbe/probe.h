/* A program with one flaw, or its twin without it, or one way to end: what `watch` is tested with. */
#ifndef PROBE_H
#define PROBE_H

#include <sqlite3.h>
#include <stdbool.h>

/* Opens or makes a database in the folder, with a write-ahead log that syncs at checkpoints alone. */
sqlite3 *open_store(const char *name);
sqlite3 *open_plain(const char *name, const char *vfs);
/* Runs statements; ends the program with what SQLite says where they fail. */
void run(sqlite3 *connection, const char *sql);
/* Runs statements that may fail; answers the result code. */
int attempt(sqlite3 *connection, const char *sql);
sqlite3_stmt *prepare(sqlite3 *connection, const char *sql);
/* Steps to the end and resets; answers the number of rows. */
int step_all(sqlite3_stmt *statement);
/* A table `item(id, owner, name, size)` with so many rows. */
void fill(sqlite3 *connection, int rows);
void close_store(sqlite3 *connection);
const char *path_of(const char *name);

/* Answers false for a name that is none. */
bool run_flaw(const char *name, bool is_flawed);
bool run_case(const char *name, const char *argument);
bool run_work(const char *name, const char *argument);

#endif
