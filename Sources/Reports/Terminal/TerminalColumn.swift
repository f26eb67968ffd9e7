// The columns of the final table: what each one shows about a cell, and which ones are dropped first.
internal import Analysis

/// A column to the right of a cell's name.
enum TerminalColumn: Int, CaseIterable {
  /// The latency that the question asks about comes first.
  case latency
  case time, interval, processor, bar, reference, heap, resident, wal, rate

  /// The order in which columns are dropped to make room.
  ///
  /// The time and a latency always stay.
  ///
  /// Processor time is shown only if other processes disturbed the times.
  static let givingWay: [TerminalColumn] = [.rate, .resident, .wal, .interval, .heap, .reference, .processor, .bar]

  /// The bar has an axis instead of a title, and a latency has its own.
  var title: String {
    switch self {
    case .time: "wall time"
    case .interval: "95 %"
    case .processor: "CPU time"
    case .bar, .latency: ""
    case .reference: "x reference"
    case .heap: "heap peak"
    case .resident: "resident"
    case .wal: "WAL peak"
    case .rate: "rows/s"
    }
  }

  var isLeft: Bool { self == .interval || self == .bar }

  /// The cell's figure in the column's unit; `nil` if it was not measured.
  func text(of cell: CellReport, _ unit: Unit?, asked: MetricID?) -> String? {
    let main = cell.main
    func bytes(_ figure: Int64) -> String {
      guard let unit, unit != .byte else { return "\(Digits.grouped(figure)) B" }
      return "\(Digits.significant(Double(figure) * unit.factor)) \(unit.name)"
    }
    func time(_ estimate: Estimate) -> (figure: String, interval: String?) {
      Digits.shown(estimate.scaled(by: unit?.factor ?? 1))
    }
    return switch self {
    case .latency: asked.flatMap(cell.latency).map { "\(time($0).figure) \(unit?.name ?? "s")" }
    case .time: main.wall.figure.map { "\(time($0).figure) \(unit?.name ?? "s")" }
    // A time without an interval was still measured, so it gets a bar.
    case .interval: main.wall.figure.flatMap { time($0).interval } ?? ""
    case .processor:
      main.cpuMedian.figure.map { "\(Digits.significant($0 * (unit?.factor ?? 1))) \(unit?.name ?? "s")" }
    case .bar: ""
    case .reference: cell.main.timesReference.figure.map { HumanUnits.ratioMedian($0) }
    case .heap, .resident, .wal: metric.flatMap { main[$0].figure }.map(bytes)
    case .rate: main.rowsPerSecond.figure.map { Digits.three($0) }
    }
  }

  /// The common unit of the column; `nil` if it has none.
  func unit(of cells: [CellReport], asked: MetricID?) -> Unit? {
    switch self {
    case .latency:
      Unit.common(of: cells.compactMap { asked.flatMap($0.latency)?.median }, among: Unit.times) ?? .milliseconds
    case .time, .interval:
      Unit.common(of: cells.compactMap(\.main.wall.figure?.median), among: Unit.times) ?? .milliseconds
    case .processor: Unit.common(of: cells.compactMap(\.main.cpuMedian.figure), among: Unit.times) ?? .milliseconds
    case .heap, .resident, .wal:
      Unit.common(
        of: cells.compactMap { cell in metric.flatMap { cell.main[$0].figure }.map { Double($0) } }, among: Unit.bytes)
    case .bar, .reference, .rate: nil
    }
  }

  /// The metric of a column of bytes.
  var metric: MetricID? {
    switch self {
    case .heap: .heapPeak
    case .resident: .residentSetPeak
    case .wal: .walPeak
    case .latency, .time, .interval, .processor, .bar, .reference, .rate: nil
    }
  }
}
