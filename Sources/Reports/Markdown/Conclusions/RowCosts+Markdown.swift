// What one row costs, in sentences and a table.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

extension RowCosts: Conclusion {
  var title: String { "What a row costs" }

  var leading: Int { 0 }

  var sentences: [String] {
    [
      range("Heap at its peak") { $0.figure(.heapPeak) },
      range("Written to the WAL") { $0.figure(.walBytesWritten) },
    ].compactMap(\.self)
  }

  private func range(_ name: String, _ figure: (Line) -> Double?) -> String? {
    extremes(figure).map { most, least in
      "\(name), for each row: most with \(Markdown.code(most.0.cell.label)), \(Digits.significant(most.1)) bytes; least with "
        + "\(Markdown.code(least.0.cell.label)), \(Digits.significant(least.1)) bytes."
    }
  }

  var tables: [MarkdownTable] {
    var table = MarkdownTable(
      "Cell, for each row",
      [
        "Time [95 %]", "Above the reference [95 %]", "Heap peak, bytes", "Allocated, bytes", "WAL written, bytes",
        "WAL peak, bytes", "Written in all, bytes",
      ])
    for line in lines {
      let cell = line.cell
      let time = MarkdownTable.Value.figure(line.time, or: cell.absenceOfTime(in: cell.mainPhase)) {
        HumanUnits.time($0)
      }
      let above = MarkdownTable.Value.figure(line.aboveReference, or: "it has no round in common with one reference") {
        HumanUnits.time($0)
      }
      let figures = RowCosts.metrics.map { metric in
        MarkdownTable.Value.figure(line.figure(metric), or: cell.absence(of: metric, in: cell.mainPhase)) {
          Digits.significant($0)
        }
      }
      table.append(cell.label, [time, cell.cell.isReference ? .text("the reference") : above] + figures)
    }
    return [table]
  }
}
