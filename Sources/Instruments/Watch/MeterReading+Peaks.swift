// Resets the peaks of another process's meter, in its file.
internal import CStoreMeter

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension MeterReading {
  /// Resets the peaks and longest times in the file of a process, as `SQLiteMeter.markPeak` does here: a log's peak to its
  /// current size, others to 0.
  ///
  /// The process maps the file, and each of these words changes atomically. The process should be idle.
  ///
  /// - Throws: ``MeterFileError``.
  package static func markPeaks(of path: String) throws(MeterFileError) {
    // First check that it is such a file.
    let databases = try MeterReading(of: path, withStatements: false).databases.count
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
    defer { close(file) }
    func copy(_ from: Int?, _ to: Int?) {
      var word: UInt64 = 0
      guard let to else { return }
      if let from, pread(file, &word, 8, off_t(from)) != 8 { return }
      pwrite(file, &word, 8, off_t(to))
    }
    for number in 0..<databases {
      let record = Int(STORE_METER_DATABASES_OFFSET) + number * Int(STORE_METER_DATABASE_SIZE)
      for peak in peaksOfDatabase { copy(nil, peak.map { record + $0 }) }
      copy(sizeOfLog.map { record + $0 }, peakOfLog.map { record + $0 })
    }
    copy(
      MemoryLayout<store_meter_header>.offset(of: \.wal_size), MemoryLayout<store_meter_header>.offset(of: \.wal_peak))
  }

  private static let sizeOfLog = MemoryLayout<store_meter_database>.offset(of: \.wal_size)
  private static let peakOfLog = MemoryLayout<store_meter_database>.offset(of: \.wal_peak)

  private static let peaksOfDatabase: [Int?] = [
    MemoryLayout<store_meter_database>.offset(of: \.wal_commit_peak),
    MemoryLayout<store_meter_database>.offset(of: \.wal_backlog_peak),
    MemoryLayout<store_meter_database>.offset(of: \.longest_directory_ns),
    MemoryLayout<store_meter_database>.offset(of: \.longest_checkpoint_ns),
    MemoryLayout<store_meter_database>.offset(of: \.database.longest_sync_ns),
    MemoryLayout<store_meter_database>.offset(of: \.wal.longest_sync_ns),
    MemoryLayout<store_meter_database>.offset(of: \.journal.longest_sync_ns),
    MemoryLayout<store_meter_database>.offset(of: \.temporary.longest_sync_ns),
  ]
}
