// Cells with the same course of a figure over a phase, which one line in a picture can show together.
internal import Instruments

/// Cells with similar courses.
package struct AlikeCells<Course> {
  /// The course of the first cell.
  package let course: Course
  /// In the scenario's order.
  package fileprivate(set) var cells: [CellReport]
  fileprivate let values: [Int64]

  /// Whether these values differ nowhere by more than a share of the maximum; by default their own maximum.
  fileprivate func holds(_ others: [Int64], highest: Int64?) -> Bool {
    guard values.count == others.count else { return false }
    let limit = ScenarioReport.alikeMargin * Double(highest ?? max(values.max() ?? 0, others.max() ?? 0))
    return zip(values, others).allSatisfy { Double(($0 - $1).magnitude) <= limit }
  }
}

extension ScenarioReport {
  /// How much two cells may differ at any point, as a share of the maximum.
  package static let alikeMargin = 0.03

  /// The cells with a recorded WAL, grouped by similar growth.
  package var alikeGrowths: [AlikeCells<CellReport.WALSeries>] {
    alike(\.growth) { growth in growth.points.map(\.walBytes) + growth.checkpoints.map { Int64($0.rows) } }
  }

  /// The cells with a recorded heap, grouped by similar courses.
  ///
  /// Samplers never read at the same moments, so cells count as different only if that is visible on one scale for all
  /// cells.
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
