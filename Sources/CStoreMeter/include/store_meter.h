/* The meter of SQLite, for who links it: attaching it to a SQLite library of this process.

   Preloaded into a program (see CStoreMeterPreload), it attaches itself; nothing of this is called then. */
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
  /// Where its code and data lie, and what it has allocated; null where that is not known.
  const void *begin, *end;
  int (*status64)(int, long long *, long long *, int);
  /* By which plans are asked for; where one is null, none is. */
  int (*prepare_v2)(struct sqlite3 *, const char *, int, struct sqlite3_stmt **, const char **);
  int (*step)(struct sqlite3_stmt *);
  int (*column_int)(struct sqlite3_stmt *, int);
  const unsigned char *(*column_text)(struct sqlite3_stmt *, int);
  int (*finalize)(struct sqlite3_stmt *);
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

/// Whether the environment asks for the meter.
int store_meter_is_wanted(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
