/* The interface of SQLite's meter for code that links it: it attaches the meter to a SQLite library of this process.

   Preloaded into a program (see CStoreMeterPreload), the meter attaches itself, and nobody reads its counters here. A process that
   links it (see CStoreMeterLinked) reads them with the functions below. */
#ifndef STORE_METER_API_H
#define STORE_METER_API_H

#include "store_meter_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sqlite3;
struct sqlite3_vfs;
struct sqlite3_stmt;
struct sqlite3_file;
struct sqlite3_context;
struct sqlite3_value;

/// The functions of one SQLite library that the meter calls. A process may have several libraries.
struct store_meter_library {
  struct sqlite3_vfs *(*vfs_find)(const char *);
  int (*vfs_register)(struct sqlite3_vfs *, int);
  int (*vfs_unregister)(struct sqlite3_vfs *);
  int (*auto_extension)(void (*)(void));
  int (*trace_v2)(struct sqlite3 *, unsigned, int (*)(unsigned, void *, void *, void *), void *);
  int (*file_control)(struct sqlite3 *, const char *, int, void *);
  const char *(*db_filename)(struct sqlite3 *, const char *);
  int (*db_status)(struct sqlite3 *, int, int *, int *, int);
  int (*stmt_status)(struct sqlite3_stmt *, int, int);
  int (*stmt_readonly)(struct sqlite3_stmt *);
  int (*stmt_busy)(struct sqlite3_stmt *);
  struct sqlite3_stmt *(*next_stmt)(struct sqlite3 *, struct sqlite3_stmt *);
  const char *(*sql)(struct sqlite3_stmt *);
  struct sqlite3 *(*db_handle)(struct sqlite3_stmt *);
  int (*total_changes)(struct sqlite3 *);
  int (*get_autocommit)(struct sqlite3 *);
  const char *(*libversion)(void);
  /// Finds the path of the database that a journal or log of this name belongs to; null in libraries before 3.31.
  const char *(*filename_database)(const char *);
  /// Finds the database file that a log of this name belongs to; null in libraries before 3.32.
  struct sqlite3_file *(*database_file_object)(const char *);
  /// Names the databases that a connection has attached; null in libraries before 3.39, whose attached databases are ignored.
  const char *(*db_name)(struct sqlite3 *, int);
  /// Where its code and data are, and what it has allocated; null if unknown.
  const void *begin, *end;
  int (*status64)(int, long long *, long long *, int);
  /* The functions that ask for plans. If one of them is null, no plan is asked for. */
  int (*changes)(struct sqlite3 *);
  int (*prepare_v2)(struct sqlite3 *, const char *, int, struct sqlite3_stmt **, const char **);
  int (*step)(struct sqlite3_stmt *);
  int (*column_int)(struct sqlite3_stmt *, int);
  const unsigned char *(*column_text)(struct sqlite3_stmt *, int);
  int (*finalize)(struct sqlite3_stmt *);
  /* Only for the process's own library, whose counters it reads itself; null and 0 in other people's programs. */
  /// The name of a single metering VFS, which becomes the default. Null puts one in front of each VFS, under the same name.
  const char *vfs_name;
  /// Whether counters are kept in memory of the process and cover every run, and not in a file in the folder that the
  /// environment names.
  int is_private;
  /// Shows the end of a connection even if it lost its tracer: SQLite removes a function, which is never called, with the
  /// connection.
  int (*create_function_v2)(
      struct sqlite3 *, const char *, int, int, void *, void (*)(struct sqlite3_context *, int, struct sqlite3_value **),
      void (*)(struct sqlite3_context *, int, struct sqlite3_value **), void (*)(struct sqlite3_context *), void (*)(void *));
  /// Watches rows as they change.
  void *(*update_hook)(struct sqlite3 *, void (*)(void *, int, const char *, const char *, long long), void *);
};

#pragma GCC visibility push(hidden)

/// Puts a metering VFS in front of each registered VFS. Call it within `sqlite3_os_init`, or once SQLite is initialized.
///
/// Returns SQLite's result code. It may be called again after a shutdown. The library structure must live as long as the
/// process.
int store_meter_register(const struct store_meter_library *library);

/// Meters the statements of every connection that opens later. Do not call it within `sqlite3_os_init`.
int store_meter_trace(const struct store_meter_library *library);

/// Keeps a tracer of the program together with the meter's. Returns 1 if the connection is not metered: the caller then sets
/// the tracer itself.
int store_meter_chain(
    struct sqlite3 *connection, unsigned mask, int (*callback)(unsigned, void *, void *, void *), void *context);

/// Records that a tracer replaces the meter's because both cannot be kept. Returns 0 if the connection was not metered.
int store_meter_lose(struct sqlite3 *connection);

/// Records that the program has an authorizer. No plan is requested then, because SQLite would also call the authorizer for it.
void store_meter_note_authorizer(struct sqlite3 *connection, int is_set);

/// Whether the connection has the meter's tracer.
int store_meter_is_traced(struct sqlite3 *connection);

/// Records the code with which a statement of this thread is about to end, before `sqlite3_errcode` returns it.
void store_meter_note_error(int code);

/// Whether the environment asks for the meter.
int store_meter_is_wanted(void);

/* For a meter that is private to the process. */

/// Leaves a connection out of all counts of connections and statements, as if it had not been opened.
void store_meter_disregard(struct sqlite3 *connection);

/// Copies the sum of all databases' counters. Each peak is the highest of them, except the size of logs, whose peak is that
/// of their sum.
void store_meter_read_total(struct store_meter_database *total);

/// Copies the counters of the database at a full path; for an empty path, of all databases without a file; zeros if there is
/// none.
void store_meter_read_database(const char *path, struct store_meter_database *database);

/// Whether syncs of directories are counted.
int store_meter_counts_directories(void);

/// Resets all peaks and longest times: a log's peak to its current size, the others to 0.
void store_meter_mark_peaks(void);

/// Records the log each time the changed rows of all tables together reach one of the ascending counts.
///
/// The names of the tables follow one another, each with its zero byte. Returns 0 if there is no memory.
int store_meter_watch(const char *tables, uint64_t table_count, const uint64_t *row_counts, uint64_t count);

/// Stops watching. The points recorded so far are kept.
void store_meter_stop_watching(void);

/// Copies up to `room` of the points recorded since watching began. Returns how many there are.
uint64_t store_meter_read_points(struct store_meter_point *points, uint64_t room);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
