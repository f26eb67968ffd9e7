// Readers and writers as threads of this process: their operations, their failures, and the end of an abandoned one.
import BatchmarkEngine
import CoreDataModel
import HarnessFixtures
import MissionTags
import SQLiteDriver
import Statistics
import Support
import Testing

@testable import Harness

@Suite("A15 · readers and writers in threads", .tags(.a15))
struct ConcurrentThreadTests {
  private let store: ConcurrentStore
  private var path: String { store.path }
  private var owner: Connection { store.owner }

  init() throws {
    store = try ConcurrentStore("CREATE TABLE quake (code TEXT); INSERT INTO quake VALUES ('a')")
  }

  private func start(_ name: OperationClass, _ work: ConcurrentJob.Work, timeout: Int = 0) throws -> ConcurrentThread {
    try ConcurrentThread(
      name,
      ConcurrentJob(
        path: path, rate: 200, busyTimeout: timeout, pragmas: [StorePragma("synchronous", "off")], work: work))
  }

  /// Lets them work for 100 ms, in which each has 20 due operations, and returns their tallies.
  private func run(_ threads: [ConcurrentThread]) throws -> [OperationTally] {
    for thread in threads { try thread.waitUntilReady(limit: 20) }
    let first = MonotonicClock.now() + 1_000_000
    for thread in threads { thread.begin(at: first, ofAll: first) }
    while MonotonicClock.now() < first + 100_000_000 { PlainThread.yield() }
    let end = MonotonicClock.now()
    for thread in threads { thread.end(at: end, joining: 2) }
    return try threads.map { thread in
      let (tally, slices) = try thread.outcome(limit: 20)
      #expect(slices.slices.reduce(0) { $0 + $1.count } == tally.due)
      // The slices last 20 ms, and the end may be in the next one.
      #expect(slices.slices.count <= Int((end - first) / (2 * LatencySlices.finest)) + 1)
      return tally
    }
  }

  @Test("Readers and writers do every due operation, and each writer stores its own rows")
  func work() throws {
    let read = ConcurrentJob.Work.read(sql: "SELECT * FROM quake", parameters: [])
    let threads = try [
      start(.read, read), start(.read, read), start(.write, .write(writer: 0, .immediate), timeout: 5_000),
      start(.write, .write(writer: 1, .deferred), timeout: 5_000),
    ]
    let tallies = try run(threads)
    #expect(tallies.allSatisfy { $0.due >= 20 && $0.done == $0.due && $0.latency.count == $0.due })
    #expect(Int(try owner.scalar(ConcurrentTable.count) ?? 0) == tallies[2].done + tallies[3].done)
    #expect(try owner.scalar("SELECT count(DISTINCT writer) FROM \(ConcurrentTable.name)") == 2)
  }

  @Test("Another connection's lock refuses a writer in a thread as one in a process")
  func refused() throws {
    let writer = try start(.write, .write(writer: 0, .immediate))
    try owner.begin(.immediate)
    let tally = try #require(try run([writer]).first)
    owner.rollback()
    // The lock is never released, so every write is given up in the end.
    #expect(tally.refusals.keys.sorted() == ["SQLITE_BUSY"])
    #expect(tally.done == 0 && tally.due >= 20 && tally.late == tally.due && tally.busySeconds > 0)
    #expect(try owner.scalar(ConcurrentTable.count) == 0)
  }

  @Test("An error of a reader or writer names it and the reason")
  func failures() throws {
    let wrong = try start(.read, .read(sql: "SELECT * FROM nothing", parameters: []))
    let error = #expect(throws: ConcurrentProcessError.self) { try wrong.waitUntilReady(limit: 20) }
    #expect(error?.name == .read)
    #expect(error?.reason.contains("nothing") == true, "\(error?.reason ?? "")")
    let late = try start(.read, .read(sql: "SELECT * FROM quake", parameters: []))
    try late.waitUntilReady(limit: 20)
    let missing = #expect(throws: ConcurrentProcessError.self) { _ = try late.outcome(limit: 0.01) }
    #expect(missing?.reason == "it did not answer in time")
  }

  @Test("An abandoned thread, as after failed work, ends by itself and releases the store")
  func left() throws {
    var thread: ConcurrentThread? = try start(.write, .write(writer: 0, .immediate))
    try thread?.waitUntilReady(limit: 20)
    thread?.begin(at: MonotonicClock.now(), ofAll: MonotonicClock.now())
    thread = nil
    // Ten writes are due between two looks.
    let last = MonotonicClock.now() + 20_000_000_000
    var count = Int64(-1)
    while MonotonicClock.now() < last {
      let now = try owner.scalar(ConcurrentTable.count) ?? 0
      if now == count { break }
      count = now
      PlainThread.sleep(nanoseconds: 50_000_000)
    }
    #expect(MonotonicClock.now() < last)
  }
}
