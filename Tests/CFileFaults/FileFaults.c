/* Makes single calls for files of a folder fail, to test what a run leaves. In a program linked with this, these functions
   replace those of the C library. Environment variables control them:
     FILE_FAULT_FOLDER  the folder, except for its folders of stores and private folders
     FILE_FAULT_NUMBER  the number of the call that fails, from 1; without it, none fails
     FILE_FAULT_LASTING whether all later calls fail, too: 1 or 0
     FILE_FAULT_ERROR   the number of the error; a failing write first writes half of its bytes
     FILE_FAULT_LOG     a file that gets a line for each call, to count them
   Only the process that was started with these variables counts calls: its children find FILE_FAULT_PROCESS set. */
#include "CFileFaults.h"

/* The sanitizers intercept the same calls. */
#if defined(__linux__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static struct {
  char folder[4096];
  long number;
  int lasting;
  int error;
  int log;
  int counts;
  long calls;
  pthread_mutex_t lock;
} faults = {.log = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

/* The descriptors of files in the folder. */
static unsigned char watched[4096];

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("FILE_FAULT_FOLDER");
  if (!folder || getenv("FILE_FAULT_PROCESS") || strlen(folder) >= sizeof(faults.folder)) return;
  strcpy(faults.folder, folder);
  const char *number = getenv("FILE_FAULT_NUMBER");
  const char *lasting = getenv("FILE_FAULT_LASTING");
  const char *error = getenv("FILE_FAULT_ERROR");
  const char *log = getenv("FILE_FAULT_LOG");
  faults.number = number ? atol(number) : 0;
  faults.lasting = lasting && atoi(lasting);
  faults.error = error ? atoi(error) : EIO;
  if (log) faults.log = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  setenv("FILE_FAULT_PROCESS", "1", 1);
  faults.counts = 1;
}

static int is_watched(const char *path) {
  size_t length = strlen(faults.folder);
  return faults.counts && path && strncmp(path, faults.folder, length) == 0 && path[length] == '/' &&
         !strstr(path + length, "/stores") && !strstr(path + length, "/objectgraph-private");
}

static int is_watched_file(int file) {
  return faults.counts && file >= 0 && (size_t)file < sizeof(watched) && watched[file];
}

/* Counts a call and returns whether it has to fail. */
static int strikes(const char *call) {
  int saved = errno;
  pthread_mutex_lock(&faults.lock);
  long call_number = ++faults.calls;
  pthread_mutex_unlock(&faults.lock);
  int fails = faults.number > 0 && (faults.lasting ? call_number >= faults.number : call_number == faults.number);
  if (faults.log >= 0) dprintf(faults.log, "%ld %s%s\n", call_number, call, fails ? " failed" : "");
  errno = fails ? faults.error : saved;
  return fails;
}

static int opened(int file, const char *path) {
  if (file >= 0 && (size_t)file < sizeof(watched)) watched[file] = (unsigned char)is_watched(path);
  return file;
}

static mode_t mode_of(int flags, va_list list) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

/* Ignore files that are only read. */
static int fails_to_open(const char *path, int flags) {
  return (flags & O_ACCMODE) != O_RDONLY && is_watched(path) && strikes("open");
}

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  if (fails_to_open(path, flags)) return -1;
  int (*call)(const char *, int, ...) = real("open");
  return opened(call(path, flags, mode), (flags & O_ACCMODE) != O_RDONLY ? path : NULL);
}

int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  return open(path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t count) {
  ssize_t (*call)(int, const void *, size_t) = real("write");
  if (is_watched_file(file) && strikes("write")) {
    int saved = errno;
    call(file, bytes, count / 2);
    errno = saved;
    return -1;
  }
  return call(file, bytes, count);
}

int fsync(int file) {
  if (is_watched_file(file) && strikes("fsync")) return -1;
  int (*call)(int) = real("fsync");
  return call(file);
}

int ftruncate(int file, off_t length) {
  if (is_watched_file(file) && strikes("ftruncate")) return -1;
  int (*call)(int, off_t) = real("ftruncate");
  return call(file, length);
}

int close(int file) {
  int fails = is_watched_file(file) && strikes("close");
  int saved = errno;
  if (file >= 0 && (size_t)file < sizeof(watched)) watched[file] = 0;
  int (*call)(int) = real("close");
  int code = call(file);
  if (!fails) return code;
  errno = saved;
  return -1;
}

int rename(const char *old, const char *new) {
  if (is_watched(new) && strikes("rename")) return -1;
  int (*call)(const char *, const char *) = real("rename");
  return call(old, new);
}

int mkdir(const char *path, mode_t mode) {
  if (is_watched(path) && strikes("mkdir")) return -1;
  int (*call)(const char *, mode_t) = real("mkdir");
  return call(path, mode);
}

#endif
