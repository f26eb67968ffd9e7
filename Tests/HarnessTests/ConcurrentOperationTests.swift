// Concurrent readers and writers on real stores: what they read and write, what refuses them, and that they hold
// nothing between two operations.
import BatchmarkEngine
import CoreDataModel
import Foundation
import HarnessFixtures
import MissionTags
import SQLiteDriver
import Statistics
import Testing

@testable import Harness

@Suite("A15 · operations beside another", .tags(.a15))
struct ConcurrentOperationTests {
  private let store: ConcurrentStore
  private var path: String { store.path }
  private var owner: Connection { store.owner }

  init() throws {
    store = try ConcurrentStore("CREATE TABLE quake (code TEXT, magnitude REAL)")
    for number in 1...200 { try owner.execute("INSERT INTO quake VALUES ('c\(number)', \(number))") }
  }

  private func operation(_ work: ConcurrentJob.Work) throws -> ConcurrentOperation {
    try ConcurrentOperation(ConcurrentJob(path: path, rate: 1, busyTimeout: 0, pragmas: [], work: work))
  }

  private var reading: ConcurrentJob.Work {
    .read(
      sql: "SELECT * FROM quake WHERE magnitude > ? ORDER BY rowid LIMIT 50",
      parameters: [StoredValue(.real(3), type: .double)])
  }

  @Test("No lock is held between two reads: the WAL can be emptied, and the next read sees later writes")
  func readersHoldNothing() throws {
    let reader = try operation(reading)
    for number in 0..<3 {
      #expect(try reader.attempt(number) == .done)
      try owner.execute("INSERT INTO quake VALUES ('later', 5)")
      #expect(try !owner.checkpoint(.truncate).isBusy)
    }
    try reader.close()
  }

  @Test("Readers do not write, and cannot")
  func readersOnlyRead() throws {
    let reader = try operation(.read(sql: "DELETE FROM quake", parameters: []))
    #expect(throws: SQLiteError.self) { try reader.attempt(0) }
    #expect(try owner.scalar("SELECT count(*) FROM quake") == 200)
  }

  @Test("Each write stores a row of its own writer, in a completed transaction, whatever its begin mode")
  func writes() throws {
    for (writer, start) in ConcurrentWork.TransactionStart.allCases.enumerated() {
      let operation = try operation(.write(writer: writer, start))
      for number in 0..<5 { #expect(try operation.attempt(number) == .done) }
      try owner.execute("BEGIN IMMEDIATE; ROLLBACK")
      try operation.close()
    }
    #expect(try owner.scalar(ConcurrentTable.count) == 10)
    #expect(try owner.scalar("SELECT count(DISTINCT writer) FROM \(ConcurrentTable.name)") == 2)
  }

  @Test("A write that a lock refuses is counted by the kind of lock, and succeeds after the lock is released")
  func refusals() throws {
    let writer = try operation(.write(writer: 0, .immediate))
    try owner.begin(.immediate)
    #expect(try writer.attempt(0) == .refused("SQLITE_BUSY"))
    #expect(try operation(reading).attempt(0) == .done)
    owner.rollback()
    #expect(try writer.attempt(0) == .done)
    #expect(try owner.scalar(ConcurrentTable.count) == 1)
  }

  @Test("A lock that a test holds for 50 ms is counted in the bucket of 50 ms only", arguments: 1...20)
  func heldLock(place: Int) throws {
    let writer = try operation(.write(writer: 0, .immediate))
    let clock = DrivenClock()
    let begin = clock.now()
    var release: UInt64?
    let tally = try FixedRateLoop(begin: begin, rate: 10).run(clock, until: { begin + 3_000_000_000 }) { number in
      if number == place, release == nil {
        try owner.begin(.immediate)
        release = clock.now() + 50_000_000
      }
      if let moment = release, clock.now() >= moment, owner.isInTransaction { owner.rollback() }
      return try writer.attempt(number)
    }
    #expect((tally.due, tally.done, tally.late) == (30, 30, 0))
    #expect(tally.refusals == ["SQLITE_BUSY": 50])
    let waited = tally.latency.buckets.filter { LatencyHistogram.durations(in: $0.index).upperBound > 1_000_000 }
    #expect(waited.map(\.count) == [1])
    #expect(LatencyHistogram.durations(in: try #require(waited.first).index).contains(50_000_000))
    #expect(try owner.scalar(ConcurrentTable.count) == 30)
  }

  @Test("An error other than a lock ends the operations")
  func errors() throws {
    let writer = try operation(.write(writer: 0, .deferred))
    #expect(try writer.attempt(0) == .done)
    // The key already exists.
    #expect(throws: SQLiteError.self) { try writer.attempt(0) }
    #expect(throws: SQLiteError.self) { try operation(.read(sql: "SELECT * FROM nothing", parameters: [])) }
  }
}
