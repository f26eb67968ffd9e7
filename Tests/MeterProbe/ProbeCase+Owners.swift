// Cases of ownership of allocations: a mark that a thread sets, and SQLite, which sets it.
#if os(Linux)
  internal import Instruments
  internal import SQLiteDriver

  extension ProbeCase {
    /// Two blocks, one with the mark, and one that grows with it.
    func marked() -> [Figure] {
      ownerFigures { meter in
        let plain = libc.malloc(32 << 20)
        let before = meter.mark(1)
        let block = libc.malloc(8 << 20)
        let larger = libc.realloc(block, 64 << 20)
        libc.free(larger)
        _ = meter.mark(before)
        libc.free(plain)
      }
    }

    /// SQLite fills its page cache: the bytes that it reports, and the bytes that it was given.
    func sqlite() throws -> [Figure] {
      guard let meter = AllocationMeter.loaded else { fail("the allocation meter is not preloaded", status: 70) }
      try SQLiteLibrary.markAllocations(by: meter.mark)
      var held = 0
      let figures = try ownerFigures { meter in
        let connection = try Connection(path: ":memory:", access: .readWriteCreate)
        try connection.execute(
          "CREATE TABLE t (x); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
            + "INSERT INTO t SELECT randomblob(400) FROM n")
        held = Int(SQLiteLibrary.memoryUsed)
        try connection.close()
      }
      return figures + [("heldBySQLite", held)]
    }

    /// SQLite has already begun to work.
    func lateMark() -> [Figure] {
      guard let meter = AllocationMeter.loaded,
        let connection = try? Connection(path: ":memory:", access: .readWriteCreate)
      else { fail("no meter or no SQLite", status: 70) }
      var isRefused = 0
      do { try SQLiteLibrary.markAllocations(by: meter.mark) } catch { isRefused = error.code == .misuse ? 1 : 0 }
      _ = try? connection.close()
      return [("refused", isRefused)]
    }

    private func ownerFigures(_ work: (AllocationMeter) throws -> Void) rethrows -> [Figure] {
      guard let meter = AllocationMeter.loaded else { fail("the allocation meter is not preloaded", status: 70) }
      try work(meter)
      meter.resetPeak()
      let before = meter.figuresByOwner()
      try work(meter)
      let after = meter.figuresByOwner()
      let owners: [(String, KeyPath<OwnedFigures, AllocationFigures>)] = [
        ("all", \.all), ("unmarked", \.unmarked), ("marked", \.marked),
      ]
      return owners.flatMap { name, owner -> [Figure] in
        let (before, after) = (before[keyPath: owner], after[keyPath: owner])
        return [
          (name + "Peak", Int(after.peakBytes - before.liveBytes)),
          (name + "Left", Int(after.liveBytes - before.liveBytes)),
          (name + "Allocations", Int(after.allocations - before.allocations)),
        ]
      }
    }
  }
#endif
