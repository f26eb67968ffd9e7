// The meter changes nothing. All of its tests are in one serialized suite, because there is one meter per process.
import Foundation
import MissionTags
import SQLiteDriver
import Testing

/// The meter of the test process, attached after every workload was done once without it.
enum AttachedMeter {
  static let outcomesBefore: [String: Result<WorkloadOutcome, any Error>] = {
    var outcomes: [String: Result<WorkloadOutcome, any Error>] = [:]
    for workload in StoreWorkload.all {
      outcomes[workload.name] = Result {
        let folder = try TemporaryDirectory()
        return try workload.run(at: folder.path())
      }
    }
    return outcomes
  }()

  private static let attached = Result {
    _ = outcomesBefore
    return try SQLiteMeter.attach()
  }

  static var meter: SQLiteMeter {
    get throws { try attached.get() }
  }
}

/// Every suite in here counts by path, so that concurrent tests of other suites do not matter.
@Suite("A4 · meter", .serialized, .tags(.a4))
struct MeterTests {
  @Suite("A4 · the meter has no effects")
  struct Effects {
    private let folder: TemporaryDirectory
    private let meter: SQLiteMeter

    init() throws {
      folder = try TemporaryDirectory()
      meter = try AttachedMeter.meter
    }

    @Test(
      "The files, the log and the checkpoints are the same with the meter and without", arguments: StoreWorkload.all)
    func sameFiles(workload: StoreWorkload) throws {
      let before = try #require(try AttachedMeter.outcomesBefore[workload.name]?.get())
      let after = try workload.run(at: folder.path())
      #expect(after.observations == before.observations)
      #expect(after.answers == before.answers)
      #expect(after.database == before.database)
      #expect(after.observations.count > 1)
      #expect(after.database.count > 8_192)
      #expect(meter.counters(of: folder.path()).bytesWritten >= Int64(after.database.count))
    }

    @Test("The same work gives the same counters", arguments: StoreWorkload.all)
    func repeatable(workload: StoreWorkload) throws {
      _ = try workload.run(at: folder.path("first"))
      _ = try workload.run(at: folder.path("second"))
      let counters = meter.counters(of: folder.path("first"))
      #expect(counters == meter.counters(of: folder.path("second")))
      #expect(counters.statements > 0)
      #expect(counters.vmSteps > counters.statements)
    }

    @Test("Attaching again gives the same meter")
    func attachTwice() throws {
      #expect(try SQLiteMeter.attach() === meter)
    }

    @Test("The meter passes on SQLite's requests to its VFS: locks, time, randomness, memory maps, missing files")
    func passThrough() throws {
      let first = try Connection(path: folder.path())
      let second = try Connection(path: folder.path(), busyTimeout: 0)
      try first.execute("CREATE TABLE t(a)")
      try first.begin(.immediate)
      #expect { try second.begin(.immediate) } throws: { ResultCode.busy ~= $0 }
      try first.commit()
      #expect(try first.setPragma("mmap_size", to: "65536") == "65536")
      #expect(try first.scalar("SELECT abs(strftime('%s', 'now') - unixepoch()) <= 1") == 1)
      #expect(try first.scalar("SELECT strftime('%Y', 'now') >= '2024'") == 1)
      #expect(try first.scalar("SELECT random() <> random()") == 1)
      #expect { _ = try Connection(path: folder.path("none/x")) } throws: { ResultCode.cantOpen ~= $0 }
      #expect { _ = try Connection(path: folder.path("none"), access: .readOnly) } throws: {
        ResultCode.cantOpen ~= $0
      }
      let library = folder.path("no-library")
      #expect { try first.execute("SELECT load_extension('\(library)')") } throws: { ResultCode.error ~= $0 }
      #expect(try second.scalar("SELECT count(*) FROM t") == 0)
    }
  }
}
