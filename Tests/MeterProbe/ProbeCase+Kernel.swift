// The kernel's counts of a process's reads and writes (`/proc/self/io`) compared with those of the SQLite meter.
#if os(Linux)
  internal import Glibc
  internal import SQLiteDriver

  extension ProbeCase {
    /// Small and large transactions, separate checkpoints, and a reader that stays for a while.
    func kernelLog() throws -> [Figure] {
      try beside { path in
        let writer = try Connection(path: path)
        for (name, value) in [("journal_mode", "wal"), ("cache_size", "20"), ("wal_autocheckpoint", "100")] {
          try writer.setPragma(name, to: value)
        }
        try writer.execute("CREATE TABLE t(a, b); CREATE INDEX ti ON t(b)")
        for _ in 0..<60 { try fill(writer, rows: 5) }
        try fill(writer, rows: 3000)
        let reader = try Connection(path: path)
        try reader.begin(.deferred)
        _ = try reader.scalar("SELECT sum(length(b)) FROM t")
        for _ in 0..<60 { try fill(writer, rows: 5) }
        reader.rollback()
        for _ in 0..<5 { try fill(writer, rows: 5) }
        try reader.close()
        _ = try writer.checkpoint(.truncate)
        try writer.close()
      }
    }

    /// A rollback journal, a transaction that spills, one that is rolled back, and a vacuum.
    func kernelJournal() throws -> [Figure] {
      try beside { path in
        let writer = try Connection(path: path)
        try writer.setPragma("journal_mode", to: "delete")
        try writer.setPragma("cache_size", to: "20")
        try writer.execute("CREATE TABLE t(a, b); CREATE INDEX ti ON t(b)")
        for _ in 0..<20 { try fill(writer, rows: 5) }
        try fill(writer, rows: 2000)
        try writer.begin()
        try fill(writer, rows: 2000)
        writer.rollback()
        try writer.execute("DELETE FROM t WHERE a % 3 = 0; VACUUM")
        try writer.close()
      }
    }

    /// Temporary tables and sorts on disk.
    func kernelTemporary() throws -> [Figure] {
      try beside { path in
        let writer = try Connection(path: path)
        for (name, value) in [("temp_store", "file"), ("cache_size", "10")] { try writer.setPragma(name, to: value) }
        try writer.execute("CREATE TABLE t(a, b)")
        try fill(writer, rows: 3000)
        try writer.execute("PRAGMA temp.cache_size = 10; CREATE TEMP TABLE u AS SELECT b, a FROM t ORDER BY b DESC")
        try writer.execute("CREATE INDEX temp.ui ON u(b)")
        _ = try writer.scalar("SELECT count(*) FROM (SELECT b FROM u ORDER BY a % 7, b)")
        try writer.close()
      }
    }

    private func fill(_ connection: Connection, rows: Int) throws {
      try connection.execute(
        """
        INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(rows))
        SELECT i, printf('%08x%0200d', i * 2654435761 % 4294967296, i) FROM n
        """)
    }

    /// Does the work once without measuring, for what happens once per process, and once with both measurements.
    private func beside(_ work: (String) throws -> Void) throws -> [Figure] {
      let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      var template = Array("\(temporary)/MeterProbe-XXXXXX".utf8CString)
      guard let made = mkdtemp(&template) else { fail("no temporary folder", status: 70) }
      let folder = String(cString: made)
      defer { rmdir(folder) }
      let meter = try SQLiteMeter.attach()
      try work(folder + "/first")
      unlink(folder + "/first")
      let kernel = KernelCounters()
      let before = meter.counters()
      let start = kernel.read()
      try work(folder + "/second")
      let end = kernel.read()
      let after = meter.counters()
      unlink(folder + "/second")
      return [
        ("kernelWrites", end.writes - start.writes), ("kernelBytesWritten", end.bytesWritten - start.bytesWritten),
        // The second reading includes the first reading of the counters.
        ("kernelReads", end.reads - start.reads - 1), ("kernelBytesRead", end.bytesRead - start.bytesRead - start.size),
        ("writes", Int(after.writes - before.writes)), ("bytesWritten", Int(after.bytesWritten - before.bytesWritten)),
        ("reads", Int(after.reads - before.reads)), ("bytesRead", Int(after.bytesRead - before.bytesRead)),
        ("maps", Int(after.sharedMemory.maps - before.sharedMemory.maps)),
        ("checkpoints", Int(after.checkpoints - before.checkpoints)),
        ("temporaryBytes", Int(after.temporary.bytesWritten - before.temporary.bytesWritten)),
      ]
    }
  }

  /// `/proc/self/io`, read through a file that stays open.
  private struct KernelCounters {
    struct Reading {
      var reads = 0
      var bytesRead = 0
      var writes = 0
      var bytesWritten = 0
      /// The bytes of the reading itself, which the kernel counts after it has answered.
      var size = 0
    }

    private let file = open("/proc/self/io", O_RDONLY | O_CLOEXEC)

    func read() -> Reading {
      var bytes = [UInt8](repeating: 0, count: 512)
      let count = pread(file, &bytes, bytes.count, 0)
      guard count > 0 else { fail("/proc/self/io cannot be read", status: 70) }
      var reading = Reading(size: count)
      for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count == 2, let value = Int(words[1]) else { continue }
        switch words[0] {
        case "rchar:": reading.bytesRead = value
        case "wchar:": reading.bytesWritten = value
        case "syscr:": reading.reads = value
        case "syscw:": reading.writes = value
        default: break
        }
      }
      return reading
    }
  }
#endif
