// Every figure beside time: its column name, its unit, where it comes from, and whether it repeats to the bit.

/// A figure of a phase.
///
/// The raw value is its column name in CSV, spelt with its unit.
public enum Metric: String, Codable, Sendable, CaseIterable, CodingKeyRepresentable {
  /// Live heap at its highest, above the level at the start of the phase: exact, over all threads.
  case heapPeak = "heap_peak_bytes"
  /// SQLite's own part at its highest, in the blocks that the allocator hands out, above the level at the start.
  case heapPeakSQLite = "heap_peak_sqlite_bytes"
  /// jemalloc's `stats.allocated` at its highest sampled value.
  case jemallocAllocatedPeak = "jemalloc_allocated_peak_bytes"
  /// jemalloc's `stats.resident` at its highest sampled value.
  case jemallocResidentPeak = "jemalloc_resident_peak_bytes"
  /// The process's resident set at its highest, as the kernel tells the process itself.
  case residentSetPeak = "rss_peak_bytes"
  /// Calls that allocated memory.
  case allocations = "allocations"
  /// Bytes those calls handed out.
  case allocatedBytes = "allocated_bytes"
  /// The WAL file at its largest.
  case walPeak = "wal_peak_bytes"
  /// The WAL file at the end of the phase.
  case walFinal = "wal_final_bytes"
  /// Bytes written to the WAL, over all its generations.
  case walBytesWritten = "wal_bytes_written"
  /// Frames written to the WAL.
  case walFrames = "wal_frames"
  /// Checkpoints that moved pages.
  case checkpoints = "checkpoints"
  /// Syncs of any file.
  case syncs = "syncs"
  /// Bytes written to any file through SQLite.
  case bytesWritten = "bytes_written"
  /// Steps of SQLite's virtual machine.
  case vmSteps = "vm_steps"
  /// SQL statements run.
  case statements = "statements"
  /// The database file at the end of the phase.
  case databaseBytes = "db_bytes"
  /// What is not SQLite's at its highest; the two parts need not be highest at one moment.
  case heapPeakRest = "heap_peak_rest_bytes"
  /// Calls by SQLite that allocated memory.
  case allocationsSQLite = "allocations_sqlite"

  /// The pass that measures it.
  public var pass: Pass {
    switch self {
    case .heapPeak, .heapPeakSQLite, .jemallocAllocatedPeak, .jemallocResidentPeak, .residentSetPeak, .allocations,
      .allocatedBytes, .heapPeakRest, .allocationsSQLite:
      .memory
    case .walPeak, .walFinal, .walBytesWritten, .walFrames, .checkpoints, .syncs, .bytesWritten, .vmSteps,
      .statements, .databaseBytes:
      .counters
    }
  }

  /// Whether it came after the first ones, so that its columns stand behind all others.
  public var isAppended: Bool {
    switch self {
    case .heapPeakRest, .allocationsSQLite: true
    default: false
    }
  }

  /// Whether two runs of the same thing agree to the bit.
  public var isExact: Bool {
    switch self {
    case .jemallocAllocatedPeak, .jemallocResidentPeak, .residentSetPeak: false
    default: true
    }
  }

  /// Whether the figure counts bytes; the others are plain counts.
  public var isBytes: Bool { rawValue.hasSuffix("_bytes") || self == .walBytesWritten || self == .bytesWritten }
}
