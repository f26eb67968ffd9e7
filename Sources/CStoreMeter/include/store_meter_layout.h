/* The mapping in which SQLite's meter publishes its counters: one file per process, in a private folder, or memory of the process
   if the meter is linked into it.

   The meter writes a file, and any other process may read it at any time, even after the writer was killed. Each field is one
   aligned word that is written as a whole. Two fields that are read while the program runs may be from different moments. Times
   are from CLOCK_MONOTONIC, in nanoseconds. Texts are stored beside the records and not in them, so that Swift imports plain
   structures. */
#ifndef STORE_METER_LAYOUT_H
#define STORE_METER_LAYOUT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// "STOREMTR", the first word of the file on a machine with this byte order.
#define STORE_METER_MAGIC 0x52544d45524f5453
/// The version of this layout. Increase it with every change.
#define STORE_METER_VERSION 10

/// The environment variable that names the folder for the files. If it is not set, the meter does nothing.
#define STORE_METER_FOLDER_VARIABLE "BATCHMARK_METER_FOLDER"
/// If set to 1, the texts of statements are kept as the program wrote them.
#define STORE_METER_VALUES_VARIABLE "BATCHMARK_METER_VALUES"
/// If set to 0, only files are metered, not statements.
#define STORE_METER_STATEMENTS_VARIABLE "BATCHMARK_METER_STATEMENTS"
/// If set to 0, no plans of statements are requested.
#define STORE_METER_PLANS_VARIABLE "BATCHMARK_METER_PLANS"
/// If set to 1, each run of a statement is examined when it ends, however often it runs.
#define STORE_METER_EXACT_VARIABLE "BATCHMARK_METER_EXACT"

/* Offsets and sizes, in bytes. Three tables of fixed size follow the header. In memory of the process, the last table, which is that
   of databases, has more room. Texts end with a zero byte. */
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

  /* In the header: the program's path, SQLite's version, and the VFS through which a connection last bypassed the meter. */
  STORE_METER_EXECUTABLE_OFFSET = 1024,
  STORE_METER_EXECUTABLE_SIZE = 1024,
  STORE_METER_SQLITE_OFFSET = 2048,
  STORE_METER_SQLITE_SIZE = 64,
  STORE_METER_VFS_OFFSET = 2112,
  STORE_METER_VFS_SIZE = 64,

  /* In a database: the program's PRAGMA settings, such as "journal_mode=wal synchronous=1", the path, and the sizes of the
     write-ahead log over time. */
  STORE_METER_PRAGMAS_OFFSET = 1536,
  STORE_METER_PRAGMAS_SIZE = 256,
  STORE_METER_PATH_OFFSET = 1792,
  STORE_METER_PATH_SIZE = 1024,
  STORE_METER_GROWTH_OFFSET = 2816,
  STORE_METER_MOMENTS = 64,

  /* In a statement: its plan, one line per step, indented by two spaces per level; its text; 160 counters of 32 bits, which
     count runs by duration in four steps per doubling, the first below 8 ns; and the runs begun, which are the sum of 8 words,
     each on its own cache line. A connection adds to one of the words. */
  STORE_METER_PLAN_OFFSET = 256,
  STORE_METER_PLAN_SIZE = 768,
  STORE_METER_TEXT_OFFSET = 1024,
  STORE_METER_TEXT_SIZE = 1536,
  STORE_METER_TIMES_OFFSET = 2560,
  STORE_METER_TIMES = 160,
  STORE_METER_CALLS_OFFSET = 3456,
  STORE_METER_CALLS = 8,
  STORE_METER_CALLS_STRIDE = 64,

  /* For a statement that runs repeatedly, one run out of this many is timed: see `timed_runs`. */
  STORE_METER_TIMED_EACH = 16
};

/// What a process has allocated if the allocation meter is preloaded too; otherwise all 0.
struct store_meter_heap {
  /* These four fields are defined by program_allocation_meter.h. */
  int64_t live_bytes;
  int64_t peak_bytes;
  uint64_t allocations;
  uint64_t allocated_bytes;
  /// SQLite's part by its own count, and the rest. Both are read when a statement's run begins or ends.
  uint64_t is_known;
  uint64_t sqlite_bytes;
  uint64_t sqlite_peak_bytes;
  uint64_t rest_peak_bytes;
};

/// A process.
struct store_meter_header {
  /// 0 until the rest has been written.
  uint64_t magic;
  uint64_t version;
  uint64_t size;
  int64_t process;
  int64_t parent;
  uint64_t began_ns;
  /// 1 if the process was forked from one that had connections, and inherited them.
  uint64_t is_fork;
  /// Threads that ran statements or wrote files.
  uint64_t threads;
  /* Records in use. The first record of each table is for everything that has no record of its own; the first database
     record is also for all databases without a file. */
  uint64_t connections;
  uint64_t databases;
  uint64_t statements;
  /// Connections and databases for which there was no free record.
  uint64_t lost_connections;
  uint64_t lost_databases;
  /// All connections opened.
  uint64_t opened;
  /// Connections without a file: in memory or temporary.
  uint64_t opened_in_memory;
  /// Connections through a VFS of the program that bypasses the meter, and databases attached through such a VFS.
  uint64_t opened_elsewhere;
  /// Connections whose tracer the program replaced with one that cannot be chained.
  uint64_t untraced;
  /// Calls of xSleep, with which SQLite waits for locks, and how long they took.
  uint64_t sleeps;
  uint64_t sleep_ns;
  /// Runs of statements that were timed.
  uint64_t events;
  /// 1 if statements are metered.
  uint64_t traces;
  /// 1 if syncs of directories are counted.
  uint64_t counts_directories;
  /// 1 if each run of a statement is examined when it ends.
  uint64_t is_exact;
  /// The size of all write-ahead logs together, and the highest it was since the peak was last marked.
  uint64_t wal_size;
  uint64_t wal_peak;
  /* The meter's own time: for creating its file and asking for plans, and for a sample of the other calls, each cut off
     where it must have been interrupted. SQLite's work to call the meter is not included. */
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
  /// How many are open now, and the most that were open at once.
  uint64_t open;
  uint64_t most_open;
  /// How long the connections were open that have been closed or lost their tracer.
  uint64_t open_ns;
  /// Statements that were run.
  uint64_t statements;
  uint64_t unfinalized;
};

/// Calls and bytes for one kind of file of a database. A failed call counts as a call, but its bytes do not count.
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

/// How a transaction got the write lock.
enum store_meter_kind {
  /// A statement outside a transaction.
  STORE_METER_AUTOCOMMIT,
  /// BEGIN, and a statement that wrote later.
  STORE_METER_DEFERRED,
  STORE_METER_IMMEDIATE,
  STORE_METER_EXCLUSIVE,
  /// If statements are not metered, or no lock is taken for a transaction, as in exclusive locking mode.
  STORE_METER_UNKNOWN_KIND,
  STORE_METER_KINDS
};

/// Write transactions of one kind.
struct store_meter_transactions {
  uint64_t begun;
  uint64_t committed;
  /// How long they held the write lock.
  uint64_t held_ns;
  uint64_t longest_ns;
};

/// The size of a write-ahead log in one period. The first period begins with the process.
struct store_meter_moment {
  /// In bytes, plus 1; 0 if the log was not written to in the period.
  uint64_t highest;
  uint64_t last;
};

/// The mode of a checkpoint, as its locks show it.
enum store_meter_mode {
  STORE_METER_PASSIVE,
  STORE_METER_FULL,
  STORE_METER_RESTART,
  STORE_METER_TRUNCATE,
  /// Made when the last connection closes.
  STORE_METER_CLOSING,
  /// Made without a lock, in exclusive locking mode, where nothing shows the mode.
  STORE_METER_UNKNOWN_MODE,
  STORE_METER_MODES
};

/// Checkpoints of one mode. If a reader or a writer blocked it, a stronger mode may have been requested.
struct store_meter_checkpoints {
  uint64_t runs;
  uint64_t pages;
  uint64_t duration_ns;
  /// Checkpoints that left frames, or a log that could not restart, because of a reader; and the most frames that one left.
  uint64_t left_for_reader;
  uint64_t most_frames_left;
  /// Checkpoints that did not get the write lock and continued as passive ones.
  uint64_t left_for_writer;
};

/// A database file, or everything that belongs to none.
struct store_meter_database {
  /// 0 unused, 1 being made, 2 in use.
  uint64_t state;
  uint64_t hash;
  struct store_meter_file database;
  struct store_meter_file wal;
  struct store_meter_file journal;
  struct store_meter_file temporary;
  uint64_t page_size;
  /// Connections opened; connections that are open; and connections through a VFS that bypasses the meter, with the databases
  /// that
  /// they attach through such a VFS.
  uint64_t connections;
  uint64_t open;
  uint64_t opened_elsewhere;
  /// Connections that closed without the tracer being called, because another tracer had replaced it.
  uint64_t untraced;
  /// Calls for the shared memory of a write-ahead log's index.
  uint64_t shared_maps;
  uint64_t shared_locks;
  uint64_t shared_barriers;
  /// Frames appended to the write-ahead log: pages with a header written before them.
  uint64_t wal_frames;
  /// Pages overwritten in the log, in the transaction that appended them.
  uint64_t wal_overwrites;
  /// The bytes of the log's header, and of frames with their headers.
  uint64_t wal_bytes_appended;
  uint64_t wal_restarts;
  uint64_t wal_commits;
  /* Peaks since they were last marked. Nobody marks them in a preloaded meter. */
  uint64_t wal_commit_peak;
  /// The most frames that were in the log and not in the database after a commit, and the number of commits for which this is
  /// known.
  uint64_t wal_backlog_peak;
  uint64_t wal_commits_with_backlog;
  uint64_t wal_size;
  uint64_t wal_peak;
  /// Frames and checkpoints when watching rows last began.
  uint64_t watched_frames;
  uint64_t watched_checkpoints;
  /// The length of each period at STORE_METER_GROWTH_OFFSET. It doubles when there are not enough periods.
  uint64_t moment_ns;
  /// 1 while a thread writes the periods.
  uint64_t moments_taken;
  /* Write transactions. */
  uint64_t write_locks;
  uint64_t commits;
  uint64_t held_ns;
  uint64_t longest_held_ns;
  /// Commits of one row, each less than 100 ms before the next transaction of the same connection.
  uint64_t lone_commits;
  /// Attempts to get a write lock that another connection held.
  uint64_t refusals;
  /// The attempts among them in which the statement did not wait.
  uint64_t refusals_at_once;
  /// Transactions that had read, and wanted to write after another transaction had written.
  uint64_t stale_snapshots;
  /// Runs of statements of its connections that ended with SQLITE_LOCKED: a table was in use by another statement of the same
  /// connection, or by another connection of a shared cache. Counted by a preloaded meter only.
  uint64_t locked_runs;
  /// Transactions that read first and wrote later.
  uint64_t upgrades;
  /// Refusals without a wait of transactions that had read before. SQLite calls no busy handler for them.
  uint64_t refused_upgrades;
  /* Checkpoints. */
  uint64_t checkpoints;
  uint64_t checkpointed_pages;
  uint64_t checkpoint_ns;
  uint64_t longest_checkpoint_ns;
  /// Checkpoints that left frames because a reader still needed older ones.
  uint64_t held_back;
  uint64_t held_back_frames;
  /// The statement that this process's oldest reader was running at the time; 0 if none is known.
  uint64_t held_back_statement;
  /// The thread of that reader, and how often the reader was in another process.
  uint64_t held_back_thread;
  uint64_t held_back_elsewhere;
  /// Checkpoints that did not begin because another was running.
  uint64_t checkpoints_refused;
  struct store_meter_checkpoints checkpoints_by_mode[STORE_METER_MODES];
  struct store_meter_transactions transactions[STORE_METER_KINDS];
  /// Directories opened to be synced, for files of this database.
  uint64_t directory_syncs;
  /// Time of removals of its journal or log that sync the directory, including the sync.
  uint64_t directory_ns;
  uint64_t longest_directory_ns;
  /* Read transactions. */
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
  /* Runs of its connections' statements that were examined when they ended: all runs if the header says so. */
  uint64_t statements;
  uint64_t vm_steps;
  uint64_t full_scan_steps;
  uint64_t sorts;
  uint64_t automatic_index_rows;
  uint64_t repreparations;
  /// Runs that scanned a table beyond its first row.
  uint64_t full_scans;
};

/// A database's write-ahead log when the watched rows reached a count.
struct store_meter_point {
  uint64_t rows;
  uint64_t wal_size;
  /* Since watching began. */
  uint64_t wal_frames;
  uint64_t checkpoints;
};

/// All statements with one text.
struct store_meter_statement {
  /// 0 unused, 1 being made, 2 in use.
  uint64_t state;
  uint64_t hash;
  uint64_t text_length;
  uint64_t database;
  uint64_t is_reading;
  /// Prepared statements that have run.
  uint64_t preparations;
  /// Timed runs, and their time from the first step to the reset or the end.
  uint64_t timed_runs;
  uint64_t timed_ns;
  uint64_t longest_ns;
  uint64_t rows_returned;
  uint64_t rows_changed;
  /// Counts from runs that have ended. For a statement that runs repeatedly, the last few runs may be missing.
  uint64_t vm_steps;
  uint64_t full_scan_steps;
  uint64_t sorts;
  uint64_t automatic_index_rows;
  uint64_t repreparations;
  uint64_t temporary_files;
  uint64_t temporary_bytes;
  /// Runs outside a transaction, for statements that write.
  uint64_t autocommits;
  /// Runs that were each for one row of another statement.
  uint64_t runs_for_rows;
  uint64_t times_for_rows;
  uint64_t rows_statement;
  /// Refused write locks and stale snapshots in its runs.
  uint64_t refusals;
  uint64_t stale_snapshots;
  /// Runs that ended with SQLITE_LOCKED. Counted by a preloaded meter only.
  uint64_t locked_runs;
  /// SQLite's calls to allocate in its runs, and their bytes, if the allocation meter is preloaded too.
  uint64_t allocations;
  uint64_t allocated_bytes;
  /// 1 if the plan was requested.
  uint64_t has_plan;
};

#ifdef __cplusplus
}
#endif

#endif
