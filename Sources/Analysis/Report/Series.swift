// Cells that differ in one parameter: a sweep, or two cells that show the price of a feature.
internal import Harness
package import BatchmarkEngine

/// Cells of one engine and strategy that differ only in one parameter.
package struct Series {
  package struct Point {
    package let setting: Setting
    package let cell: CellReport
  }

  /// The parameter.
  package let key: String
  /// What the cells have in common.
  package let common: Cell
  /// In the scenario's order.
  package let points: [Point]

  package var label: String { common.label }

  /// The points with settings that are amounts of one kind, the smallest first; of equal ones only the first.
  package var amounts: [Point] {
    let points = points.filter { $0.setting.amount != nil }
    // A cache size is in pages if it is positive, and in KiB if it is negative.
    let negative = points.count { $0.setting.text.hasPrefix("-") }
    guard negative == 0 || negative == points.count else { return [] }
    var seen: Set<Double> = []
    return points.filter { seen.insert($0.setting.order).inserted }.sorted { $0.setting.order < $1.setting.order }
  }
}

extension ScenarioReport {
  /// The cells that do not merely show the harness's cost.
  package var measured: [CellReport] { cells.filter { !$0.cell.showsHarnessCost } }

  /// The setting of a parameter in a cell.
  package func setting(_ key: String, of cell: CellReport) -> Setting {
    Setting(cell.cell.resolvedParameters[key], of: key, rows: cell.summary(of: cell.mainPhase)?.rows ?? rows)
  }

  /// The parameters in which otherwise equal cells differ, in the order of the cells that have them.
  package var variedKeys: [String] {
    var keys: [String] = []
    for cell in measured {
      for key in cell.cell.parameters.keys.sorted() where !keys.contains(key) { keys.append(key) }
    }
    return keys.filter { !series(by: $0).isEmpty }
  }

  /// The series of a parameter, in the order of their first cells.
  package func series(by key: String) -> [Series] {
    var found: [(common: Cell, points: [Series.Point])] = []
    for result in measured {
      var common = result.cell
      common.parameters[key] = nil
      let point = Series.Point(setting: setting(key, of: result), cell: result)
      if let known = found.firstIndex(where: { $0.common == common }) {
        found[known].points.append(point)
      } else {
        found.append((common, [point]))
      }
    }
    return found.filter { Set($0.points.map(\.setting.text)).count > 1 }
      .map { Series(key: key, common: $0.common, points: $0.points) }
  }
}
