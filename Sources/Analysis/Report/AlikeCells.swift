// Cells whose figures have the same course over a phase: one line of a picture shows them all.
internal import Instruments

/// Cells whose courses stay together.
package struct AlikeCells<Course> {
  /// The course of the first cell.
  package let course: Course
  /// In the scenario's order.
  package fileprivate(set) var cells: [CellReport]
  fileprivate let values: [Int64]

  /// Whether these values are nowhere further apart than a share of the highest, which is their own where none is given.
  fileprivate func holds(_ others: [Int64], highest: Int64?) -> Bool {
    guard values.count == others.count else { return false }
    let limit = ScenarioReport.alikeMargin * Double(highest ?? max(values.max() ?? 0, others.max() ?? 0))
    return zip(values, others).allSatisfy { Double(($0 - $1).magnitude) <= limit }
  }
}

extension ScenarioReport {
  /// How far two cells may be apart at any point, as a share of the highest.
  package static let alikeMargin = 0.03

  /// The cells whose WAL was watched, those that grew alike together.
  package var alikeGrowths: [AlikeCells<CellReport.WALSeries>] {
    alike(\.growth) { growth in growth.points.map(\.walBytes) + growth.checkpoints.map { Int64($0.rows) } }
  }

  /// The cells whose heap was followed, grouped by similar courses.
  ///
  /// Samplers never look at the same moment, so cells differ only if one scale for all cells shows it.
  package var alikeHeaps: [AlikeCells<CellReport.HeapSeries>] {
    alike(\.heap, highest: cells.compactMap(\.heap?.peak.liveBytes).max()) { $0.highest(of: 20) }
  }

  private func alike<Course>(
    _ course: (CellReport) -> Course?, highest: Int64? = nil, _ values: (Course) -> [Int64]
  ) -> [AlikeCells<Course>] {
    var found: [AlikeCells<Course>] = []
    for cell in cells {
      guard let course = course(cell) else { continue }
      let values = values(course)
      if let known = found.firstIndex(where: { $0.holds(values, highest: highest) }) {
        found[known].cells.append(cell)
      } else {
        found.append(AlikeCells(course: course, cells: [cell], values: values))
      }
    }
    return found
  }
}
