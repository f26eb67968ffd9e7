// From which value of a parameter on more gains next to nothing, in sentences.
internal import Analysis
internal import Harness
internal import Scenarios

extension Prose {
  /// A sentence for each strategy.
  func knees(_ findings: [Finding]) -> [String] {
    findings.map { finding in
      switch finding.kind {
      case .knee(let parameter, let knee): self.knee(finding, parameter, knee)
      case .noKnee(let parameter, 0):
        "Too few rounds to judge \(HumanUnits.list(finding.cells.map { setting(parameter, of: $0) })) with "
          + "\(series(finding.cells, by: parameter))."
      case .noKnee(let parameter, let rounds):
        "**Too few rounds to find the knee of \(Markdown.code(parameter)) with \(series(finding.cells, by: parameter))**: "
          + "\(HumanUnits.counted(rounds, "common round"))."
      default: ""
      }
    }
  }

  private func knee(_ finding: Finding, _ parameter: String, _ knee: FindingKind.Knee) -> String {
    let (first, best, earliest, last) = (finding.cells[0], finding.cells[1], finding.cells[2], finding.cells[3])
    let name = series(finding.cells, by: parameter)
    let margin = Digits.fixed(Knees.margin * 100, decimals: 0) + " %"
    let value = setting(parameter, of: best)
    var text =
      switch knee {
      case .found:
        "**\(name) needs no more than \(setting(parameter, of: first))**: it is the smallest shown to take at most "
          + "\(margin) longer than the best, \(value)"
      case .smallest: "**\(name) is at its best with \(value)**, the smallest: more of it gains nothing"
      case .best: "**\(name) is at its best with \(value)**"
      case .needed:
        "**\(name) is at its best with \(value)**, and every smaller one takes more than \(margin) longer"
      case .stillGaining:
        "**\(name) still gains at \(value)**, the largest: every smaller one takes more than \(margin) longer; try larger "
          + "ones"
      case .all:
        "**\(name) is at its best with all rows at once**: every smaller \(Markdown.code(parameter)) takes more "
          + "than \(margin) longer"
      }
    if earliest != first {
      text += "; the knee may lie as low as \(setting(parameter, of: earliest)), which is too noisy to tell from it"
    }
    if let decline = finding.estimates.first, last != best {
      text += "; \(setting(parameter, of: last)) takes \(times(decline)) as the best"
    }
    return text + "."
  }
}
