// samples.csv: a row per sample and phase, including failed samples.
package import Analysis

/// Every sample of every pass.
///
/// `status` is `ok`, `set_aside` (it succeeded, but another cell failed in its round, so its time is not used) or
/// `failed` (one row without a phase, with the reason).
package enum SamplesCSV {
  /// The file's text.
  package static func render(_ results: Report) -> String {
    CSV.render(results, columns) { records(of: $0, run: $1) }
  }

  private struct Record: RunCellRecord {
    let text: CellText
    let pass: Pass
    let round: Int
    let measurement: PhaseMeasurement?
    let contents: StoredContents?
    let status: String
    let reason: String?
    let run: RunText
  }

  private static func records(of scenario: ScenarioReport, run: RunText) -> [Record] {
    let setAside = scenario.setAside
    return scenario.cells.flatMap { cell -> [Record] in
      let text = CellText(cell.cell)
      let measured = cell.samples.flatMap { sample -> [Record] in
        let isSetAside = setAside.contains(sample)
        return sample.phases.map { phase in
          Record(
            text: text, pass: sample.pass, round: sample.round, measurement: phase, contents: sample.contents,
            status: isSetAside ? "set_aside" : "ok",
            reason: isSetAside ? setAside.reason(for: sample) : nil, run: run)
        }
      }
      let failed = cell.failures.map { failure in
        Record(
          text: text, pass: failure.pass, round: failure.round, measurement: nil, contents: nil,
          status: "failed", reason: failure.reason, run: run)
      }
      return measured + failed
    }
  }

  /// How other processes disturbed the phase, in the timing pass.
  private static var interference: [CSVColumn<Record>] {
    [
      CSVColumn("run_delay_s") { CSV.seconds($0.measurement?.interference?.runDelaySeconds) },
      CSVColumn("steal_s") { CSV.seconds($0.measurement?.interference?.stolenSeconds) },
      CSVColumn("voluntary_switches") { $0.measurement?.interference.map { "\($0.voluntarySwitches)" } },
      CSVColumn("involuntary_switches") { $0.measurement?.interference.map { "\($0.involuntarySwitches)" } },
      CSVColumn("major_faults") { $0.measurement?.interference.map { "\($0.majorFaults)" } },
      CSVColumn("minor_faults") { $0.measurement?.interference.map { "\($0.minorFaults)" } },
      CSVColumn("cpu_pressure_s") { CSV.seconds($0.measurement?.interference?.processorPressureSeconds) },
      CSVColumn("io_pressure_s") { CSV.seconds($0.measurement?.interference?.devicePressureSeconds) },
    ]
  }

  private static var columns: [CSVColumn<Record>] {
    [
      CSVColumn("pass") { $0.pass.rawValue },
      CSVColumn("round") { "\($0.round)" },
      CSVColumn("phase") { $0.measurement?.phase.rawValue },
      CSVColumn("rows") { $0.measurement.map { "\($0.rows)" } },
      CSVColumn("wall_s") { CSV.seconds($0.measurement?.wallSeconds) },
      CSVColumn("cpu_s") { CSV.seconds($0.measurement?.cpuSeconds) },
    ] + interference + CSVColumn.ofMetrics { $0.measurement?.metrics ?? [:] }
      + [
        CSVColumn("stored_rows") { $0.contents.map { "\($0.rows)" } },
        CSVColumn("content_hash") { $0.contents?.contentHash },
        CSVColumn("status") { $0.status },
        CSVColumn("reason") { $0.reason },
      ]
  }
}

extension SetAsideRounds {
  /// Why a sample's times are not used.
  fileprivate func reason(for sample: Sample) -> String {
    isDisturbed(sample) ? "its own clock says less" : "another sample failed in this round"
  }
}
