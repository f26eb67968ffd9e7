/* A program to test `watch`: with one flaw, without it as its twin, or with one way to end. */
#ifndef PROBE_H
#define PROBE_H

#include <sqlite3.h>
#include <stdbool.h>

/* Opens or makes a database in the folder, with a write-ahead log that is only synced at checkpoints. */
sqlite3 *open_store(const char *name);
sqlite3 *open_plain(const char *name, const char *vfs);
/* Runs statements; if one fails, ends the program with SQLite's message. */
void run(sqlite3 *connection, const char *sql);
/* Runs statements that may fail; returns the result code. */
int attempt(sqlite3 *connection, const char *sql);
sqlite3_stmt *prepare(sqlite3 *connection, const char *sql);
/* Steps to the end and resets; returns the number of rows. */
int step_all(sqlite3_stmt *statement);
/* Makes a table `item(id, owner, name, size)` with this many rows. */
void fill(sqlite3 *connection, int rows);
void close_store(sqlite3 *connection);
const char *path_of(const char *name);

/* Returns false for an unknown name. */
bool run_flaw(const char *name, bool is_flawed);
bool run_case(const char *name, const char *argument);
bool run_work(const char *name, const char *argument);

#endif
