// The tables that support a report's findings, section by section.
internal import Analysis

/// The evidence for findings of one kind.
protocol EvidenceSection {
  /// The heading over the tables.
  var title: String { get }
  /// Whole tables; empty if a table of every report suffices.
  var tables: [Table] { get }
  /// How the figures are computed, for the section on the method; `nil` if that needs no explanation.
  var method: String? { get }
  /// Whether it is evidence for a finding.
  func backs(_ finding: Finding) -> Bool
}

extension EvidenceSection {
  var method: String? { nil }
}

extension ScenarioAnalysis {
  /// In the order of the findings.
  var sections: [any EvidenceSection] {
    var sections: [any EvidenceSection] = []
    if let claim { sections.append(claim) }
    if let growth { sections.append(growth) }
    if let crossings { sections.append(crossings) }
    sections += knees as [any EvidenceSection] + prices as [any EvidenceSection]
    if let shares { sections.append(shares) }
    if let rowCosts { sections.append(rowCosts) }
    return sections
  }
}

extension Knees: EvidenceSection {
  var title: String { "How much is enough: \(key)" }

  func backs(_ finding: Finding) -> Bool {
    switch finding.kind {
    case .knee(let parameter, _), .noKnee(let parameter, _): parameter == key
    default: false
    }
  }

  var method: String? {
    "The *knee* of a sweep is its smallest value that is shown to take at most \(Knees.margin.percent) longer than the best, by the "
      + "Hodges-Lehmann interval of the ratios in the rounds that all values have."
  }

  var tables: [Table] {
    var table = Table(
      "Cell",
      [
        .text(key, .right), .time("Time"), .ratio("Against the best"), .bytes("Heap peak"), .bytes("WAL peak"),
        .bytes("WAL written"),
      ])
    for line in lines {
      for (point, ratio) in zip(line.points, line.shownRatios) {
        let main = point.cell.main
        table.append(
          line.series.label,
          [
            .text(point.setting.title), .figure(main.wall), .figure(ratio), .figure(main[.heapPeak]),
            .figure(main[.walPeak]), .figure(main[.walBytesWritten]),
          ])
      }
    }
    return [table]
  }
}

extension Double {
  /// A share as a whole percentage: `5 %`.
  fileprivate var percent: String { Digits.fixed(self * 100, decimals: 0) + " %" }
}

extension PhaseShares: EvidenceSection {
  var title: String { "Where the time goes" }

  func backs(_ finding: Finding) -> Bool {
    if case .share = finding.kind { true } else { false }
  }

  var method: String? {
    "*Shares* of phases are taken in each round, of the sum of the phases of that sample, without those in which the "
      + "harness fills and reads the store; they are medians, and need not add up to 100 %."
  }

  var tables: [Table] {
    var table = Table("Cell", [.time("All")] + phases.map { .share($0.rawValue) })
    for line in lines {
      // Leave a phase blank if the cell does not have it.
      let parts = phases.map { phase in
        line.part(phase).map { Table.Value.estimate($0.share) } ?? .text("")
      }
      table.append(line.cell.label, [.estimate(line.whole)] + parts)
    }
    return [table]
  }
}

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

extension Setting {
  /// The text as a column's title: `10,000`.
  var title: String { Int(text).map { Digits.grouped($0) } ?? text }
}
