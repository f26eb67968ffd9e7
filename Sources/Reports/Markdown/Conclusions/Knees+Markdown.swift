// From which value of a parameter on more gains next to nothing, in sentences and a table.
internal import Analysis
internal import Harness
internal import Statistics
internal import Workloads

extension Knees: Conclusion {
  var title: String { "How much is enough: \(key)" }

  var leading: Int { lines.count }

  var sentences: [String] { lines.map { $0.sentence(key) } }

  var method: String? {
    "The *knee* of a sweep is its smallest value that is shown to take at most \(Knees.margin.percent) longer than the best, by the "
      + "Hodges-Lehmann interval of the ratios in the rounds that all values have."
  }

  var tables: [MarkdownTable] {
    var table = MarkdownTable(
      "Cell", [key, "Time, median [95 %]", "Against the best [95 %]", "Heap peak", "WAL peak", "WAL written"])
    for line in lines {
      for (point, ratio) in zip(line.points, line.ratios) {
        let cell = point.cell
        table.append(
          line.series.label,
          [
            .text(point.setting.title), MarkdownReport.wall(of: cell, in: cell.mainPhase),
            .figure(ratio, or: line.absence(of: cell)) { HumanUnits.ratio($0) },
            MarkdownReport.bytes(.heapPeak, of: cell, in: cell.mainPhase),
            MarkdownReport.bytes(.walPeak, of: cell, in: cell.mainPhase),
            MarkdownReport.bytes(.walBytesWritten, of: cell, in: cell.mainPhase),
          ])
      }
    }
    return [table]
  }
}

extension Knees.Line {
  fileprivate func absence(of cell: CellResults) -> String {
    cell.main?.wall == nil ? cell.absenceOfTime(in: cell.mainPhase) : "the cells have no timed round in common"
  }

  fileprivate func sentence(_ key: String) -> String {
    let name = Markdown.code(series.label)
    guard let knee, let best = point(of: knee.best), let first = point(of: knee.size),
      let earliest = point(of: knee.earliest)
    else { return "Of \(name) no knee can be told: its cells have no timed round in common." }
    func code(_ point: Series.Point) -> String { Markdown.code("\(key)=\(point.setting.text)") }
    if !isTold {
      return
        "**Of \(name) no knee can be told from \(HumanUnits.counted(rounds, "common round"))**: the shortest median, "
        + "with \(code(best)), may be chance."
    }
    var text: String
    if knee.size < knee.best {
      text =
        "**\(name) needs no more than \(code(first))**: it is the smallest shown to take at most "
        + "\(Knees.margin.percent) longer than the best, \(code(best))"
    } else {
      text = "**\(name) is at its best with \(code(best))**"
      let isFirst = points.first?.setting == best.setting
      if isFirst { text += ", the smallest: more of it gains nothing" }
      if !isFirst && knee.earliest == knee.best {
        text += ", and every smaller one takes more than \(Knees.margin.percent) longer"
      }
    }
    if knee.earliest < knee.size {
      text += "; the knee may lie as low as \(code(earliest)), which cannot be told from that"
    }
    if let decline, decline.point.setting != best.setting {
      text += "; \(code(decline.point)) takes \(Comparison(ratio: decline.ratio).wording) as the best"
    }
    if !left.isEmpty { text += "; of \(HumanUnits.list(left.map(code))) there are too few rounds to tell" }
    return text + "."
  }
}

extension Double {
  /// A share as a whole number of a hundred: `5 %`.
  fileprivate var percent: String { Digits.fixed(self * 100, decimals: 0) + " %" }
}
