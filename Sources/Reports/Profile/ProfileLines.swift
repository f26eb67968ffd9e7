// A profile on the terminal: one line per stage.
package import Analysis

/// Writes the stages of a profile for a terminal.
package enum ProfileLines {
  /// One block per phase, one line per stage, each ending with a line feed.
  package static func render(_ results: ProfileResults) -> String {
    var lines = ["\(results.cell.id.onOneLine): \(HumanUnits.counted(results.rows, "row"))"]
    for phase in results.phases {
      let rows = ProfileStage.lines(of: phase).map { fields(of: $0, rows: phase.rows) }
      let table = [["\(phase.phase.rawValue)", "time", "share", "ns/row", "allocations/row", "bytes/row"]] + rows
      let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
      lines.append("")
      for row in table {
        let fields = zip(row, widths).enumerated().map { column, field in
          let padding = String(repeating: " ", count: field.1 - field.0.count)
          return column == 0 ? field.0 + padding : padding + field.0
        }
        lines.append(fields.joined(separator: "  "))
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func fields(of line: ProfileStage, rows: Int) -> [String] {
    func perRow(_ value: Double?) -> String {
      guard let value, rows > 0 else { return "—" }
      return Digits.significant(value / Double(rows))
    }
    return [
      line.name, line.seconds.map { HumanUnits.time($0) } ?? "—", line.share.map { ProfileMarkdown.percent($0) } ?? "—",
      perRow(line.nanoseconds), perRow(line.allocations.map { Double($0) }),
      perRow(line.allocatedBytes.map { Double($0) }),
    ]
  }
}
