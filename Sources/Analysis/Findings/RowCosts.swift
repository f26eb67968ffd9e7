// The cost of one row: time, time above the reference, memory, bytes written.
internal import Harness
internal import Instruments
package import BatchmarkEngine

/// The figures of each cell's main phase, divided by its rows.
package struct RowCosts {
  package struct Line {
    package let cell: CellReport
    package let rows: Int
    /// Seconds per row.
    package let time: Estimate?
    /// Seconds per row above plain SQLite in the same rounds; `nil` for the reference itself, and without one.
    package let aboveReference: Estimate?

    /// A metric of the main phase, per row.
    package func figure(_ metric: MetricID) -> Double? { cell.main.metrics[metric].map { Double($0) / Double(rows) } }
  }

  /// The metrics reported next to the times, in the order of the table.
  package static let metrics: [MetricID] = [.heapPeak, .allocatedBytes, .walBytesWritten, .walPeak, .bytesWritten]

  /// The cells grouped by kind of work, the shortest time first; those without a time come last.
  package let lines: [Line]

  /// `nil` if no cell handled a row.
  init?(_ scenario: ScenarioReport, groups: [ComparableGroup]) {
    lines = groups.flatMap { group -> [Line] in
      let cells = scenario.results(of: group.cells)
      let references = cells.filter(\.cell.isReference)
      let own: [Line] = cells.filter { !$0.cell.showsHarnessCost }.compactMap { cell in
        let main = cell.main
        guard main.rows > 0 else { return nil }
        let walls = scenario.mainWalls(of: cell)
        // With several references, the name does not show which one belongs to a cell.
        let reference = references.count == 1 && !cell.cell.isReference ? references.first : nil
        let above = reference.flatMap { Estimate(differenceOf: walls, to: scenario.mainWalls(of: $0)) }
        return Line(
          cell: cell, rows: main.rows, time: main.wall.figure?.scaled(by: 1 / Double(main.rows)),
          aboveReference: above?.scaled(by: 1 / Double(main.rows)))
      }
      return own.sorted { ($0.time?.median ?? .infinity) < ($1.time?.median ?? .infinity) }
    }
    if lines.isEmpty { return nil }
  }

  /// The metrics reported in the text, each as its range over the cells.
  private static let ranged: [MetricID] = [.heapPeak, .walBytesWritten]

  /// The cells with the most and the least per row.
  var findings: [Finding] {
    RowCosts.ranged.compactMap { metric in
      let known = lines.compactMap { line in line.figure(metric).map { (id: line.cell.cell.id, bytes: $0) } }
      guard known.count > 1, let most = known.max(by: { $0.bytes < $1.bytes }),
        let least = known.min(by: { $0.bytes < $1.bytes })
      else { return nil }
      return Finding(
        .bytesPerRow(metric), [most.id, least.id], [most, least].map { Estimate(median: $0.bytes) }, .exact)
    }
  }
}
