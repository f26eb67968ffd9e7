/* SQLite's interface, with inline wrappers for what Swift cannot call. */
#include <sqlite3.h>
#include <string.h>

/* The SQLITE_TRANSIENT destructor is a cast of -1 to a function pointer, which Swift does not import. */
static inline int sqlite3_shim_bind_transient_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int sqlite3_shim_bind_transient_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline void sqlite3_shim_result_transient_text(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
  sqlite3_result_text64(context, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void sqlite3_shim_result_transient_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
  sqlite3_result_blob64(context, bytes, count, SQLITE_TRANSIENT);
}

/* The operating system's message for the last failure of a connection's file; null if there was none. */
static inline const char *sqlite3_shim_system_message(sqlite3 *connection) {
  int number = sqlite3_system_errno(connection);
  return number == 0 ? 0 : strerror(number);
}

/* sqlite3_config takes variable arguments. */
static inline int sqlite3_shim_get_allocator(sqlite3_mem_methods *methods) {
  return sqlite3_config(SQLITE_CONFIG_GETMALLOC, methods);
}

static inline int sqlite3_shim_set_allocator(const sqlite3_mem_methods *methods) {
  return sqlite3_config(SQLITE_CONFIG_MALLOC, methods);
}

/* Connections opened later have no lookaside memory, so the allocator is called for every allocation. */
static inline int sqlite3_shim_disable_lookaside(void) {
  return sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

/* sqlite3_db_config takes variable arguments. */
static inline int sqlite3_shim_disable_triggers(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}

/* SQLite declares the entry point of an automatic extension without the parameters it calls it with. */
struct sqlite3_api_routines;
static inline int sqlite3_shim_auto_extension(
    int (*entry)(sqlite3 *, char **, const struct sqlite3_api_routines *)) {
  return sqlite3_auto_extension((void (*)(void))entry);
}
