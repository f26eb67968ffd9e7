// ratios.csv and machines.csv: ratios of several machines, combined and for each one.
internal import Analysis

/// The combined results of several machines, as files for other programs.
enum MachineCSV {
  private struct Record {
    var scenario: ScenarioOnMachines
    var cell: CellOnMachines
    /// `nil` for all machines combined.
    var machine: (index: Int, known: MergedMachine)?
  }

  /// One row per cell: the combined ratio of all machines.
  static func ratios(_ comparison: MachineComparison) -> String {
    let records = comparison.scenarios.flatMap { scenario in scenario.cells.map { Record(scenario: scenario, cell: $0) }
    }
    return CSV.render(
      ofCell + [
        CSVColumn("machines") { "\($0.cell.combined?.machines ?? 0)" },
        CSVColumn("ratio") { CSV.number($0.cell.combined?.ratio, decimals: 6) },
        CSVColumn("ratio_low") { CSV.number($0.cell.combined?.interval?.lowerBound, decimals: 6) },
        CSVColumn("ratio_high") { CSV.number($0.cell.combined?.interval?.upperBound, decimals: 6) },
        CSVColumn("spread") { CSV.number($0.cell.combined?.spread, decimals: 6) },
        CSVColumn("least") { CSV.number($0.cell.combined?.least, decimals: 6) },
        CSVColumn("greatest") { CSV.number($0.cell.combined?.greatest, decimals: 6) },
        CSVColumn("same_order") { record in
          guard record.cell.isOnSeveralMachines else { return nil }
          let cells = [record.cell.cell]
          return record.scenario.reversals.contains { cells.contains($0.first) || cells.contains($0.second) }
            ? "false" : "true"
        },
      ], records)
  }

  /// One row per cell and machine.
  static func machines(_ comparison: MachineComparison) -> String {
    let records = comparison.scenarios.flatMap { scenario in
      scenario.cells.flatMap { cell in
        comparison.machines.enumerated().map { Record(scenario: scenario, cell: cell, machine: ($0, $1)) }
      }
    }
    return CSV.render(
      ofCell + [
        CSVColumn("shard") { $0.machine?.known.shard.description },
        CSVColumn("machine") { $0.machine?.known.machine },
        CSVColumn("run") { $0.machine?.known.runID },
        CSVColumn("started") { $0.machine?.known.started },
        CSVColumn("rounds") { record in record.machine.map { "\(record.cell.rounds[$0.index])" } },
        CSVColumn("ratio") { record in
          CSV.number(record.machine.flatMap { record.cell.ratios[$0.index] }, decimals: 6)
        },
      ], records)
  }

  /// One row per cell and machine of a comparison of two sides.
  static func machines(_ merge: PairMerge) -> String {
    let records = merge.cells.flatMap { cell in
      merge.machines.enumerated().map { (cell: cell, index: $0, machine: $1) }
    }
    typealias Column = CSVColumn<(cell: PairOnMachines, index: Int, machine: MergedMachine)>
    return CSV.render(
      [
        Column("scenario") { $0.cell.cell.scenario },
        Column("cell") { $0.cell.cell.id },
        Column("shard") { $0.machine.shard.description },
        Column("machine") { $0.machine.machine },
        Column("run") { $0.machine.runID },
        Column("started") { $0.machine.started },
        Column("pairs") { "\($0.cell.pairs[$0.index])" },
        Column("ratio") { CSV.number($0.cell.ratios[$0.index], decimals: 6) },
        // The verdict on the time, if there is one. The gate may judge only exact metrics.
        Column("verdict") { $0.cell.isTimeJudged ? $0.cell.time.rawValue : nil },
      ], records)
  }

  private static var ofCell: [CSVColumn<Record>] {
    [
      CSVColumn("scenario") { $0.scenario.name },
      CSVColumn("cell") { $0.cell.cell.id },
      CSVColumn("reference") { $0.cell.reference.id },
    ]
  }
}
