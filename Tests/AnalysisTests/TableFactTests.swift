// When a table of cells needs a note: for the order of its rows, and for disturbed times.
import Analysis
import BatchmarkEngine
import Instruments
import MissionTags
import Testing

@Suite("A2 A5 · facts about tables", .tags(.a2, .a5))
struct TableFactTests {
  private func cell(_ name: String, _ walls: [Double]) -> SyntheticCell {
    SyntheticCell(name, of: "acme", .peer, seconds: 1).with { $0.walls = walls }
  }

  private let reference = SyntheticCell("insert", of: "sqlite", .reference, seconds: 1)
    .with { $0.walls = [1, 2, 3, 4, 5] }

  private func scenario(_ cells: [SyntheticCell]) throws -> ScenarioReport {
    try SyntheticRun(cells: cells, rounds: 5).analysis().scenario
  }

  @Test("Cells are in the order of their medians, which may differ from that of the median ratios")
  func order() throws {
    // Medians of 2, 2.5 and 3; ratios of 2, 0.83 and 1.
    let unlike = try scenario([cell("b", [2.5, 2.5, 2.5, 2.5, 2.5]), cell("a", [2, 4, 6, 1, 1]), reference])
    #expect(unlike.bestFirst.map(\.cell.strategy) == ["a", "b", "insert"])
    #expect(unlike.bestFirst.compactMap(\.main.timesReference.figure?.median) == [2, 2.5 / 3, 1])
    #expect(unlike.rowOrder.leavesRatios && !unlike.rowOrder.isByWork && unlike.rowOrder.figure == nil)
    let alike = try scenario([cell("b", [3, 6, 9, 12, 15]), cell("a", [2, 4, 6, 8, 10]), reference])
    #expect(alike.bestFirst.compactMap(\.main.timesReference.figure?.median) == [1, 2, 3])
    #expect(!alike.rowOrder.leavesRatios)
  }

  @Test("The figure in question decides the order, and each kind of work has its own")
  func otherOrders() throws {
    let cells = [cell("b", [2.5, 2.5, 2.5, 2.5, 2.5]), cell("a", [2, 4, 6, 1, 1]), reference]
    var asked = try SyntheticRun(cells: cells, rounds: 5).results()
    asked.about = .heapPeak
    let order = ScenarioAnalysis(asked).scenario.rowOrder
    #expect(order.figure == .heapPeak && !order.leavesRatios)
    let sizes: [SyntheticCell] = [10, 20].map { rows in
      SyntheticCell("a", of: "acme", .peer, ["rows": .count(rows)], seconds: 1).with { $0.walls = [1, 1, 1, 1, 1] }
    }
    #expect(try scenario(sizes).rowOrder.isByWork)
  }

  @Test("Times are disturbed if more than a tenth of a cell's samples lost over 5 % to other processes")
  func disturbed() throws {
    func isDisturbed(_ lost: [Double]) throws -> Bool {
      let cell = cell("a", [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]).with { $0.lostSeconds = lost }
      return try SyntheticRun(cells: [cell], rounds: 10).results().hasDisturbedTimes
    }
    #expect(try !isDisturbed([]))
    #expect(try !isDisturbed([0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05]))
    #expect(try !isDisturbed([0.06, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
    #expect(try isDisturbed([0.06, 0, 0, 0.06, 0, 0, 0, 0, 0, 0]))
  }

  @Test("A figure that an instrument leaves out has its reason, and any other one that of its pass")
  func absences() throws {
    let cell = cell("a", [1, 1, 1, 1, 1]).with {
      $0.absences = [MetricAbsence([.heapPeakSQLite, .allocationsSQLite], because: "counted together")]
      $0.heapPeak = 100
    }
    let main = try #require(try SyntheticRun(cells: [cell], rounds: 5).results().cells.first).main
    #expect(main[.heapPeak] == .figure(100))
    #expect(main[.heapPeakSQLite] == .absent("counted together"))
    #expect(main[.allocationsSQLite] == .absent("counted together"))
    #expect(main[.allocations] == .absent("the worker did not measure it"))
    #expect(main[.syncs] == .absent("the run ended before the counters pass"))
  }
}
