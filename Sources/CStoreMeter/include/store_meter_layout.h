/* The mapping in which the meter of SQLite publishes its counters: one file a process, in a private folder, or memory of the
   process itself where the meter is linked into it.

   The meter writes it, and any other process may read a file at any moment, also after the writer was killed. Every field is
   one aligned word that is written whole; two fields read while the program runs are not of one instant. Times are of
   CLOCK_MONOTONIC, in nanoseconds. Texts lie beside the records and not in them, so that Swift imports plain structures. */
#ifndef STORE_METER_LAYOUT_H
#define STORE_METER_LAYOUT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// "STOREMTR", as the first word of the file on a machine of this byte order.
#define STORE_METER_MAGIC 0x52544d45524f5453
/// The version of this layout; raised with every change of it.
#define STORE_METER_VERSION 10

/// The environment variable that names the folder of the files. If it is not set, the meter does nothing.
#define STORE_METER_FOLDER_VARIABLE "BATCHMARK_METER_FOLDER"
/// Set to 1, it keeps the texts of statements as the program wrote them.
#define STORE_METER_VALUES_VARIABLE "BATCHMARK_METER_VALUES"
/// Set to 0, files alone are metered, and no statement.
#define STORE_METER_STATEMENTS_VARIABLE "BATCHMARK_METER_STATEMENTS"
/// Set to 0, no statement's plan is asked for.
#define STORE_METER_PLANS_VARIABLE "BATCHMARK_METER_PLANS"
/// Set to 1, every run of a statement is looked at as it ends, however often it runs.
#define STORE_METER_EXACT_VARIABLE "BATCHMARK_METER_EXACT"

/* Where things lie, in bytes. The header is followed by three tables of fixed size; in memory of the process itself the last, that of
   databases, has more room. Texts end with a zero byte. */
enum {
  STORE_METER_HEADER_SIZE = 4096,
  STORE_METER_CONNECTIONS = 1024,
  STORE_METER_CONNECTION_SIZE = 256,
  STORE_METER_DATABASES = 2048,
  STORE_METER_DATABASE_SIZE = 4096,
  STORE_METER_STATEMENTS = 1024,
  STORE_METER_STATEMENT_SIZE = 4096,
  STORE_METER_CONNECTIONS_OFFSET = STORE_METER_HEADER_SIZE,
  STORE_METER_STATEMENTS_OFFSET = STORE_METER_CONNECTIONS_OFFSET + STORE_METER_CONNECTIONS * STORE_METER_CONNECTION_SIZE,
  STORE_METER_DATABASES_OFFSET = STORE_METER_STATEMENTS_OFFSET + STORE_METER_STATEMENTS * STORE_METER_STATEMENT_SIZE,
  STORE_METER_SIZE = STORE_METER_DATABASES_OFFSET + STORE_METER_DATABASES * STORE_METER_DATABASE_SIZE,

  /* In the header: the program's path, SQLite's version, and the VFS by which a connection last passed the meter by. */
  STORE_METER_EXECUTABLE_OFFSET = 1024,
  STORE_METER_EXECUTABLE_SIZE = 1024,
  STORE_METER_SQLITE_OFFSET = 2048,
  STORE_METER_SQLITE_SIZE = 64,
  STORE_METER_VFS_OFFSET = 2112,
  STORE_METER_VFS_SIZE = 64,

  /* In a database: what the program set by PRAGMA, as in "journal_mode=wal synchronous=1", the path, and the sizes of the
     write-ahead log over time. */
  STORE_METER_PRAGMAS_OFFSET = 1536,
  STORE_METER_PRAGMAS_SIZE = 256,
  STORE_METER_PATH_OFFSET = 1792,
  STORE_METER_PATH_SIZE = 1024,
  STORE_METER_GROWTH_OFFSET = 2816,
  STORE_METER_MOMENTS = 64,

  /* In a statement: its plan, a line a step, each below another with two spaces more; its text; 160 counters of 32 bits of runs by their time, four steps a doubling, the first of less than
     8 ns; and runs begun, in 8 words on cache lines of their own, to be added: each connection has one of them. */
  STORE_METER_PLAN_OFFSET = 256,
  STORE_METER_PLAN_SIZE = 768,
  STORE_METER_TEXT_OFFSET = 1024,
  STORE_METER_TEXT_SIZE = 1536,
  STORE_METER_TIMES_OFFSET = 2560,
  STORE_METER_TIMES = 160,
  STORE_METER_CALLS_OFFSET = 3456,
  STORE_METER_CALLS = 8,
  STORE_METER_CALLS_STRIDE = 64,

  /* A run in so many of a statement that runs again and again is timed; see `timed_runs`. */
  STORE_METER_TIMED_EACH = 16
};

/// What a process has allocated, where the allocation meter is preloaded too; all 0 where it is not.
struct store_meter_heap {
  /* These four are program_allocation_meter.h's. */
  int64_t live_bytes;
  int64_t peak_bytes;
  uint64_t allocations;
  uint64_t allocated_bytes;
  /// What SQLite has of them, by its own count, and the rest; seen when a statement's run begins or ends.
  uint64_t is_known;
  uint64_t sqlite_bytes;
  uint64_t sqlite_peak_bytes;
  uint64_t rest_peak_bytes;
};

/// A process.
struct store_meter_header {
  /// 0 until the rest is there.
  uint64_t magic;
  uint64_t version;
  uint64_t size;
  int64_t process;
  int64_t parent;
  uint64_t began_ns;
  /// 1 where the process was forked from one that had connections, and inherited them.
  uint64_t is_fork;
  /// Threads that ran statements or wrote files.
  uint64_t threads;
  /* Records in use; the first stands for what has no place, and that of databases for what has no file. */
  uint64_t connections;
  uint64_t databases;
  uint64_t statements;
  /// Connections and databases for which there was no record.
  uint64_t lost_connections;
  uint64_t lost_databases;
  /// Connections opened, all of them.
  uint64_t opened;
  /// Those without a file: in memory or temporary.
  uint64_t opened_in_memory;
  /// Those through a VFS of the program's own that does not lead here, and databases attached through one.
  uint64_t opened_elsewhere;
  /// Connections whose tracer the program replaced in a way that cannot be chained.
  uint64_t untraced;
  /// Calls of xSleep, by which SQLite waits for locks, and how long they took.
  uint64_t sleeps;
  uint64_t sleep_ns;
  /// Runs of statements that were timed.
  uint64_t events;
  /// 1 where statements are metered.
  uint64_t traces;
  /// 1 where syncs of directories are counted.
  uint64_t counts_directories;
  /// 1 where every run of a statement is looked at as it ends.
  uint64_t is_exact;
  /// The sizes of all write-ahead logs together, and the largest that their sum was since the peak was last marked.
  uint64_t wal_size;
  uint64_t wal_peak;
  /* What the meter itself takes: making its file and asking for plans, and one call in a few of the rest, each cut where it must have been
     interrupted. What SQLite does to call it is not in there. */
  uint64_t own_rare_ns;
  uint64_t own_calls;
  uint64_t own_timed_calls;
  uint64_t own_timed_ns;
  struct store_meter_heap heap;
};

/// The connections that one thread opened to one database.
struct store_meter_connection {
  /// 0 unused, 2 in use.
  uint64_t state;
  uint64_t database;
  uint64_t thread;
  uint64_t opened;
  /// How many are open now, and the most that were.
  uint64_t open;
  uint64_t most_open;
  /// How long those that were closed, or lost their tracer, had been open.
  uint64_t open_ns;
  /// Statements that were run.
  uint64_t statements;
  uint64_t unfinalized;
};

/// Calls and bytes of one kind of file of a database. Calls that failed count as calls, but not their bytes.
struct store_meter_file {
  uint64_t opens;
  uint64_t reads;
  uint64_t bytes_read;
  uint64_t writes;
  uint64_t bytes_written;
  uint64_t syncs;
  uint64_t sync_ns;
  uint64_t longest_sync_ns;
  uint64_t truncates;
};

/// How a transaction got the lock for writing.
enum store_meter_kind {
  /// A statement outside a transaction.
  STORE_METER_AUTOCOMMIT,
  /// BEGIN, and a later statement that wrote.
  STORE_METER_DEFERRED,
  STORE_METER_IMMEDIATE,
  STORE_METER_EXCLUSIVE,
  /// Where statements are not metered, or no lock is taken for a transaction, as in exclusive locking mode.
  STORE_METER_UNKNOWN_KIND,
  STORE_METER_KINDS
};

/// Transactions of one kind that write.
struct store_meter_transactions {
  uint64_t begun;
  uint64_t committed;
  /// How long they held the lock for writing.
  uint64_t held_ns;
  uint64_t longest_ns;
};

/// The size of a write-ahead log in one stretch of time, counted from the beginning of the process.
struct store_meter_moment {
  /// Bytes, and 1 more: 0 where it was not written to in that time.
  uint64_t highest;
  uint64_t last;
};

/// What a checkpoint was asked to do, as its locks show it.
enum store_meter_mode {
  STORE_METER_PASSIVE,
  STORE_METER_FULL,
  STORE_METER_RESTART,
  STORE_METER_TRUNCATE,
  /// When the last connection closes.
  STORE_METER_CLOSING,
  /// Without a lock, in exclusive locking mode, where nothing shows the mode.
  STORE_METER_UNKNOWN_MODE,
  STORE_METER_MODES
};

/// Checkpoints of one mode; one that a reader or a writer was in the way of may have been asked for more than it shows.
struct store_meter_checkpoints {
  uint64_t runs;
  uint64_t pages;
  uint64_t duration_ns;
  /// Those that left frames or a log that could not start afresh, for a reader; and the most frames that one left.
  uint64_t left_for_reader;
  uint64_t most_frames_left;
  /// Those that wanted the lock for writing and did not get it, and went on as passive ones.
  uint64_t left_for_writer;
};

/// A database file, or all that belongs to none.
struct store_meter_database {
  /// 0 unused, 1 being made, 2 in use.
  uint64_t state;
  uint64_t hash;
  struct store_meter_file database;
  struct store_meter_file wal;
  struct store_meter_file journal;
  struct store_meter_file temporary;
  uint64_t page_size;
  /// Connections opened; those of them that are open; and those that name a VFS which does not lead here, with the databases that
  /// they attach through one.
  uint64_t connections;
  uint64_t open;
  uint64_t opened_elsewhere;
  /// Those that were gone without the tracer having heard of it: somebody had taken its place.
  uint64_t untraced;
  /// Calls about the shared memory of a write-ahead log's index.
  uint64_t shared_maps;
  uint64_t shared_locks;
  uint64_t shared_barriers;
  /// Frames appended to the write-ahead log: pages with a header written before them.
  uint64_t wal_frames;
  /// Pages overwritten in place in it, within the transaction that appended them.
  uint64_t wal_overwrites;
  /// Its header, and frames with theirs.
  uint64_t wal_bytes_appended;
  uint64_t wal_restarts;
  uint64_t wal_commits;
  /* Peaks are those since they were last marked; where the meter is preloaded nobody marks them. */
  uint64_t wal_commit_peak;
  /// The most frames that were in the log and not in the database when a commit was done, and commits of which that is known.
  uint64_t wal_backlog_peak;
  uint64_t wal_commits_with_backlog;
  uint64_t wal_size;
  uint64_t wal_peak;
  /// Frames and checkpoints when rows were last begun to be watched.
  uint64_t watched_frames;
  uint64_t watched_checkpoints;
  /// How long each of the moments at STORE_METER_GROWTH_OFFSET is; it doubles where there are not enough of them.
  uint64_t moment_ns;
  /// 1 while a thread writes them.
  uint64_t moments_taken;
  /* Transactions that write. */
  uint64_t write_locks;
  uint64_t commits;
  uint64_t held_ns;
  uint64_t longest_held_ns;
  /// Commits of one row, each less than 100 ms before the next transaction of the same connection.
  uint64_t lone_commits;
  /// Write locks that another connection held.
  uint64_t refusals;
  /// Those of them whose statement did not wait.
  uint64_t refusals_at_once;
  /// Transactions that had read and wanted to write after another had written.
  uint64_t stale_snapshots;
  /// Runs of statements of its connections that ended with SQLITE_LOCKED: a table was in use by another statement of the same
  /// connection, or by another connection of a shared cache. Where the meter is preloaded.
  uint64_t locked_runs;
  /// Transactions that began with reading and wrote later.
  uint64_t upgrades;
  /// Refusals, of those without a wait, of transactions that had read before: SQLite calls no busy handler for them.
  uint64_t refused_upgrades;
  /* Checkpoints. */
  uint64_t checkpoints;
  uint64_t checkpointed_pages;
  uint64_t checkpoint_ns;
  uint64_t longest_checkpoint_ns;
  /// Checkpoints that left frames, since a reader still needed older ones.
  uint64_t held_back;
  uint64_t held_back_frames;
  /// The statement that the oldest reader of this process was running then; 0 for none that is known.
  uint64_t held_back_statement;
  /// The thread of that reader, and how often no reader of this process was there: it was another's.
  uint64_t held_back_thread;
  uint64_t held_back_elsewhere;
  /// Checkpoints that did not begin, since another was running.
  uint64_t checkpoints_refused;
  struct store_meter_checkpoints checkpoints_by_mode[STORE_METER_MODES];
  struct store_meter_transactions transactions[STORE_METER_KINDS];
  /// Directories that were opened to be synced, for files of this database.
  uint64_t directory_syncs;
  /// Removals of its journal or log that sync the directory, with that sync.
  uint64_t directory_ns;
  uint64_t longest_directory_ns;
  /* Transactions that read. */
  uint64_t read_locks;
  uint64_t longest_read_ns;
  uint64_t longest_read_statement;
  /* Page caches. */
  uint64_t cache_hits;
  uint64_t cache_misses;
  uint64_t cache_spills;
  uint64_t cache_writes;
  uint64_t rows_changed;
  uint64_t unfinalized;
  /* Statements of its connections whose runs were looked at as they ended: all of them where the header says so. */
  uint64_t statements;
  uint64_t vm_steps;
  uint64_t full_scan_steps;
  uint64_t sorts;
  uint64_t automatic_index_rows;
  uint64_t repreparations;
  /// Runs that read a table through, beyond its first row.
  uint64_t full_scans;
};

/// A database's write-ahead log when the rows that are watched reached a count.
struct store_meter_point {
  uint64_t rows;
  uint64_t wal_size;
  /* Since watching began. */
  uint64_t wal_frames;
  uint64_t checkpoints;
};

/// The statements of one text.
struct store_meter_statement {
  /// 0 unused, 1 being made, 2 in use.
  uint64_t state;
  uint64_t hash;
  uint64_t text_length;
  uint64_t database;
  uint64_t is_reading;
  /// Prepared statements that were run.
  uint64_t preparations;
  /// Runs that were timed, and their time from the first step to the reset or the end.
  uint64_t timed_runs;
  uint64_t timed_ns;
  uint64_t longest_ns;
  uint64_t rows_returned;
  uint64_t rows_changed;
  /// Of runs that have ended; those of the last few of a statement that runs again and again may be missing.
  uint64_t vm_steps;
  uint64_t full_scan_steps;
  uint64_t sorts;
  uint64_t automatic_index_rows;
  uint64_t repreparations;
  uint64_t temporary_files;
  uint64_t temporary_bytes;
  /// Runs outside a transaction of statements that write.
  uint64_t autocommits;
  /// Runs, each for one row of another statement.
  uint64_t runs_for_rows;
  uint64_t times_for_rows;
  uint64_t rows_statement;
  /// Write locks refused, and snapshots found stale, in runs of it.
  uint64_t refusals;
  uint64_t stale_snapshots;
  /// Runs of it that ended with SQLITE_LOCKED, where the meter is preloaded.
  uint64_t locked_runs;
  /// Calls by which SQLite allocated in runs of it, and their bytes, where the allocation meter is preloaded too.
  uint64_t allocations;
  uint64_t allocated_bytes;
  /// 1 where the plan was asked for.
  uint64_t has_plan;
};

#ifdef __cplusplus
}
#endif

#endif
