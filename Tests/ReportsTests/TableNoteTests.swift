// Notes in a table or below it, so that a reader does not suspect a mistake.
import Analysis
import BatchmarkEngine
import Harness
import Instruments
import MissionTags
@testable import Reports
import Testing

@Suite("A5 · notes on tables", .tags(.a5))
struct TableNoteTests {
  private func words(_ text: String) -> [String] { text.split { $0.isWhitespace }.map(String.init) }

  private func terminal(_ results: Report, columns: Int = 120) -> [String] {
    TerminalTable.render(results, color: false, columns: columns).split(separator: "\n").map(String.init)
  }

  /// The standard cells, of whose times other processes took this share.
  private func results(lost share: Double) -> Report {
    var results = Fixture.standard.results
    for cell in results.scenarios[0].cells.indices {
      for sample in results.scenarios[0].cells[cell].samples.indices {
        for phase in results.scenarios[0].cells[cell].samples[sample].phases.indices {
          guard let wall = results.scenarios[0].cells[cell].samples[sample].phases[phase].wallSeconds else { continue }
          results.scenarios[0].cells[cell].samples[sample].phases[phase].interference =
            Interference(runDelaySeconds: share * wall)
        }
      }
    }
    return results
  }

  @Test("CPU time is beside the wall time on every page, and on a terminal if others disturbed it", .tags(.a2))
  func processorTime() throws {
    let scenario = ScenarioAnalysis(Fixture.standard.results.scenarios[0]).scenario
    let table = RunReport.mainTable(of: scenario)
    #expect(table.columns.prefix(3).map(\.title) == ["Cell", "Wall time", "CPU time"])
    for (row, cell) in zip(table.rows, scenario.bestFirst) {
      #expect(row.values[1] == .figure(cell.main.cpuMedian) && cell.main.cpuMedian.figure != nil)
    }
    #expect(!terminal(results(lost: 0.01)).contains { $0.contains("CPU time") })
    let disturbed = terminal(results(lost: 0.5))
    let head = try #require(disturbed.first { $0.hasPrefix("cell ") })
    #expect(words(head).prefix(8) == ["cell", "wall", "time", "95", "%", "CPU", "time", "184"], "\(head)")
    // 416 ms, nine tenths of them on a processor.
    let save = try #require(disturbed.last { $0.hasPrefix("save ") })
    #expect(words(save).prefix(7) == ["save", "416", "ms", "[400,", "499]", "375", "ms"], "\(save)")
    let narrow = terminal(results(lost: 0.5), columns: 70)
    #expect(narrow.contains { words($0).prefix(5) == ["cell", "wall", "time", "CPU", "time"] }, "\(narrow)")
  }

  @Test("The terminal says so in plain words if ratios have another order than times")
  func order() {
    var fixture = Fixture.standard
    let line = "Cells are in the order of their wall time. The ratio to the reference is the median"
    #expect(!terminal(fixture.results).contains { $0.contains("in the order of") })
    // The reference is slow in four rounds, and only one of the two is slower in these.
    fixture["insert"].walls = [1, 1, 1, 1, 3, 3, 3, 3]
    fixture["save"].walls = [2, 2, 2, 2, 2.2, 2.2, 2.2, 2.2]
    fixture["batch-objects"].walls = [1, 1, 1, 1, 4, 4, 4, 4]
    let lines = terminal(fixture.results)
    #expect(lines.contains { $0.hasPrefix(line) }, "\(lines)")
    #expect(!lines.contains { $0.contains("*") })
  }

  @Test("Columns that do not fit into a window are named below the table")
  func leftOut() throws {
    let cells = ScenarioAnalysis(Fixture.standard.results.scenarios[0]).scenario.bestFirst
    func leftOut(_ width: Int) -> [String] { TerminalLayout(cells, width: width).titlesLeftOut }
    #expect(leftOut(120).isEmpty)
    #expect(leftOut(110) == ["rows/s"])
    #expect(leftOut(100) == ["resident", "rows/s"])
    #expect(leftOut(80) == ["the interval", "resident", "WAL peak", "rows/s"])
    // Names as long as those of programs leave no room even in the widest window.
    var fixture = Fixture.standard
    fixture["save"].cell.strategy = "a-library-with-a-long-name/save"
    let lines = terminal(fixture.results)
    #expect(lines.contains("No room here for rows/s; the report has all"), "\(lines)")
    #expect(!terminal(Fixture.standard.results).contains { $0.hasPrefix("No room") })
  }
}

extension TableNoteTests {
  private func notes(_ rows: [(name: String, values: [Table.Value])]) -> [String] {
    var table = Table("Cell", [.number("Rows"), .number("Syncs"), .number("Reads")])
    for row in rows { table.append(row.name, row.values) }
    return table.notes.map(\.text)
  }

  @Test("Absences for one reason share a sentence, and many rows are counted")
  func absences() {
    let reason = Table.Value.absent("not counted")
    func rows(_ count: Int, lacking: Int) -> [(name: String, values: [Table.Value])] {
      (1...count).map { ("c\($0)", [.whole(1), $0 <= lacking ? reason : .whole(2), .whole(3)]) }
    }
    #expect(notes(rows(9, lacking: 4)) == ["Syncs of `c1`, `c2`, `c3` and `c4`: not counted."])
    #expect(notes(rows(9, lacking: 5)) == ["Syncs of 5 cells: not counted."])
    #expect(notes(rows(9, lacking: 7)) == ["Syncs of every cell but `c8` and `c9`: not counted."])
    #expect(notes(rows(9, lacking: 9)) == ["Syncs of every cell: not counted."])
    // Rows without one figure, and rows without two.
    let mixed = rows(9, lacking: 9).map { row in
      (name: row.name, values: row.name == "c9" ? [.whole(1), reason, reason] : row.values)
    }
    #expect(notes(mixed) == ["Syncs of every cell; Reads of `c9`: not counted."])
    // A cell with a row for each phase.
    let phases = (rows(6, lacking: 6) + rows(6, lacking: 0)).map { (name: $0.name, values: $0.values) }
    #expect(notes(phases) == ["Syncs of 6 cells: not counted."])
  }
}
