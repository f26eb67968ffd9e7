// The write-ahead log while rows change: the C meter records it at given row counts.
internal import CStoreMeter

/// The write-ahead log at one moment of its growth.
///
/// ```swift
/// for point in meter.growth() {
///   print("\(point.rows) rows: \(point.walBytes) bytes in the log")
/// }
/// ```
public struct WALPoint: Sendable, Hashable {
  /// Rows of the watched tables changed so far.
  public var rows: Int
  /// The size of the log's file, in bytes.
  public var walBytes: Int64
  /// Frames appended to the log since watching began.
  public var walFrames: Int64
  /// Checkpoints that moved pages since then.
  public var checkpoints: Int64

  /// A point of a log's growth, read from a stored report.
  public init(rows: Int, walBytes: Int64, walFrames: Int64, checkpoints: Int64 = 0) {
    self.rows = rows
    self.walBytes = walBytes
    self.walFrames = walFrames
    self.checkpoints = checkpoints
  }
}

extension WALPoint {
  /// The points noted since watching began.
  static var noted: [WALPoint] {
    let room = Int(store_meter_read_points(nil, 0))
    let points = [store_meter_point](unsafeUninitializedCapacity: room) { buffer, count in
      count = min(room, Int(store_meter_read_points(buffer.baseAddress, UInt64(room))))
    }
    return points.map {
      WALPoint(
        rows: Int(clamping: $0.rows), walBytes: Int64(clamping: $0.wal_size), walFrames: Int64(clamping: $0.wal_frames),
        checkpoints: Int64(clamping: $0.checkpoints))
    }
  }

  /// Starts recording the log whenever the number of changed rows in the tables reaches one of the counts.
  static func watch(_ tables: [String], at rowCounts: [Int]) {
    let counts = Set(rowCounts.filter { $0 > 0 }).sorted().map { UInt64($0) }
    let names = tables.flatMap { Array($0.utf8CString) }
    _ = store_meter_watch(names, UInt64(tables.count), counts, UInt64(counts.count))
  }

  /// The present state of all logs.
  init(rows: Int, _ total: store_meter_database) {
    self.init(
      rows: rows, walBytes: Int64(clamping: total.wal_size),
      walFrames: Int64(clamping: total.wal_frames) - Int64(clamping: total.watched_frames),
      checkpoints: Int64(clamping: total.checkpoints) - Int64(clamping: total.watched_checkpoints))
  }
}
