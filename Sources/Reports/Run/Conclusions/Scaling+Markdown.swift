// How time and memory grow with rows, as sentences and tables.
internal import Analysis

extension Scaling: EvidenceSection {
  var title: String { "Growth with rows" }

  func backs(_ finding: Finding) -> Bool {
    switch finding.kind {
    case .exponent, .breakInGrowth, .heapPerRow, .heapIndependentOfRows: true
    default: false
    }
  }

  var method: String? {
    "*Exponents* are those of time ∝ rows to the power of the exponent: the median of the slopes between all pairs of "
      + "samples of different sizes, on logarithmic scales, and its interval by Kendall's test (Theil and Sen). An exponent "
      + "below 1 shows a fixed cost, which matters least between the two largest sizes. It is called different from 1 only if "
      + "its whole interval lies outside 0.95 to 1.05. A *break* is a size above which each row takes at least twice as long "
      + "as below it, and the same time on either side."
  }

  // MARK: Tables

  var tables: [Table] {
    var time = table(
      "Wall time of the main phase", Table.Column.time, [.ratio("Exponent"), .ratio("Between the two largest")])
    var reference = table("Times the reference", Table.Column.ratio, [])
    var heap = table("Heap peak", Table.Column.bytes, [.number("Bytes a further row")])
    for line in lines {
      let exponents = [line.shape?.exponent, line.tail].map { exponent in
        Table.Value.figure(exponent.map { Estimate($0) }, or: "fewer than two sizes have a time")
      }
      time.append(
        line.series.label,
        values(of: line) { .figure($0.main.wall) } + exponents)
      reference.append(
        line.series.label,
        values(of: line) { cell in
          let ratio = cell.main.timesReference
          return cell.cell.isReference ? .text(ratio) { _ in "1 (the reference)" } : .figure(ratio)
        })
      let further = Table.Value.figure(
        line.heap.map { Double($0.bytes) / Double($0.rows) }, or: "fewer than two sizes have a memory pass")
      heap.append(
        line.series.label, values(of: line) { .figure($0.main[.heapPeak]) } + [further])
    }
    return [time, reference, heap]
  }

  private func table(_ first: String, _ column: (String) -> Table.Column, _ others: [Table.Column]) -> Table {
    Table(first, sizes.map { column("\($0.title) rows") } + others)
  }

  private func values(of line: Line, _ value: (CellReport) -> Table.Value) -> [Table.Value] {
    sizes.map { size in
      line.points.first { $0.setting.order == size.order }.map { value($0.cell) } ?? .absent("no such cell was run")
    }
  }
}
