// What SQLite did to its files in a phase: bytes, calls and syncs, in total and by kind of file.
package import BatchmarkEngine
internal import SQLiteDriver

/// Reads the metering VFS's figures for all files; those of the WAL alone are in ``WALInstrument``.
struct FileInstrument: MeterInstrument {
  static let metrics = [
    MetricDeclaration(.syncs, .count, in: pass, "syncs of any file and of the directory it is in"),
    MetricDeclaration(.databaseSyncs, .count, in: pass, "syncs of the database file"),
    MetricDeclaration(.journalSyncs, .count, in: pass, "syncs of a rollback journal"),
    MetricDeclaration(
      .directorySyncs, .count, in: pass, "syncs of the directory after a journal or WAL was made or removed in it"),
    MetricDeclaration(.bytesWritten, .bytes, in: pass, "bytes written to any file through SQLite"),
    MetricDeclaration(.databaseBytesWritten, .bytes, in: pass, "bytes written to the database file"),
    MetricDeclaration(.journalBytesWritten, .bytes, in: pass, "bytes written to a rollback journal"),
    MetricDeclaration(.temporaryBytesWritten, .bytes, in: pass, "bytes written to temporary files"),
    MetricDeclaration(
      .bytesRead, .bytes, in: pass, "bytes read from any file through SQLite, but for those through a memory map"),
    MetricDeclaration(.writeCalls, .count, in: pass, "calls that wrote to any file"),
    MetricDeclaration(.readCalls, .count, in: pass, "calls that read from any file"),
  ]

  var readings: MeterReadings<SQLiteCounters>

  func figures(from before: SQLiteCounters, to after: SQLiteCounters) -> [MetricID: Int64] {
    func growth(_ counter: (SQLiteCounters) -> Int64) -> Int64 { counter(after) - counter(before) }
    return [
      .syncs: growth(\.syncs), .databaseSyncs: growth(\.database.syncs), .journalSyncs: growth(\.journal.syncs),
      .directorySyncs: growth(\.directorySyncs),
      .bytesWritten: growth(\.bytesWritten), .databaseBytesWritten: growth(\.database.bytesWritten),
      .journalBytesWritten: growth(\.journal.bytesWritten), .temporaryBytesWritten: growth(\.temporary.bytesWritten),
      .bytesRead: growth(\.bytesRead), .writeCalls: growth(\.writes), .readCalls: growth(\.reads),
    ]
  }

  func detach() -> [MetricAbsence] {
    let absences = readings.filesAbsence(FileInstrument.metrics)
    guard absences.isEmpty, !readings.countsDirectorySyncs else { return absences }
    return [
      MetricAbsence(
        [.syncs, .directorySyncs],
        because: "the VFS beneath the metering one does not let its syncs of directories be counted")
    ]
  }
}

extension MetricID {
  /// Syncs of any file and of directories.
  package static let syncs = MetricID("syncs")
  /// Syncs of the database file.
  package static let databaseSyncs = MetricID("db_syncs")
  /// Syncs of a rollback journal.
  package static let journalSyncs = MetricID("journal_syncs")
  /// Syncs of the directory after a journal or a WAL was created or removed there.
  package static let directorySyncs = MetricID("directory_syncs")
  /// Bytes written to any file through SQLite.
  package static let bytesWritten = MetricID("bytes_written")
  /// Bytes written to the database file.
  package static let databaseBytesWritten = MetricID("db_bytes_written")
  /// Bytes written to a rollback journal.
  package static let journalBytesWritten = MetricID("journal_bytes_written")
  /// Bytes written to temporary files.
  package static let temporaryBytesWritten = MetricID("temp_bytes_written")
  /// Bytes that SQLite read from any file, except through a memory map.
  package static let bytesRead = MetricID("bytes_read")
  /// Write calls on any file.
  package static let writeCalls = MetricID("write_calls")
  /// Read calls on any file.
  package static let readCalls = MetricID("read_calls")
}
