// A forecast of a run's time, disk space and memory, cell by cell, as far as an earlier run shows them.
package import Harness
internal import Instruments
package import BatchmarkEngine
internal import Support

/// A run before it is measured.
package struct RunForecast: Sendable {
  package let cells: [CellForecast]
  /// The limit of `--max-time` in seconds; `nil` for no limit.
  package let maxSeconds: Double?

  /// Estimates every cell of a plan.
  ///
  /// O(cells of the plan · cells of the earlier run).
  ///
  /// - Parameters:
  ///   - plan: The plan of the run.
  ///   - earlier: A run of the same or similar cells; `nil` if there is none.
  package init(of plan: RunPlan, from earlier: Report?) {
    let known = earlier?.scenarios.flatMap { scenario in
      scenario.cells.map { KnownCell(report: $0, rows: $0.cell.rows(of: scenario.rows)) }
    }
    let samples = Dictionary(grouping: plan.samples, by: \.cell)
    cells = plan.scenarios.flatMap { planned in
      planned.scenario.cells.map { cell in
        CellForecast(of: cell, in: planned, samples: samples[cell] ?? [], plan: plan, known: known ?? [])
      }
    }
    maxSeconds = plan.rules.maxSeconds
  }

  /// The total time of the known cells in seconds, within the limit of the command line; `nil` if none is known.
  package var seconds: Double? {
    let known = cells.compactMap(\.seconds)
    guard !known.isEmpty else { return nil }
    return min(known.reduce(0, +), maxSeconds ?? .infinity)
  }

  /// The most disk space of a store and its log at any time, in bytes.
  ///
  /// Samples run one after the other and leave nothing behind.
  package var diskBytes: Int64? { cells.compactMap(\.diskBytes).max() }

  /// The most memory of a worker, in bytes.
  package var memoryBytes: Int64? { cells.compactMap(\.memoryBytes).max() }

  /// The cost of each scenario: seconds if any are known, otherwise its samples' rows.
  ///
  /// An unknown cell counts by its rows, at the average speed of the known ones.
  package func weights(of scenarios: [String]) -> [Double] {
    func work(_ cell: CellForecast) -> Double { Double(cell.rows) * Double(cell.samples) }
    let known = cells.filter { $0.seconds != nil }
    let seconds = known.reduce(0.0) { $0 + ($1.seconds ?? 0) }
    let rows = known.reduce(0.0) { $0 + work($1) }
    let pace = seconds > 0 && rows > 0 ? seconds / rows : 1
    let weights = Dictionary(grouping: cells, by: \.cell.scenario).mapValues { cells in
      cells.reduce(0.0) { $0 + ($1.seconds ?? pace * work($1)) }
    }
    return scenarios.map { weights[$0] ?? 0 }
  }

  /// The number of cells without any estimate.
  package var unknown: Int { cells.count { $0.basis == .nothing } }
}

/// The data of a cell in an earlier run.
private struct KnownCell {
  let report: CellReport
  /// The rows of its source.
  ///
  /// The phase may handle fewer rows, for example to fetch a page.
  let rows: Int
}

/// One cell of a forecast.
package struct CellForecast: Sendable {
  package let cell: Cell
  package let rows: Int
  /// The expected number of timed rounds.
  package let rounds: Int
  /// Samples of every pass.
  package let samples: Int
  package let basis: Basis
  /// The time of all samples, in seconds.
  package let seconds: Double?
  package let diskBytes: Int64?
  package let memoryBytes: Int64?

  /// The size of a store and its log without rows: for a few tables, seven pages and three frames.
  private static let leastDiskBytes: Int64 = 41_000

  /// Where the figures come from.
  package enum Basis: Sendable, Hashable {
    /// The same cell with the same number of rows.
    case measured
    /// The same cell or strategy with another number of rows, scaled in proportion.
    case scaled(rows: Int)
    case nothing
  }

  fileprivate init(
    of cell: Cell, in planned: PlannedScenario, samples: [PlannedSample], plan: RunPlan, known: [KnownCell]
  ) {
    self.cell = cell
    rows = cell.rows(of: planned.rows)
    let exact = samples.count { $0.pass != .timing }
    let most = samples.count - exact
    guard let nearest = CellForecast.nearest(to: cell, rows: rows, among: known),
      let main = nearest.report.summary(of: nearest.report.mainPhase)
    else {
      (rounds, self.samples, basis) = (most, samples.count, .nothing)
      (seconds, diskBytes, memoryBytes) = (nil, nil, nil)
      return
    }
    let found = nearest.report
    let factor = Double(rows) / Double(nearest.rows)
    let rounds = CellForecast.rounds(most, main, factor: factor, plan: plan, planned)
    self.rounds = rounds
    self.samples = exact + rounds
    basis = found.cell.id == cell.id && factor == 1 ? .measured : .scaled(rows: nearest.rows)
    // Each table and index has at least a page, and a log its header, however few rows there are.
    func scaled(_ bytes: Int64?) -> Int64? {
      bytes.map { max(Int64(clamping: Double($0) * factor), min($0, CellForecast.leastDiskBytes)) }
    }
    let passes = Dictionary(grouping: samples, by: \.pass).mapValues(\.count)
    let fixed = found.secondsWithoutRows
    seconds = found.durations.map { durations in
      let others = durations.map(\.mean).max() ?? 0
      return passes.reduce(0.0) { sum, pass in
        let mean = durations.first { $0.pass == pass.key }?.mean ?? others
        let one = fixed + factor * max(mean - fixed, 0)
        return sum + one * Double(pass.key == .timing ? rounds : pass.value)
      }
    }
    let metrics = found.phases.map(\.metrics)
    let database = metrics.compactMap { $0[.databaseBytes] }.max()
    let wal = metrics.compactMap { $0[.walPeak] }.max()
    diskBytes = scaled(database.map { $0 + (wal ?? 0) } ?? wal)
    // The program's own memory is constant; only the heap grows with the rows.
    let heap = metrics.compactMap { $0[.heapPeak] }.max() ?? 0
    memoryBytes = metrics.compactMap { $0[.residentSetPeak] }.max().map {
      Int64(clamping: max(Double($0) + Double(heap) * (factor - 1), 0))
    }
  }

  /// The cell itself, or else one of the same strategy with the nearest number of rows.
  private static func nearest(to cell: Cell, rows: Int, among known: [KnownCell]) -> KnownCell? {
    func distance(_ other: KnownCell) -> Double {
      max(Double(other.rows) / Double(rows), Double(rows) / Double(other.rows))
    }
    let measured = known.filter { known in
      known.rows > 0 && known.report.summary(of: known.report.mainPhase) != nil && known.report.durations != nil
    }
    if let same = measured.first(where: { $0.report.cell.id == cell.id }) { return same }
    let alike = measured.filter { ($0.report.cell.engine, $0.report.cell.strategy) == (cell.engine, cell.strategy) }
    let exact = alike.filter { $0.report.cell.ownParameters == cell.ownParameters }
    return (exact.isEmpty ? alike : exact).min { distance($0) < distance($1) }
  }

  /// The number of rounds after which the cell will probably stop.
  private static func rounds(
    _ most: Int, _ main: PhaseReport, factor: Double, plan: RunPlan, _ planned: PlannedScenario
  ) -> Int {
    guard let wall = main.wall.figure, wall.median > 0 else { return most }
    if let until = plan.rules.until, let low = wall.low, let high = wall.high {
      let halfWidth = (high - low) / 2 / wall.median
      let needed = RunWarning.rounds(for: halfWidth, aim: until, after: main.samples)
      return min(max(needed, 6, plan.rules.minRounds ?? 1), most)
    }
    return plan.endsSlowCells(of: planned) && wall.median * factor > EarlyStop.slowSeconds
      ? min(max(EarlyStop.slowRounds, plan.rules.minRounds ?? 1), most) : most
  }
}

extension Cell {
  /// The rows of its source: its own if rows are swept, otherwise the scenario's.
  fileprivate func rows(of scenario: Int) -> Int {
    if case .count(let swept)? = conditions["rows"] { swept } else { scenario }
  }
}

extension CellReport {
  /// The part of a timed sample's time that does not depend on its rows: the worker's start and end, in seconds.
  fileprivate var secondsWithoutRows: Double {
    guard let whole = durations?.first(where: { $0.pass == .timing })?.mean else { return 0 }
    let timed = samples.filter { $0.pass == .timing }
    let phases = timed.flatMap(\.phases).compactMap(\.wallSeconds).reduce(0, +) / Double(max(timed.count, 1))
    return max(whole - phases, 0)
  }
}

extension RunPlan {
  /// The numbers of timed rounds of scenarios with too few of them for an interval and a ranking, without duplicates,
  /// the fewest first; empty for a quick run, which only gives a first impression.
  package var roundsWithoutInterval: [Int] {
    if isQuick { return [] }
    return Set(scenarios.map { rounds(of: .timing, in: $0) }).filter { $0 < Estimate.leastRounds }.sorted()
  }
}
