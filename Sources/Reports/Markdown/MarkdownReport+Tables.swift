// The tables of times and memory: a row a cell.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

extension MarkdownReport {
  static func mainTable(of scenario: ScenarioResults) -> MarkdownTable {
    var table = MarkdownTable(
      "Cell",
      [
        "Wall time, median [95 %]", "Rows a second", "Times the reference [95 %]", "Heap peak", "Resident peak",
        "WAL peak",
      ])
    for cell in scenario.cells {
      table.append(
        cell.label,
        [
          wall(of: cell, in: cell.mainPhase),
          rate(of: cell, in: cell.mainPhase),
          timesReference(of: cell, in: scenario),
          bytes(.heapPeak, of: cell, in: cell.mainPhase),
          bytes(.residentSetPeak, of: cell, in: cell.mainPhase),
          bytes(.walPeak, of: cell, in: cell.mainPhase),
        ])
    }
    return table
  }

  static func phaseTable(of scenario: ScenarioResults) -> MarkdownTable {
    var table = MarkdownTable(
      "Cell", ["Phase", "Rows", "Samples", "Wall time, median [95 %]", "CPU time, median", "Rows a second"])
    for cell in scenario.cells {
      for summary in cell.phases {
        let absence = cell.absenceOfTime(in: summary.phase)
        table.append(
          cell.label,
          [
            .text(summary.phase.rawValue),
            .text(Digits.grouped(summary.rows)),
            .text(Digits.grouped(summary.samples)),
            wall(of: cell, in: summary.phase),
            summary.cpuMedian.map { .text(HumanUnits.time($0)) } ?? .absent(absence),
            rate(of: cell, in: summary.phase),
          ])
      }
      if cell.phases.isEmpty {
        let absence = MarkdownTable.Value.absent(cell.absenceOfTime(in: cell.mainPhase))
        table.append(cell.label, [absence, absence, .text("0"), absence, absence, absence])
      }
    }
    return table
  }

  static func memoryTable(of scenario: ScenarioResults) -> MarkdownTable {
    var table = MarkdownTable(
      "Cell, \(scenario.operation.phase.rawValue)",
      [
        "Heap peak", "Bytes a row", "SQLite's part", "jemalloc allocated", "jemalloc resident", "Resident peak",
        "Allocations", "Allocated", "Resident after a purge", "Fragmentation",
      ])
    for cell in scenario.cells {
      let fragmentation = cell.fragmentation.map { MarkdownTable.Value.text(Digits.significant($0)) }
      table.append(
        cell.label,
        [
          bytes(.heapPeak, of: cell, in: cell.mainPhase),
          figure(.heapPeak, of: cell, in: cell.mainPhase) { value, rows in HumanUnits.perRow(value, rows: rows) ?? "" },
          bytes(.heapPeakSQLite, of: cell, in: cell.mainPhase),
          bytes(.jemallocAllocatedPeak, of: cell, in: cell.mainPhase),
          bytes(.jemallocResidentPeak, of: cell, in: cell.mainPhase),
          bytes(.residentSetPeak, of: cell, in: cell.mainPhase),
          count(.allocations, of: cell, in: cell.mainPhase),
          bytes(.allocatedBytes, of: cell, in: cell.mainPhase),
          bytes(.jemallocResidentAfter, of: cell, in: cell.mainPhase),
          fragmentation ?? .absent(cell.absence(of: .jemallocActiveAfter, in: cell.mainPhase)),
        ])
    }
    return table
  }

  // MARK: Values

  static func wall(of cell: CellResults, in phase: Phase) -> MarkdownTable.Value {
    cell.summary(of: phase)?.wall.map { .text(HumanUnits.time($0)) } ?? .absent(cell.absenceOfTime(in: phase))
  }

  private static func rate(of cell: CellResults, in phase: Phase) -> MarkdownTable.Value {
    if cell.cell.role == .harnessCost && phase == cell.mainPhase {
      return .absent("no row is stored in the phase")
    }
    return cell.summary(of: phase)?.rowsPerSecond.map { .text(HumanUnits.rate($0)) }
      ?? .absent(cell.absenceOfTime(in: phase))
  }

  static func bytes(_ metric: Metric, of cell: CellResults, in phase: Phase) -> MarkdownTable.Value {
    figure(metric, of: cell, in: phase) { value, _ in HumanUnits.bytes(value) }
  }

  static func count(_ metric: Metric, of cell: CellResults, in phase: Phase) -> MarkdownTable.Value {
    figure(metric, of: cell, in: phase) { value, _ in Digits.grouped(value) }
  }

  static func time(_ metric: Metric, of cell: CellResults, in phase: Phase) -> MarkdownTable.Value {
    figure(metric, of: cell, in: phase) { value, _ in HumanUnits.time(Double(value) / 1e9) }
  }

  /// A metric in words made from it and the phase's rows.
  static func figure(
    _ metric: Metric, of cell: CellResults, in phase: Phase, _ words: (Int64, Int) -> String
  ) -> MarkdownTable.Value {
    guard let summary = cell.summary(of: phase), let value = summary.metrics[metric] else {
      return .absent(cell.absence(of: metric, in: phase))
    }
    return .text(words(value, summary.rows))
  }

  private static func timesReference(of cell: CellResults, in scenario: ScenarioResults) -> MarkdownTable.Value {
    guard let reference = scenario.reference(of: cell) else {
      let isSwept = scenario.cells.contains(where: \.cell.isReference)
      return .absent(
        "this run has no reference cell"
          + (isSwept ? " with the same swept values" : ""))
    }
    if let ratio = cell.main?.timesReference {
      return .text(cell.cell.isReference ? "1 (the reference)" : HumanUnits.ratio(ratio))
    }
    if cell.main?.wall == nil { return .absent(cell.absenceOfTime(in: cell.mainPhase)) }
    return .absent(
      reference.main?.wall == nil
        ? "the reference has no time: \(reference.absenceOfTime(in: reference.mainPhase))"
        : "it shares no round with the reference")
  }
}
