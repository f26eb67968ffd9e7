// Cases of the instruments of the counters pass, in a process without other uses of SQLite.
#if os(Linux)
  import BatchmarkEngine
  internal import CSQLite
  internal import Glibc
  internal import Instruments
  internal import SQLiteDriver

  extension ProbeCase {
    /// A phase without work.
    func idleCounters() throws -> [Figure] { try counters {} }

    /// A phase that makes a store and writes to it with a rollback journal.
    func busyCounters() throws -> [Figure] { try counters(work: ProbeCase.write) }

    /// The same with a VFS whose system calls cannot be replaced, so that syncs of directories are not visible.
    func unknownDirectories() throws -> [Figure] {
      guard let real = sqlite3_vfs_find(nil) else { fail("there is no default VFS", status: 70) }
      var vfs = real.pointee
      vfs.iVersion = 2
      vfs.pNext = nil
      // SQLite keeps it until the process ends.
      let registered = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
      registered.initialize(to: vfs)
      guard sqlite3_vfs_register(registered, 1) == SQLITE_OK else { fail("the VFS is not registered", status: 70) }
      return try counters(work: ProbeCase.write)
    }

    /// Every figure of a phase by its name, and every absence as `absent_` with the figure's name.
    private func counters(work: () throws -> Void) throws -> [Figure] {
      var instruments = try InstrumentList.attach(.counters, in: InstrumentContext())
      for index in instruments.indices { try instruments[index].phaseBegins(.ingest) }
      try work()
      var figures: [Figure] = []
      for index in instruments.indices {
        figures += try instruments[index].phaseEnds(.ingest).map { ($0.key.rawValue, Int($0.value)) }
      }
      for index in instruments.indices {
        for absence in instruments[index].detach() where absence.reason.contains("VFS beneath") {
          figures += absence.metrics.map { ("absent_" + $0.rawValue, 1) }
        }
      }
      return figures
    }

    private static func write() throws {
      let path = "/tmp/meter-probe-\(getpid()).sqlite"
      defer { unlink(path) }
      let connection = try Connection(path: path)
      try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
      try connection.close()
    }
  }
#endif
