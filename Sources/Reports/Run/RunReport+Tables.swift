// The tables of times and memory, one row per cell.
internal import Analysis

extension RunReport {
  static func mainTable(of scenario: ScenarioReport) -> Table {
    let asked = askedLatency(scenario)
    var table = Table(
      "Cell",
      (asked.map { [$0.column] } ?? []) + [
        .time("Wall time"), .time("CPU time"), .rate("Rows a second"), .ratio("Times the reference"),
        .bytes("Heap peak"), .bytes("Resident peak"), .bytes("WAL peak"),
      ])
    for cell in scenario.bestFirst {
      let main = cell.main
      table.append(
        cell.label,
        (asked.map { [$0.value(cell)] } ?? []) + [
          .figure(main.wall), .figure(main.cpuMedian), .figure(main.rowsPerSecond), timesReference(of: cell),
          .figure(main[.heapPeak]), .figure(main[.residentSetPeak]), .figure(main[.walPeak]),
        ])
    }
    return table
  }

  static func phaseTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell",
      [
        .text("Phase"), .number("Rows"), .number("Samples"), .time("Wall time"), .time("CPU time"),
        .rate("Rows a second"),
      ])
    for cell in scenario.leastFirst({ $0.total.figure?.median }) {
      for phase in cell.phases {
        table.append(
          cell.label,
          [
            .text(phase.phase.rawValue), .count(phase.rows), .count(phase.samples), .figure(phase.wall),
            .figure(phase.cpuMedian), .figure(phase.rowsPerSecond),
          ])
      }
      if cell.phases.isEmpty {
        let absence = Table.Value.figure(cell.main.wall)
        table.append(cell.label, [absence, absence, .count(0), absence, absence, absence])
      }
    }
    return table
  }

  static func memoryTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Cell, \(scenario.operation.phase.rawValue)",
      [
        .bytes("Heap peak"), .number("Bytes a row"), .bytes("SQLite's part"), .bytes("jemalloc allocated"),
        .bytes("jemalloc resident"), .bytes("Resident peak"), .number("Allocations"), .bytes("Allocated"),
        .bytes("Resident after a purge"), .ratio("Fragmentation"),
      ])
    for cell in scenario.leastFirst(.heapPeak) {
      let main = cell.main
      table.append(
        cell.label,
        [
          .figure(main[.heapPeak]), .figure(main.perRow(.heapPeak)), .figure(main[.heapPeakSQLite]),
          .figure(main[.jemallocAllocatedPeak]), .figure(main[.jemallocResidentPeak]), .figure(main[.residentSetPeak]),
          .figure(main[.allocations]), .figure(main[.allocatedBytes]), .figure(main[.jemallocResidentAfter]),
          .figure(cell.fragmentation),
        ])
    }
    return table
  }

  static func timesReference(of cell: CellReport) -> Table.Value {
    let ratio = cell.main.timesReference
    return cell.cell.isReference ? .text(ratio) { _ in "1 (the reference)" } : .figure(ratio)
  }
}
