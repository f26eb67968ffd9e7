// A14: a meter's file that the watched program overwrote: there is a report whatever its counters are.
import Analysis
import Foundation
import MissionTags
@testable import Instruments
@testable import Reports
import Testing

@Suite("A14 · reports of overwritten meter files", .tags(.a14))
struct HostileMeterTests {
  private static let magic: UInt64 = 0x5254_4D45_524F_5453
  private static let version: UInt64 = 10
  private static let size = 4096 + 1024 * 256 + 2048 * 4096 + 1024 * 4096

  /// The reading of a file with three records of each kind, in which all bytes are equal.
  private func reading(filledWith byte: UInt8) throws -> MeterReading {
    var bytes = Data(repeating: byte, count: Self.size)
    let header = [Self.magic, Self.version, UInt64(Self.size), 77, 1, 0, 0, .max, 3, 3, 3]
    for (index, word) in header.enumerated() {
      withUnsafeBytes(of: word) { bytes.replaceSubrange(index * 8..<index * 8 + 8, with: Data($0)) }
    }
    return try withTemporaryDirectory { directory in
      try bytes.write(to: URL(filePath: directory + "/1.meter"))
      return try MeterReading(of: directory + "/1.meter")
    }
  }

  private func report(_ readings: [MeterReading], metersMemory: Bool = false) -> WatchReport {
    var report = WatchReport(
      program: "app", argumentCount: 0, arguments: nil, began: "2026-01-01T00:00:00Z", seconds: 1, end: .exited(0),
      residentPeakBytes: .max, hasValues: false, tracesStatements: true, metersMemory: metersMemory, timedEach: 61)
    report.add(readings, since: 0) { _ in .max }
    return report
  }

  @Test("Any bytes give a page, tables and lines", arguments: [UInt8(0xFF), 0x80, 0x41])
  func pages(byte: UInt8) throws {
    let reading = try reading(filledWith: byte)
    for metersMemory in [false, true] {
      // Two processes, so that the maximum of one is added to another maximum.
      let report = report([reading, reading], metersMemory: metersMemory)
      #expect(report.databases.count == 1 && report.statements.count == 1)
      try withTemporaryDirectory { directory in
        let page = try String(contentsOfFile: WatchWriter.write(report, into: directory), encoding: .utf8)
        #expect(page.contains("## Statements") && page.contains("9,223,372,036,854,775,807"))
      }
      #expect(WatchWriter.lines(report).count >= report.findings.count)
    }
  }

  @Test("Values and comments in a statement's text do not hide a finding or a rollback")
  func valuesInTexts() {
    var reading = MeterReading()
    var database = MeterReading.Database()
    database.connections = 1
    reading.databases = [database]
    reading.statements = [
      "SELECT a FROM t WHERE b = 'I like it' -- or match", "SELECT /* glob **/ a FROM t WHERE b = 1",
      "SELECT a FROM t WHERE b LIKE 'x%'", "SELECT 'where' FROM t", "ROLLBACK;", "/* enough */ rollback\n;",
      "ROLLBACK TO s;", "COMMIT /* no ROLLBACK */;",
    ].enumerated().map { index, text in
      var statement = MeterReading.Statement()
      (statement.text, statement.textHash, statement.runs) = (text, UInt64(index + 1), 2)
      statement.use = index < 4 ? .queries : .other
      statement.fullScanSteps = index < 4 ? 5_000 : 0
      return statement
    }
    let report = report([reading])
    #expect(report.findings.map(\.kind) == [.fullScan, .fullScan] && report.findings.map(\.statement) == [0, 1])
    #expect(report.databases.first?.rollbacks == 4)
  }

  @Test("Fewer syncs than checkpoints and restarts, beyond rounding, are not a finding")
  func syncs() {
    var database = MeterReading.Database()
    (database.connections, database.walCommits) = (1, 100)
    (database.checkpoints, database.walRestarts) = (.max, .max)
    var reading = MeterReading()
    for syncs in [0, Int64.max] {
      database.wal.syncs = syncs
      reading.databases = [database]
      #expect(!report([reading]).findings.contains { $0.kind == .fullSyncs })
    }
    // A sync at each commit, and nothing else.
    (database.checkpoints, database.walRestarts, database.wal.syncs) = (0, 0, 100)
    reading.databases = [database]
    #expect(report([reading]).findings.contains { $0.kind == .fullSyncs })
  }
}
