// The lines of a sweep over rows that one picture shows together: those of one kind of work or, if there are many, of one
// engine or strategy. If there are too many of these pictures, a ranking is shown first.
internal import BatchmarkEngine

extension Scaling {
  /// Lines that are compared with one another, with the reference of their work.
  package struct Panel {
    /// What distinguishes a panel from the others: `version=renamed`, `grdb`; empty if there is only one panel.
    package let name: String
    package let lines: [PanelLine]
  }

  /// A line of a panel.
  package struct PanelLine {
    package let line: Line
    /// The line's name without what the panel's says.
    package let name: String
    /// Identifies a line: the same number for the same strategy in every panel, and 0 for the reference.
    package let look: Int
  }

  /// More lines in one plot are hard to follow.
  package static let mostLines = 8

  /// With more panels, a picture gives no overview.
  private static let mostPanels = 12

  /// The lines in panels, in the scenario's order; a single panel if all do the same work and there are few enough.
  package var panels: [Panel] {
    let keys = workKeys
    return kinds.flatMap { kind -> [Panel] in
      let parts = Scaling.parts(of: kind.lines)
      return parts.map { part in
        let names = [kind.name, part.name].filter { !$0.isEmpty }
        return Panel(name: names.joined(separator: ", "), lines: looks(part.lines, besides: keys))
      }
    }
  }

  /// Whether there are too many panels for an overview, and not only because of their kinds of work.
  var hasManyPanels: Bool { panels.count > max(Scaling.mostPanels, kinds.count) }

  /// The parameters that affect the work and differ between lines.
  private var workKeys: [String] {
    ScenarioReport.workKeys.filter { key in
      Set(lines.map { $0.series.common.parameters[key]?.description }).count > 1
    }
  }

  /// The lines by their kind of work.
  private var kinds: [(name: String, lines: [Line])] {
    let keys = workKeys
    return Scaling.divided(lines) { line in
      Cell.text(of: line.series.common.parameters.filter { keys.contains($0.key) })
    }
  }

  /// The lines of one kind of work: all of them, or if there are too many, those of each engine or strategy, each with
  /// the reference.
  private static func parts(of lines: [Line]) -> [(name: String, lines: [Line])] {
    let divisions: [(Line) -> String] = [{ $0.series.common.engine }, { strategy(of: $0) }]
    for division in divisions where lines.count > mostLines {
      let references = lines.filter(\.isReference)
      let parts = divided(lines, by: division)
        // Drop a part that has only references: every other part shows them.
        .filter { !$0.lines.allSatisfy(\.isReference) }
        .map { part in
          (
            name: part.name,
            lines: part.lines + references.filter { reference in !part.lines.contains { $0.isSame(reference) } }
          )
        }
      if parts.count > 1, parts.allSatisfy({ $0.lines.count <= mostLines }) { return parts }
    }
    return [("", lines)]
  }

  private static func divided(_ lines: [Line], by name: (Line) -> String) -> [(name: String, lines: [Line])] {
    var parts: [(name: String, lines: [Line])] = []
    for line in lines {
      let name = name(line)
      if let known = parts.firstIndex(where: { $0.name == name }) {
        parts[known].lines.append(line)
      } else {
        parts.append((name, [line]))
      }
    }
    return parts
  }

  /// The name of a line's cells without any parameter.
  private static func strategy(of line: Line) -> String {
    var common = line.series.common
    common.parameters = [:]
    return common.label
  }

  private func looks(_ panel: [Line], besides keys: [String]) -> [PanelLine] {
    let ways = panel.map { $0.name(besides: keys) }
    // Numbered over all lines, so that a missing line changes no other line's look in a panel.
    let engines = Set(panel.filter { !$0.isReference }.map(\.series.common.engine))
    var known: [String] = []
    for line in lines where !line.isReference && engines.contains(line.series.common.engine) {
      let name = line.name(besides: keys)
      if !known.contains(name) { known.append(name) }
    }
    let own = known.count > Scaling.mostLines ? known.filter(ways.contains) : known
    return zip(panel, ways).map { line, name in
      PanelLine(line: line, name: name, look: line.isReference ? 0 : (own.firstIndex(of: name) ?? 0) + 1)
    }
  }
}

extension Scaling.Line {
  fileprivate var isReference: Bool { points.first?.cell.cell.isReference == true }

  fileprivate func isSame(_ other: Scaling.Line) -> Bool { series.common == other.series.common }

  /// The name of the cells without some parameters.
  fileprivate func name(besides keys: [String]) -> String {
    var common = series.common
    for key in keys { common.parameters[key] = nil }
    return common.label
  }
}
