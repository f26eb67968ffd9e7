/* The meter of SQLite, for who links it: attaching it to a SQLite library of this process.

   Preloaded into a program (see CStoreMeterPreload), it attaches itself; nothing of this is called then. Linked into a process
   (see CStoreMeterLinked), it is asked for its counters here. */
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

/// The functions that the meter calls, of one SQLite library: a process may have several.
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
  /// The path of a database that a journal or a log of this name belongs to; null in libraries before 3.31.
  const char *(*filename_database)(const char *);
  /// The file of the database that a log of this name belongs to; null in libraries before 3.32.
  struct sqlite3_file *(*database_file_object)(const char *);
  /// The names of the databases that a connection has attached; null in libraries before 3.39, where no attached one is looked at.
  const char *(*db_name)(struct sqlite3 *, int);
  /// Where its code and data lie, and what it has allocated; null where that is not known.
  const void *begin, *end;
  int (*status64)(int, long long *, long long *, int);
  /* By which plans are asked for; where one is null, none is. */
  int (*changes)(struct sqlite3 *);
  int (*prepare_v2)(struct sqlite3 *, const char *, int, struct sqlite3_stmt **, const char **);
  int (*step)(struct sqlite3_stmt *);
  int (*column_int)(struct sqlite3_stmt *, int);
  const unsigned char *(*column_text)(struct sqlite3_stmt *, int);
  int (*finalize)(struct sqlite3_stmt *);
  /* Of the process's own library, of which it is asked itself what it counts: null and 0 in programs of others. */
  /// The one VFS that meters, which becomes the default one; null puts one in front of each, under its name.
  const char *vfs_name;
  /// Whether counters lie in memory of the process, of every run, and not in a file of the folder that the environment names.
  int is_private;
  /// How the end of a connection is seen, whatever becomes of its tracer: a function that nobody calls is removed with it.
  int (*create_function_v2)(
      struct sqlite3 *, const char *, int, int, void *, void (*)(struct sqlite3_context *, int, struct sqlite3_value **),
      void (*)(struct sqlite3_context *, int, struct sqlite3_value **), void (*)(struct sqlite3_context *), void (*)(void *));
  /// By which rows are watched.
  void *(*update_hook)(struct sqlite3 *, void (*)(void *, int, const char *, const char *, long long), void *);
};

#pragma GCC visibility push(hidden)

/// Puts a metering VFS in front of each VFS that is registered; to be called within `sqlite3_os_init`, or when SQLite is initialized.
///
/// Returns SQLite's result code. May be called again after a shutdown. The library's structure must live as long as the process.
int store_meter_register(const struct store_meter_library *library);

/// Has the statements of every later connection metered; not to be called within `sqlite3_os_init`.
int store_meter_trace(const struct store_meter_library *library);

/// Keeps a tracer of the program's beside the meter's; 1 where the connection is not metered and the caller sets it itself.
int store_meter_chain(
    struct sqlite3 *connection, unsigned mask, int (*callback)(unsigned, void *, void *, void *), void *context);

/// Notes that a tracer which cannot be kept beside the meter's takes its place; 0 where the connection was not metered.
int store_meter_lose(struct sqlite3 *connection);

/// Notes that the program decides itself what a statement may do: no plan is asked for then, since it would be asked too.
void store_meter_note_authorizer(struct sqlite3 *connection, int is_set);

/// Whether the meter's tracer is that of the connection.
int store_meter_is_traced(struct sqlite3 *connection);

/// Notes the code with which a statement that this thread runs is about to end, before SQLite sets it for `sqlite3_errcode`.
void store_meter_note_error(int code);

/// Whether the environment asks for the meter.
int store_meter_is_wanted(void);

/* Of a meter that is private to the process. */

/// Leaves a connection out of every count of connections and statements, as if it had not been opened.
void store_meter_disregard(struct sqlite3 *connection);

/// Copies the counters of all databases together; their peaks are the highest, but those of logs, which are of their sum.
void store_meter_read_total(struct store_meter_database *total);

/// Copies the counters of the database at a full path, or of all without a file for an empty one; zeros where there is none.
void store_meter_read_database(const char *path, struct store_meter_database *database);

/// Whether syncs of directories are counted.
int store_meter_counts_directories(void);

/// Sets every peak and longest time back: a log's to its present size, others to 0.
void store_meter_mark_peaks(void);

/// Notes a log whenever the changed rows of tables, taken together, reach one of the counts, which ascend.
///
/// The tables' names lie one after the other, each with its zero byte. Returns 0 without memory for it.
int store_meter_watch(const char *tables, uint64_t table_count, const uint64_t *row_counts, uint64_t count);

/// Stops watching; what was noted is kept.
void store_meter_stop_watching(void);

/// Copies up to `room` of the points that were noted since watching began; answers how many there are.
uint64_t store_meter_read_points(struct store_meter_point *points, uint64_t room);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
