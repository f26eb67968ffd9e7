// What one row costs, in sentences and a table.
internal import Analysis

extension RowCosts: EvidenceSection {
  var title: String { "What a row costs" }

  func backs(_ finding: Finding) -> Bool {
    if case .bytesPerRow = finding.kind { true } else { false }
  }

  var tables: [Table] {
    var table = Table(
      "Cell, for each row",
      [
        .time("Time"), .time("Above the reference"), .number("Heap peak", of: "bytes"),
        .number("Allocated", of: "bytes"),
        .number("WAL written", of: "bytes"), .number("WAL peak", of: "bytes"), .number("Written in all", of: "bytes"),
      ])
    for line in lines {
      let cell = line.cell
      let main = cell.main
      let time = Table.Value.figure(line.time, or: main.wall.reason ?? "the phase handled no row")
      let above = Table.Value.figure(line.aboveReference, or: "it has no round in common with one reference")
      let figures = RowCosts.metrics.map { Table.Value.figure(main.perRow($0)) }
      table.append(cell.label, [time, cell.cell.isReference ? .text("the reference") : above] + figures)
    }
    return [table]
  }
}
