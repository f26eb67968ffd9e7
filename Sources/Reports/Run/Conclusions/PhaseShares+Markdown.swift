// Where the time goes, in sentences and a table.
internal import Analysis

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
      // A phase that a cell does not have is left blank.
      let parts = phases.map { phase in
        line.part(phase).map { Table.Value.estimate($0.share) } ?? .text("")
      }
      table.append(line.cell.label, [.estimate(line.whole)] + parts)
    }
    return [table]
  }
}
