/* SQLite's meter for code that links SQLite. CStoreMeterPreload is the same for other people's programs. This one asks for no plans,
   because the statements for that would be counted. */
#include <sqlite3.h>

#include "store_meter_linked.h"

static const struct store_meter_library linked = {
    .vfs_find = sqlite3_vfs_find,
    .vfs_register = sqlite3_vfs_register,
    .vfs_unregister = sqlite3_vfs_unregister,
    .auto_extension = sqlite3_auto_extension,
    .trace_v2 = sqlite3_trace_v2,
    .file_control = sqlite3_file_control,
    .db_filename = sqlite3_db_filename,
    .db_status = sqlite3_db_status,
    .stmt_status = sqlite3_stmt_status,
    .stmt_readonly = sqlite3_stmt_readonly,
    .stmt_busy = sqlite3_stmt_busy,
    .next_stmt = sqlite3_next_stmt,
    .sql = sqlite3_sql,
    .db_handle = sqlite3_db_handle,
    .total_changes = sqlite3_total_changes,
    .get_autocommit = sqlite3_get_autocommit,
    .libversion = sqlite3_libversion,
    .filename_database = sqlite3_filename_database,
    .database_file_object = sqlite3_database_file_object,
#if SQLITE_VERSION_NUMBER >= 3039000
    .db_name = sqlite3_db_name,
#endif
    .status64 = sqlite3_status64,
    .vfs_name = "metering",
    .is_private = 1,
    .create_function_v2 = sqlite3_create_function_v2,
    .update_hook = sqlite3_update_hook,
};

const struct store_meter_library *store_meter_linked_library(void) { return &linked; }
