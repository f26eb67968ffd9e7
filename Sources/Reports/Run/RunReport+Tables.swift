// The tables of times and memory: a row a cell.
internal import Analysis
internal import Harness
internal import Instruments
internal import Scenarios
internal import Workloads

extension RunReport {
  static func mainTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell",
      [
        "Wall time, median [95 %]", "Rows a second", "Times the reference [95 %]", "Heap peak", "Resident peak",
        "WAL peak",
      ])
    for cell in scenario.fastestFirst {
      let main = cell.main
      table.append(
        cell.label,
        [
          .time(main.wall), rate(main.rowsPerSecond), timesReference(of: cell), .bytes(main[.heapPeak]),
          .bytes(main[.residentSetPeak]), .bytes(main[.walPeak]),
        ])
    }
    return table
  }

  static func phaseTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell", ["Phase", "Rows", "Samples", "Wall time, median [95 %]", "CPU time, median", "Rows a second"])
    for cell in scenario.figures {
      for phase in cell.phases {
        table.append(
          cell.label,
          [
            .text(phase.phase.rawValue), .text(Digits.grouped(phase.rows)), .text(Digits.grouped(phase.samples)),
            .time(phase.wall), .figure(phase.cpuMedian) { HumanUnits.time($0) }, rate(phase.rowsPerSecond),
          ])
      }
      if cell.phases.isEmpty {
        let absence = Table.Value.time(cell.main.wall)
        table.append(cell.label, [absence, absence, .text("0"), absence, absence, absence])
      }
    }
    return table
  }

  static func memoryTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell, \(scenario.question.operation.phase.rawValue)",
      [
        "Heap peak", "Bytes a row", "SQLite's part", "jemalloc allocated", "jemalloc resident", "Resident peak",
        "Allocations", "Allocated", "Resident after a purge", "Fragmentation",
      ])
    for cell in scenario.figures {
      let main = cell.main
      table.append(
        cell.label,
        [
          .bytes(main[.heapPeak]), .number(main.perRow(.heapPeak)), .bytes(main[.heapPeakSQLite]),
          .bytes(main[.jemallocAllocatedPeak]), .bytes(main[.jemallocResidentPeak]), .bytes(main[.residentSetPeak]),
          .count(main[.allocations]), .bytes(main[.allocatedBytes]), .bytes(main[.jemallocResidentAfter]),
          .number(cell.fragmentation),
        ])
    }
    return table
  }

  private static func rate(_ rowsPerSecond: Measured<Double>) -> Table.Value {
    .figure(rowsPerSecond) { HumanUnits.rate($0) }
  }

  static func timesReference(of cell: CellFigures) -> Table.Value {
    .figure(cell.timesReference) { cell.cell.isReference ? "1 (the reference)" : HumanUnits.ratio($0) }
  }
}
