// The columns of the closing table: what each says of a cell, and which give way first.
internal import Analysis
internal import Instruments
internal import Workloads

/// What stands to the right of a cell's name.
enum TerminalColumn: Int, CaseIterable {
  case time, interval, bar, reference, heap, resident, wal, rate

  /// In this order they make room for the others; the time stays.
  static let givingWay: [TerminalColumn] = [.rate, .resident, .wal, .interval, .heap, .reference, .bar]

  /// The axis stands in place of the bar's title.
  var title: String {
    switch self {
    case .time: "wall time"
    case .interval: "95 %"
    case .bar: ""
    case .reference: "x reference"
    case .heap: "heap peak"
    case .resident: "resident"
    case .wal: "WAL peak"
    case .rate: "rows/s"
    }
  }

  var isLeft: Bool { self == .interval || self == .bar }

  /// The cell's figure; nil where it was not measured.
  func text(of cell: CellFigures) -> String? {
    let main = cell.main
    func bytes(_ metric: MetricID) -> String? { main[metric].figure.map { HumanUnits.bytes($0) } }
    return switch self {
    case .time: main.wall.figure.map { HumanUnits.time($0.median) }
    // A time without an interval is measured all the same, and a bar is drawn of what is.
    case .interval: main.wall.figure.flatMap { HumanUnits.timeInterval($0) } ?? ""
    case .bar: ""
    case .reference: cell.timesReference.figure.map { Digits.significant($0.median) }
    case .heap: bytes(.heapPeak)
    case .resident: bytes(.residentSetPeak)
    case .wal: bytes(.walPeak)
    case .rate: main.rowsPerSecond.figure.map { HumanUnits.rate($0) }
    }
  }
}
