// A14: the page of a watched program with many items, or with several of one name.
import Analysis
import Charts
import Foundation
import MissionTags
@testable import Instruments
@testable import Reports
import Testing

@Suite("A14 · pages of watched programs", .tags(.a14))
struct WatchPageTests {
  private func report(_ readings: [MeterReading], metersMemory: Bool = false) -> WatchReport {
    var report = WatchReport(
      program: "app", argumentCount: 0, arguments: nil, began: "2026-01-01T00:00:00Z", seconds: 1, end: .exited(0),
      residentPeakBytes: nil, hasValues: false, tracesStatements: true, metersMemory: metersMemory, timedEach: 61)
    report.add(readings, since: 0) { _ in nil }
    return report
  }

  /// A database whose write-ahead log grew to this size.
  private func database(_ path: String, walBytes: Int64) -> MeterReading.Database {
    var database = MeterReading.Database()
    (database.path, database.connections, database.walPeakBytes) = (path, 1, walBytes)
    database.growth = [MeterReading.Growth(nanoseconds: 0, highestBytes: walBytes, lastBytes: walBytes)]
    return database
  }

  @Test("Databases with the same file name are listed with their whole paths")
  func namesakes() throws {
    var reading = MeterReading()
    reading.databases = [
      database("/a/data.sqlite", walBytes: 9000), database("/b/data.sqlite", walBytes: 5000),
      database("/b/log.sqlite", walBytes: 1000),
    ]
    let chart = try #require(WatchPicture.logs(report([reading]))?.chart as? LineChart)
    #expect(chart.series.map(\.label) == ["/a/data.sqlite", "/b/data.sqlite", "log.sqlite"])
    #expect(chart.summary.hasPrefix("/a/data.sqlite: at most 8.79 KiB; /b/data.sqlite: at most 4.88 KiB; log.sqlite: "))
  }

  @Test("Processes that do not fit into a table are counted below it", arguments: [false, true])
  func manyProcesses(metersMemory: Bool) {
    let readings = (1...53).map { number in
      var reading = MeterReading()
      reading.process = Int64(number)
      if metersMemory {
        reading.heap = MeterReading.Heap(liveBytes: 0, peakBytes: 1, allocations: 1, allocatedBytes: 1, peaks: nil)
      }
      return reading
    }
    let page = WatchDocument.document(report(readings, metersMemory: metersMemory), files: []).markdown
    #expect(page.components(separatedBy: "\n3 processes more in `watch.json`.").count == (metersMemory ? 3 : 2))
    let few = WatchDocument.document(report(Array(readings.prefix(50))), files: []).markdown
    #expect(!few.contains("more in `watch.json`"))
  }
}
