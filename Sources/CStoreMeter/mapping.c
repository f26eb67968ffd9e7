/* The file or memory with the counters, and the records in it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "meter.h"

char *_Atomic meter_base;
atomic_bool meter_is_stale;
atomic_bool meter_counts_directories;

static char path[1024];
static pthread_once_t opening = PTHREAD_ONCE_INIT;
/* For each table, how many records have blocks in the file. Writing into a hole of a full disk would raise a signal. */
static _Atomic uint64_t database_room, statement_room;
/* The SQLite library of the first connection. */
static const struct store_meter_library *_Atomic opener;
/* Holds the counters if there is no other memory. Nobody reads it. */
static _Alignas(4096) char unread[STORE_METER_SIZE];
/* The number of databases that fit. */
static _Atomic uint64_t most_databases = STORE_METER_DATABASES;

uint64_t meter_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t meter_hash(const char *text, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t index = 0; index < length; index++) hash = (hash ^ (uint8_t)text[index]) * 0x100000001b3u;
  return hash;
}

void *meter_memory(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

int store_meter_is_wanted(void) {
  const char *folder = getenv(STORE_METER_FOLDER_VARIABLE);
  return folder != NULL && folder[0] == '/';
}

/* Allocates the file's blocks from an offset on. */
static bool reserve(int descriptor, uint64_t offset, uint64_t size) {
#if defined(__linux__)
  int error;
  do error = posix_fallocate(descriptor, (off_t)offset, (off_t)size);
  while (error == EINTR);
  return error == 0;
#else
  /* On other systems no program is metered from outside, and no file is made. */
  return descriptor >= 0 && offset + size > 0;
#endif
}

/* Creates and maps this process's own file; null if it cannot be created. */
static char *make_file(void) {
  const char *folder = getenv(STORE_METER_FOLDER_VARIABLE);
  if (folder == NULL) return NULL;
  int descriptor = -1;
  /* A process that executes another program keeps its process number, and may already have a file. */
  for (int number = 0; number < 1000 && descriptor < 0; number++) {
    int length = snprintf(path, sizeof path, "%s/%ld.%d.meter", folder, (long)getpid(), number);
    if (length < 0 || (size_t)length >= sizeof path) return NULL;
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0 && errno != EEXIST) return NULL;
  }
  if (descriptor < 0) return NULL;
  char *base = MAP_FAILED;
  if (ftruncate(descriptor, STORE_METER_SIZE) == 0 && reserve(descriptor, 0, STORE_METER_STATEMENTS_OFFSET) &&
      reserve(descriptor, STORE_METER_DATABASES_OFFSET, 2 * STORE_METER_DATABASE_SIZE) &&
      reserve(descriptor, STORE_METER_STATEMENTS_OFFSET, 2 * STORE_METER_STATEMENT_SIZE)) {
    base = mmap(NULL, STORE_METER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  }
  close(descriptor);
  if (base != MAP_FAILED) return base;
  unlink(path);
  return NULL;
}

static size_t size_of_memory(uint64_t databases) {
  return STORE_METER_DATABASES_OFFSET + (size_t)databases * STORE_METER_DATABASE_SIZE;
}

/* Memory private to this process, whose pages are allocated when they are written; null if there is none. */
static char *make_memory(void) {
  int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *base = mmap(NULL, size_of_memory(METER_MOST_DATABASES), PROT_READ | PROT_WRITE, kind, -1, 0);
  if (base == MAP_FAILED) return NULL;
  atomic_store(&most_databases, METER_MOST_DATABASES);
  return base;
}

/* The least time that reading the clock takes. */
static uint64_t time_of_clock(void) {
  uint64_t least = UINT64_MAX;
  for (int number = 0; number < 20; number++) {
    uint64_t began = meter_now(), time = meter_now() - began;
    if (time < least) least = time;
  }
  return least;
}

void meter_note_own_time(uint64_t began) {
  static _Atomic uint64_t clock_ns;
  /* Nothing timed here takes this long, so the thread was interrupted. */
  enum { LONGEST = 50000 };
  uint64_t time = meter_now() - began, clock = atomic_load_explicit(&clock_ns, memory_order_relaxed);
  if (clock == 0) {
    clock = time_of_clock();
    atomic_store_explicit(&clock_ns, clock, memory_order_relaxed);
  }
  time = time > clock ? time - clock : 0;
  struct store_meter_header *header = meter_header();
  METER_ADD(header->own_calls, METER_OWN_EACH);
  METER_ADD(header->own_timed_calls, 1);
  METER_ADD(header->own_timed_ns, time < LONGEST ? time : LONGEST);
}

static void fill_header(char *base, bool is_fork) {
  struct store_meter_header *header = (struct store_meter_header *)(void *)base;
  header->version = STORE_METER_VERSION;
  header->size = STORE_METER_SIZE;
  header->process = getpid();
  header->parent = getppid();
  header->began_ns = meter_now();
  header->is_fork = is_fork;
  bool is_private = atomic_load(&opener)->is_private;
  const char *traces = getenv(STORE_METER_STATEMENTS_VARIABLE), *is_exact = getenv(STORE_METER_EXACT_VARIABLE);
  header->counts_directories = atomic_load(&meter_counts_directories);
  header->traces = is_private || traces == NULL || strcmp(traces, "0") != 0;
  header->is_exact = is_private || (is_exact != NULL && strcmp(is_exact, "1") == 0);
  ssize_t length = readlink("/proc/self/exe", base + STORE_METER_EXECUTABLE_OFFSET, STORE_METER_EXECUTABLE_SIZE - 1);
  if (length < 0) base[STORE_METER_EXECUTABLE_OFFSET] = 0;
  strncpy(base + STORE_METER_SQLITE_OFFSET, atomic_load(&opener)->libversion(), STORE_METER_SQLITE_SIZE - 1);
  header->databases = 1;
  header->statements = 1;
  header->connections = 1;
  ((struct store_meter_connection *)(void *)(base + STORE_METER_CONNECTIONS_OFFSET))->state = 2;
  ((struct store_meter_database *)(void *)(base + STORE_METER_DATABASES_OFFSET))->state = 2;
  ((struct store_meter_statement *)(void *)(base + STORE_METER_STATEMENTS_OFFSET))->state = 2;
}

/* Creates a mapping for the process. */
static char *make(bool is_fork) {
  uint64_t began = meter_now();
  char *base = atomic_load(&opener)->is_private ? make_memory() : make_file();
  if (base == NULL) {
    path[0] = 0;
    base = unread;
  }
  atomic_store(&database_room, 2);
  atomic_store(&statement_room, 2);
  fill_header(base, is_fork);
  ((struct store_meter_header *)(void *)base)->own_rare_ns = meter_now() - began;
  return base;
}

static void publish(char *base) {
  atomic_store(&meter_base, base);
  __atomic_store_n(&((struct store_meter_header *)(void *)base)->magic, STORE_METER_MAGIC, __ATOMIC_RELEASE);
}

/* One thread at a time creates records. Any thread may find them. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static void in_child(void) {
  /* Another thread of the parent may have held it. */
  pthread_mutex_init(&making, NULL);
  meter_connections_in_child();
  meter_files_in_child();
  if (atomic_load(&meter_base) != NULL) atomic_store(&meter_is_stale, true);
}

static void open_once(void) {
  publish(make(false));
  meter_open_heap(atomic_load(&opener));
  pthread_atfork(NULL, NULL, in_child);
}

/* Reserves space for records up to a number. */
static bool make_room(_Atomic uint64_t *room, uint64_t number, uint64_t limit, uint64_t offset, uint64_t size) {
  uint64_t there = atomic_load(room);
  if (number < there) return true;
  if (number >= limit) return false;
  if (path[0] == 0) return true;
  uint64_t wanted = there + 32 > limit ? limit : there + 32;
  while (wanted <= number) wanted = wanted + 32 > limit ? limit : wanted + 32;
  int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return false;
  bool is_there = reserve(descriptor, offset + there * size, (wanted - there) * size);
  close(descriptor);
  /* Another thread may have reserved more. */
  if (is_there) {
    while (there < wanted && !atomic_compare_exchange_weak(room, &there, wanted)) {}
  }
  return is_there;
}

/* Copies the numbers and names of the parent's records, whose counts start at 0: inherited connections and files stay in use.
   Returns false if there is no room for a record. */
static bool keep_names(char *base, const char *parent) {
  struct store_meter_header *header = (struct store_meter_header *)(void *)base;
  const struct store_meter_header *before = (const struct store_meter_header *)(const void *)parent;
  for (uint64_t number = 1; number < before->databases; number++) {
    if (!make_room(&database_room, number, atomic_load(&most_databases), STORE_METER_DATABASES_OFFSET, STORE_METER_DATABASE_SIZE)) return false;
    size_t offset = STORE_METER_DATABASES_OFFSET + number * STORE_METER_DATABASE_SIZE;
    struct store_meter_database *to = (struct store_meter_database *)(void *)(base + offset);
    const struct store_meter_database *from = (const struct store_meter_database *)(const void *)(parent + offset);
    memcpy(base + offset + STORE_METER_PRAGMAS_OFFSET, parent + offset + STORE_METER_PRAGMAS_OFFSET, STORE_METER_PRAGMAS_SIZE + STORE_METER_PATH_SIZE);
    to->hash = from->hash;
    to->page_size = from->page_size;
    to->wal_size = to->wal_peak = from->wal_size;
    to->open = from->open;
    header->wal_size += from->wal_size;
    header->wal_peak = header->wal_size;
    to->state = 2;
    header->databases = number + 1;
  }
  for (uint64_t number = 1; number < before->statements; number++) {
    if (!make_room(&statement_room, number, STORE_METER_STATEMENTS, STORE_METER_STATEMENTS_OFFSET, STORE_METER_STATEMENT_SIZE)) return false;
    size_t offset = STORE_METER_STATEMENTS_OFFSET + number * STORE_METER_STATEMENT_SIZE;
    struct store_meter_statement *to = (struct store_meter_statement *)(void *)(base + offset);
    const struct store_meter_statement *from = (const struct store_meter_statement *)(const void *)(parent + offset);
    memcpy(base + offset + STORE_METER_PLAN_OFFSET, parent + offset + STORE_METER_PLAN_OFFSET, STORE_METER_PLAN_SIZE + STORE_METER_TEXT_SIZE);
    to->hash = from->hash;
    to->text_length = from->text_length;
    to->database = from->database;
    to->is_reading = from->is_reading;
    to->has_plan = from->has_plan;
    to->state = 2;
    header->statements = number + 1;
  }
  for (uint64_t number = 1; number < before->connections; number++) {
    size_t offset = STORE_METER_CONNECTIONS_OFFSET + number * STORE_METER_CONNECTION_SIZE;
    struct store_meter_connection *to = (struct store_meter_connection *)(void *)(base + offset);
    const struct store_meter_connection *from = (const struct store_meter_connection *)(const void *)(parent + offset);
    to->database = from->database;
    to->thread = from->thread;
    to->open = from->open;
    to->state = 2;
    header->connections = number + 1;
  }
  return true;
}

void meter_renew(void) {
  pthread_mutex_lock(&making);
  if (atomic_load(&meter_is_stale)) {
    char *parent = atomic_load(&meter_base);
    char *base = make(true);
    if (base != parent) {
      /* Inherited records may be written to, but a hole of a full disk must not be. So use memory that nobody reads. */
      if (!keep_names(base, parent)) {
        munmap(base, STORE_METER_SIZE);
        unlink(path);
        path[0] = 0;
        base = unread;
        fill_header(base, true);
      }
      publish(base);
      meter_open_heap(atomic_load(&opener));
      if (parent != unread) munmap(parent, size_of_memory(atomic_load(&most_databases)));
    }
    atomic_store_explicit(&meter_is_stale, false, memory_order_release);
  }
  pthread_mutex_unlock(&making);
}

void meter_open(const struct store_meter_library *library) {
  if (atomic_load(&meter_base) == NULL) {
    atomic_store(&opener, library);
    pthread_once(&opening, open_once);
  }
}

/* Tables from hashes to numbers. Nothing is ever removed from them. */
static _Atomic uint16_t databases[2 * METER_MOST_DATABASES], statements[2 * STORE_METER_STATEMENTS];

static uint32_t find_database(uint64_t hash, size_t *slot) {
  size_t size = sizeof databases / sizeof *databases;
  for (*slot = hash % size;; *slot = (*slot + 1) % size) {
    uint32_t number = atomic_load_explicit(&databases[*slot], memory_order_acquire);
    if (number == 0 || METER_READ(meter_database(number)->hash) == hash) return number;
  }
}

uint32_t meter_known_database(const char *name) {
  size_t slot;
  return name == NULL || name[0] == 0 ? 0 : find_database(meter_hash(name, strlen(name)), &slot);
}

uint32_t meter_database_number(const char *name) {
  if (name == NULL || name[0] == 0) return 0;
  size_t length = strlen(name), slot;
  uint64_t hash = meter_hash(name, length);
  uint32_t number = find_database(hash, &slot);
  if (number != 0) return number;
  pthread_mutex_lock(&making);
  number = find_database(hash, &slot);
  struct store_meter_header *header = meter_header();
  uint64_t next = header->databases;
  if (number == 0 && make_room(&database_room, next, atomic_load(&most_databases), STORE_METER_DATABASES_OFFSET, STORE_METER_DATABASE_SIZE)) {
    number = (uint32_t)next;
    struct store_meter_database *database = meter_database(number);
    size_t stored = length < STORE_METER_PATH_SIZE ? length : STORE_METER_PATH_SIZE - 1;
    memcpy((char *)database + STORE_METER_PATH_OFFSET, name, stored);
    METER_SET(database->hash, hash);
    __atomic_store_n(&database->state, 2, __ATOMIC_RELEASE);
    __atomic_store_n(&header->databases, next + 1, __ATOMIC_RELEASE);
    atomic_store_explicit(&databases[slot], (uint16_t)number, memory_order_release);
  }
  if (number == 0) METER_ADD(header->lost_databases, 1);
  pthread_mutex_unlock(&making);
  return number;
}

static uint32_t find_statement(uint64_t hash, size_t *slot) {
  size_t size = sizeof statements / sizeof *statements;
  for (*slot = hash % size;; *slot = (*slot + 1) % size) {
    uint32_t number = atomic_load_explicit(&statements[*slot], memory_order_acquire);
    if (number == 0 || METER_READ(meter_statement(number)->hash) == hash) return number;
  }
}

uint32_t meter_statement_number(uint64_t hash, const char *text, size_t stored, size_t length) {
  size_t slot;
  uint32_t number = find_statement(hash, &slot);
  if (number != 0) return number;
  struct store_meter_header *header = meter_header();
  /* Once the table is full, it stays full. */
  if (METER_READ(header->statements) >= STORE_METER_STATEMENTS) return 0;
  pthread_mutex_lock(&making);
  number = find_statement(hash, &slot);
  uint64_t next = header->statements;
  if (number == 0 && make_room(&statement_room, next, STORE_METER_STATEMENTS, STORE_METER_STATEMENTS_OFFSET, STORE_METER_STATEMENT_SIZE)) {
    number = (uint32_t)next;
    struct store_meter_statement *statement = meter_statement(number);
    memcpy((char *)statement + STORE_METER_TEXT_OFFSET, text, stored < STORE_METER_TEXT_SIZE ? stored : STORE_METER_TEXT_SIZE - 1);
    statement->text_length = length;
    METER_SET(statement->hash, hash);
    __atomic_store_n(&statement->state, 2, __ATOMIC_RELEASE);
    __atomic_store_n(&header->statements, next + 1, __ATOMIC_RELEASE);
    atomic_store_explicit(&statements[slot], (uint16_t)number, memory_order_release);
  }
  pthread_mutex_unlock(&making);
  return number;
}

void meter_note_pragma(uint32_t number, const char *setting) {
  char *settings = (char *)meter_database(number) + STORE_METER_PRAGMAS_OFFSET;
  size_t name = strcspn(setting, "="), added = strlen(setting);
  pthread_mutex_lock(&making);
  char kept[STORE_METER_PRAGMAS_SIZE] = "";
  size_t length = 0;
  /* A new value replaces the earlier one of the same pragma. */
  for (const char *word = settings; *word != 0; word += strcspn(word, " "), word += *word == ' ') {
    size_t size = strcspn(word, " ");
    if (strncmp(word, setting, name + 1) == 0 || length + size + 1 >= sizeof kept) continue;
    memcpy(kept + length, word, size);
    length += size;
    kept[length++] = ' ';
  }
  if (length + added < sizeof kept) memcpy(kept + length, setting, added + 1);
  memcpy(settings, kept, sizeof kept);
  pthread_mutex_unlock(&making);
}
