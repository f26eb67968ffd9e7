/* Attaches the meter to every SQLite library of the process that it is preloaded into.

   It calls no function of SQLite before the program does, so `sqlite3_config` works as usual. It defines a few functions of SQLite
   that shared SQLite libraries also call by name: `sqlite3_os_init`, where VFS can be registered, `sqlite3_initialize`, after which
   connections can be traced, and `sqlite3_log`, which reports how a statement failed. It does not depend on a SQLite library,
   because that library would replace the program's own. */
#if defined(__linux__)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "store_meter.h"

/* A SQLite library of the process. It is never unloaded. */
struct loaded {
  struct store_meter_library functions;
  uintptr_t begin, end;
  int (*initialize)(void);
  int (*os_init)(void);
  void (*log)(int, const char *, ...);
  char *(*write_message)(int, char *, const char *, va_list);
  /* Set in os_init until connections that open later are metered. */
  atomic_bool wants_trace;
};

enum { MOST_LOADED = 4 };
static struct loaded all[MOST_LOADED];
static _Atomic int count;
static pthread_mutex_t finding = PTHREAD_MUTEX_INITIALIZER;

/* Another thread of the parent may have held the mutex. */
static void in_child(void) { pthread_mutex_init(&finding, NULL); }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

static __thread int depth __attribute__((tls_model("initial-exec")));

/* The known library that contains an address. */
static struct loaded *known(const void *address) {
  int number = atomic_load_explicit(&count, memory_order_acquire);
  for (int index = 0; index < number; index++) {
    if ((uintptr_t)address >= all[index].begin && (uintptr_t)address < all[index].end) return &all[index];
  }
  return NULL;
}

/* Records the addresses of the object that contains `library->begin`. */
static int note_range(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct loaded *library = context;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    if (info->dlpi_phdr[index].p_type != PT_LOAD) continue;
    uintptr_t first = info->dlpi_addr + info->dlpi_phdr[index].p_vaddr, last = first + info->dlpi_phdr[index].p_memsz;
    if (first < begin) begin = first;
    if (last > end) end = last;
  }
  if (library->begin < begin || library->begin >= end) return 0;
  library->begin = begin;
  library->end = end;
  return 1;
}

/* A function of one library; null if the name resolves to another library. */
static void *function(const struct loaded *library, void *handle, const char *name) {
  void *address = dlsym(handle, name);
  return (uintptr_t)address >= library->begin && (uintptr_t)address < library->end ? address : NULL;
}

#define FUNCTION(field, name) (*(void **)(void *)&(library->functions.field) = function(library, handle, name))

static bool resolve(struct loaded *library, void *handle) {
  library->functions.begin = (const void *)library->begin;
  library->functions.end = (const void *)library->end;
  *(void **)(void *)&library->initialize = function(library, handle, "sqlite3_initialize");
  *(void **)(void *)&library->os_init = function(library, handle, "sqlite3_os_init");
  *(void **)(void *)&library->log = function(library, handle, "sqlite3_log");
  *(void **)(void *)&library->write_message = function(library, handle, "sqlite3_vsnprintf");
  FUNCTION(filename_database, "sqlite3_filename_database");
  FUNCTION(database_file_object, "sqlite3_database_file_object");
  FUNCTION(db_name, "sqlite3_db_name");
  FUNCTION(status64, "sqlite3_status64");
  FUNCTION(changes, "sqlite3_changes");
  FUNCTION(prepare_v2, "sqlite3_prepare_v2");
  FUNCTION(step, "sqlite3_step");
  FUNCTION(column_int, "sqlite3_column_int");
  FUNCTION(column_text, "sqlite3_column_text");
  FUNCTION(finalize, "sqlite3_finalize");
  return library->initialize != NULL && library->os_init != NULL && FUNCTION(vfs_find, "sqlite3_vfs_find") &&
         FUNCTION(vfs_register, "sqlite3_vfs_register") && FUNCTION(vfs_unregister, "sqlite3_vfs_unregister") &&
         FUNCTION(auto_extension, "sqlite3_auto_extension") && FUNCTION(trace_v2, "sqlite3_trace_v2") &&
         FUNCTION(file_control, "sqlite3_file_control") && FUNCTION(db_filename, "sqlite3_db_filename") &&
         FUNCTION(db_status, "sqlite3_db_status") && FUNCTION(stmt_status, "sqlite3_stmt_status") &&
         FUNCTION(stmt_readonly, "sqlite3_stmt_readonly") && FUNCTION(stmt_busy, "sqlite3_stmt_busy") &&
         FUNCTION(next_stmt, "sqlite3_next_stmt") &&
         FUNCTION(sql, "sqlite3_sql") && FUNCTION(db_handle, "sqlite3_db_handle") &&
         FUNCTION(total_changes, "sqlite3_total_changes") && FUNCTION(get_autocommit, "sqlite3_get_autocommit") &&
         FUNCTION(libversion, "sqlite3_libversion");
}

/* The library that contains an address; null if it is not SQLite, or lacks a function that is needed. */
static struct loaded *learn(const void *address) {
  struct loaded *library = known(address);
  Dl_info info;
  if (library != NULL || dladdr(address, &info) == 0) return library;
  /* The handle is kept, so that the library is not unloaded. It is null for the program itself. */
  void *handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL) return NULL;
  pthread_mutex_lock(&finding);
  library = known(address);
  int number = atomic_load(&count);
  bool is_kept = false;
  if (library == NULL && number < MOST_LOADED) {
    library = &all[number];
    memset(library, 0, sizeof *library);
    library->begin = (uintptr_t)address;
    is_kept = dl_iterate_phdr(note_range, library) == 1 && resolve(library, handle);
    if (is_kept) {
      atomic_store_explicit(&count, number + 1, memory_order_release);
    } else {
      library = NULL;
    }
  }
  pthread_mutex_unlock(&finding);
  if (!is_kept) dlclose(handle);
  return library;
}

/* The function of the SQLite library that the caller uses: one loaded for the whole process, or one that the caller depends
   on. */
static void *next(const void *caller, const char *name) {
  void *address = dlsym(RTLD_NEXT, name);
  Dl_info info;
  if (address != NULL || dladdr(caller, &info) == 0) return address;
  void *handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL) return NULL;
  address = dlsym(handle, name);
  dlclose(handle);
  Dl_info found;
  /* This is our own function if the caller is the program and no library defines it. */
  bool is_ours = address != NULL && dladdr(address, &found) != 0 && dladdr((void *)(uintptr_t)next, &info) != 0 && found.dli_fbase == info.dli_fbase;
  return is_ours ? NULL : address;
}

static int initialize(struct loaded *library) {
  depth++;
  int code = library->initialize();
  depth--;
  /* Not within os_init, which holds the main mutex, and not while the extension is being added. */
  if (code == SQLITE_OK && depth == 0 && atomic_load_explicit(&library->wants_trace, memory_order_acquire)) {
    depth++;
    store_meter_trace(&library->functions);
    depth--;
    atomic_store_explicit(&library->wants_trace, false, memory_order_release);
  }
  return code;
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int sqlite3_initialize(void) {
  const void *caller = __builtin_return_address(0);
  struct loaded *library = known(caller);
  if (library != NULL) return initialize(library);
  /* The call is the first from a SQLite library, or it is from the program. */
  library = learn(caller);
  if (library != NULL) return initialize(library);
  int (*call)(void) = NULL;
  *(void **)(void *)&call = next(caller, "sqlite3_initialize");
  if (call == NULL) return SQLITE_ERROR;
  library = learn((const void *)(uintptr_t)call);
  return library != NULL ? initialize(library) : call();
}

EXPORTED int sqlite3_os_init(void) {
  const void *caller = __builtin_return_address(0);
  struct loaded *library = learn(caller);
  if (library == NULL) {
    int (*call)(void) = NULL;
    *(void **)(void *)&call = next(caller, "sqlite3_os_init");
    return call == NULL ? SQLITE_ERROR : call();
  }
  int code = library->os_init();
  if (code != SQLITE_OK || !store_meter_is_wanted()) return code;
  depth++;
  code = store_meter_register(&library->functions);
  depth--;
  atomic_store_explicit(&library->wants_trace, true, memory_order_release);
  return code;
}

/* A library loaded with RTLD_DEEPBIND, as PHP loads its modules, and the libraries it depends on call their own functions, not
   preloaded ones. This is not true of a SQLite library that was loaded before. So one is loaded first, visible to nobody else. */

typedef void *(*opener)(const char *, int);
static opener _Atomic next_dlopen;

static void load_first(opener open) {
  static atomic_bool is_done;
  if (atomic_exchange(&is_done, true) || !store_meter_is_wanted()) return;
  open("libsqlite3.so.0", RTLD_LAZY | RTLD_LOCAL);
}

/* dlopen searches the caller's own paths, and finds the caller by its return address. So this function must be left before the
   next dlopen begins. */
#if __has_attribute(musttail)
#define TAIL_CALL __attribute__((musttail)) return
#else
#define TAIL_CALL return
#endif

EXPORTED void *dlopen(const char *name, int mode) {
  opener open = atomic_load(&next_dlopen);
  if (open == NULL) {
    *(void **)(void *)&open = dlsym(RTLD_NEXT, "dlopen");
    atomic_store(&next_dlopen, open);
  }
  if (mode & RTLD_DEEPBIND) load_first(open);
  TAIL_CALL open(name, mode);
}

/* A program's authorizer must not be called for the meter's statements. */

typedef int (*authorizer)(void *, int, const char *, const char *, const char *, const char *);

EXPORTED int sqlite3_set_authorizer(sqlite3 *connection, authorizer decide, void *context) {
  int (*call)(sqlite3 *, authorizer, void *) = NULL;
  *(void **)(void *)&call = next(__builtin_return_address(0), "sqlite3_set_authorizer");
  if (connection != NULL) store_meter_note_authorizer(connection, decide != NULL);
  return call == NULL ? SQLITE_ERROR : call(connection, decide, context);
}

/* SQLite logs each statement that ends with an error, with the code, which tracers do not get. The log is for the program, which may
   have set a function for it. Variable arguments cannot be passed on, so the message is formatted here, as SQLite would. Unless
   SQLite was built for longer messages, it cuts them at 210 bytes. */

enum { LONGEST_MESSAGE = 4096 };

EXPORTED void sqlite3_log(int code, const char *format, ...) {
  const void *caller = __builtin_return_address(0);
  store_meter_note_error(code);
  const struct loaded *library = known(caller);
  void (*log)(int, const char *, ...) = library == NULL ? NULL : library->log;
  char *(*write_message)(int, char *, const char *, va_list) = library == NULL ? NULL : library->write_message;
  if (log == NULL) *(void **)(void *)&log = next(caller, "sqlite3_log");
  if (write_message == NULL) *(void **)(void *)&write_message = next(caller, "sqlite3_vsnprintf");
  if (log == NULL || write_message == NULL) return;
  char message[LONGEST_MESSAGE];
  va_list values;
  va_start(values, format);
  write_message(sizeof message, message, format, values);
  va_end(values);
  log(code, "%s", message);
}

/* A program's tracer is kept together with the meter's. */

typedef int (*tracer)(unsigned, void *, void *, void *);

EXPORTED int sqlite3_trace_v2(sqlite3 *connection, unsigned mask, tracer callback, void *context) {
  if (connection != NULL && store_meter_chain(connection, mask, callback, context) == 0) return SQLITE_OK;
  int (*call)(sqlite3 *, unsigned, tracer, void *) = NULL;
  *(void **)(void *)&call = next(__builtin_return_address(0), "sqlite3_trace_v2");
  return call == NULL ? SQLITE_ERROR : call(connection, mask, callback, context);
}

EXPORTED void *sqlite3_trace(sqlite3 *connection, void (*callback)(void *, const char *), void *context) {
  void *(*call)(sqlite3 *, void (*)(void *, const char *), void *) = NULL;
  *(void **)(void *)&call = next(__builtin_return_address(0), "sqlite3_trace");
  /* A call without a function would only remove the meter's tracer. */
  if (connection != NULL && callback == NULL && store_meter_is_traced(connection)) return NULL;
  if (connection != NULL) store_meter_lose(connection);
  return call == NULL ? NULL : call(connection, callback, context);
}

EXPORTED void *sqlite3_profile(sqlite3 *connection, void (*callback)(void *, const char *, sqlite3_uint64), void *context) {
  void *(*call)(sqlite3 *, void (*)(void *, const char *, sqlite3_uint64), void *) = NULL;
  *(void **)(void *)&call = next(__builtin_return_address(0), "sqlite3_profile");
  if (connection != NULL && callback == NULL && store_meter_is_traced(connection)) return NULL;
  if (connection != NULL) store_meter_lose(connection);
  return call == NULL ? NULL : call(connection, callback, context);
}

#endif
