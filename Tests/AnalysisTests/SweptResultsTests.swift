// Results of a sweep: cells are only compared with those that did the same work.
import Analysis
import Foundation
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import BatchmarkEngine
import Testing

@Suite("A1 A2 E · results of sweeps", .tags(.a2))
struct SweptResultsTests {
  /// Save and the reference at each number of rows, and again with a pragma.
  private static func cells(rows: [Int] = [10, 1_000], caches: [Int] = []) -> [Cell] {
    rows.flatMap { rows in
      (caches.isEmpty ? [nil] : caches.map { Int?.some($0) }).flatMap { cache -> [Cell] in
        var conditions: [String: ParameterValue] = ["rows": .count(rows)]
        if let cache { conditions["cache_size"] = .count(cache) }
        return [("objectgraph", "save"), ("sqlite", "insert")].map { engine, strategy in
          Cell(
            scenario: "quakes", engine: engine, strategy: strategy,
            role: engine == "sqlite" ? .reference : .objectByObject, parameters: conditions,
            conditionKeys: conditions.keys.sorted())
        }
      }
    }
  }

  private func results(_ cells: [Cell], _ entries: [SampleOutcome]) throws -> ScenarioReport {
    var planned = try scenario(rounds: 1)
    planned.cells = cells
    let run = RunRecord(
      batchmarkVersion: "1.0.0", command: "", started: "", finished: "", seed: 7, isQuick: false, isComparable: true,
      isInterrupted: false)
    let results = Report(
      run: run, environment: [], plan: plan(planned), ledger: RunLedger(entries)
    ) { _ in nil }
    return try #require(results.scenarios.first)
  }

  private func entries(_ figures: [(Cell, wall: Double, hash: String)]) -> [SampleOutcome] {
    figures.map { .sample(sample($0.0.id, wall: $0.wall, hash: $0.hash)) }
  }

  @Test("Ratios are formed against the reference with the same swept values")
  func references() throws {
    let cells = SweptResultsTests.cells()
    let results = try results(
      cells,
      entries([(cells[0], 3, "a"), (cells[1], 1, "a"), (cells[2], 40, "b"), (cells[3], 10, "b")]))
    #expect(results.cells.map { $0.summary(of: .ingest)?.timesReference.figure?.median } == [3, 1, 4, 1])
    #expect(results.reference(of: results.cells[2])?.cell == cells[3])
    let alone = try self.results(Array(cells.dropLast()), entries([(cells[2], 40, "b"), (cells[1], 1, "a")]))
    #expect(alone.cells.last?.summary(of: .ingest)?.timesReference.figure == nil)
    #expect(alone.reference(of: alone.cells[2]) == nil)
  }

  @Test("Contents need to be equal only for equal swept values")
  func contents() throws {
    let cells = SweptResultsTests.cells()
    let good = try results(
      cells, entries([(cells[0], 3, "a"), (cells[1], 1, "a"), (cells[2], 40, "b"), (cells[3], 10, "b")]))
    #expect(good.cells.allSatisfy { $0.failures.isEmpty && $0.samples.count == 1 })
    #expect(good.contentHash == nil)
    let wrong = try results(
      cells, entries([(cells[0], 3, "a"), (cells[1], 1, "a"), (cells[2], 40, "b"), (cells[3], 10, "a")]))
    #expect(wrong.cells.map(\.failures.count) == [0, 0, 0, 1])
    #expect(wrong.cells[3].failures.first?.reason.contains("expected b") == true)
    #expect(good.contents == .sharedByCondition && wrong.contents == .different)
  }

  @Test("An unmeasured cell, or one with failed samples, does not count as having stored different contents")
  func missingContents() throws {
    let cells = SweptResultsTests.cells()
    let taken = entries([(cells[0], 3, "a"), (cells[1], 1, "a"), (cells[2], 40, "b")])
    #expect(try results(cells, taken).contents == .sharedByCondition)
    let failed = try results(cells, taken + [.failure(failure(cells[3].id))])
    #expect(failed.cells[3].failures.count == 1 && failed.contents == .sharedByCondition)
    #expect(try results(cells, [.failure(failure(cells[3].id))]).contents == .different)
    #expect(try results(cells, []).contents == .noSample)
  }

  @Test("Cells with the same rows do the same work, whatever else is swept")
  func groups() throws {
    let cells = SweptResultsTests.cells(caches: [1, 2])
    let results = try results(cells, [])
    #expect(results.equalWork.map(\.name) == ["rows=10", "rows=1000"])
    #expect(results.equalWork.map(\.cells) == [cells[..<4].map(\.id), cells[4...].map(\.id)])
    #expect(
      results.sweptConditions == [
        SweptValues(key: "cache_size", values: [.count(1), .count(2)]),
        SweptValues(key: "rows", values: [.count(10), .count(1_000)]),
      ])
    let plain = try self.results(try plainCells(), [])
    #expect(plain.equalWork.count == 1 && plain.equalWork[0].conditions.isEmpty)
  }

  @Test("A quick run leaves out swept rows that take long, but never all of them")
  func quick() throws {
    var swept = try scenario()
    swept.cells = SweptResultsTests.cells(rows: [10, 100_000, 1_000_000])
    let quick = planned(swept).quick
    #expect(quick.scenario.cells == Array(swept.cells[..<4]))
    #expect(quick.leftOut == Array(swept.cells[4...]))
    swept.cells = SweptResultsTests.cells(rows: [500_000, 1_000_000])
    #expect(planned(swept).quick.scenario.cells == Array(swept.cells[..<2]))
    #expect(planned(swept).quick.leftOut == Array(swept.cells[2...]))
    swept.cells = SweptResultsTests.cells(rows: [200_000])
    #expect(planned(swept).quick.scenario.cells == swept.cells && planned(swept).quick.leftOut.isEmpty)
    swept.cells = try plainCells()
    let plain = planned(swept)
    #expect(plain.quick.scenario.cells == plain.scenario.cells && plain.quick.leftOut.isEmpty)
  }

  private func plainCells() throws -> [Cell] { try scenario().cells }
}
