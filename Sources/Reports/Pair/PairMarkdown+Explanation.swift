// Why a comparison's sides differ, in Markdown: the first cause in a sentence, the others and their figures folded.
internal import Analysis

extension PairMarkdown {
  /// The first cause in one sentence, after the word Cause.
  static func cause(_ explanation: PairExplanation, of comparison: PairComparison) -> String {
    let words = firstCause(explanation, of: comparison)
    return explanation.findings.isEmpty || explanation.change == nil ? words : "**Cause**: \(words)"
  }

  /// The phase, the first cause and its part of the change, in one sentence; or why no cause is known.
  static func firstCause(_ explanation: PairExplanation, of comparison: PairComparison) -> String {
    guard let first = explanation.findings.first else {
      return explanation.change == nil
        ? "**No cause is named**: nothing was shown to have changed, and nothing that is counted grew."
        : "**Not explained**: \(examined(explanation)) were compared, and none differs in a way that explains the change."
    }
    let phase = comparison.headCell.operation.phase.rawValue
    let part = CauseSentence.part(first, of: explanation.change)
    let title = explanation.change == nil ? "**No change was shown, but this differs**: " : ""
    return "\(title)\(phase): \(CauseSentence.words(first))\(part.isEmpty ? "" : "; \(part)")."
  }

  /// The first cause, and folded away all of them with their figures.
  static func explain(
    _ comparison: PairComparison, of results: PairResults, isBrief: Bool, in document: inout Document
  ) {
    guard let explanation = comparison.explanation(results.rules) else { return }
    document.paragraph(cause(explanation, of: comparison))
    if isBrief {
      let others = explanation.findings.dropFirst()
      document.list(others.prefix(mostBriefCauses - 1).map { ListItem(sentence($0, of: explanation.change)) })
      if others.count >= mostBriefCauses {
        document.paragraph("\(others.count - mostBriefCauses + 1) more in the report.")
      }
      return
    }
    document.fold("\(HumanUnits.counted(explanation.findings.count, "cause")) and what was examined") { folded in
      for (number, finding) in explanation.findings.enumerated() {
        folded.paragraph("\(number + 1). \(sentence(finding, of: explanation.change))")
        var table = Table("Figure", [.text("Base"), .text("Head")])
        for evidence in finding.evidence {
          table.append(
            evidence.name,
            [
              .text(CauseSentence.value(evidence, isBase: true)), .text(CauseSentence.value(evidence, isBase: false)),
            ])
        }
        folded.table(table)
        if let text = finding.baseSubject { folded.paragraph("Base's statement: \(Markdown.code(text))") }
        if let base = finding.basePlan, let head = finding.headPlan {
          folded.fence("base\n\(indented(base))\nhead\n\(indented(head))")
        }
      }
      var remarks = [
        "Examined: \(examined(explanation)), in \(HumanUnits.counted(explanation.examined.rounds, "round")) of each side."
      ]
      if let share = explanation.explainedShare, explanation.change?.isOfTime == true {
        remarks.append("Together the causes account for \(CauseSentence.percent(share)) of the change.")
      }
      remarks += explanation.gaps.map { "Not examined: \(Markdown.escaped($0))." }
      folded.list(remarks.map { ListItem($0) })
    }
  }

  /// More causes than these are left to the report.
  private static let mostBriefCauses = 3

  private static func sentence(_ finding: CauseFinding, of change: PairExplanation.Change?) -> String {
    let part = CauseSentence.part(finding, of: change, hasInterval: true)
    return "\(CauseSentence.words(finding))\(part.isEmpty ? "" : "; \(part)").".uppercasedFirst
  }

  private static func examined(_ explanation: PairExplanation) -> String {
    let examined = explanation.examined
    return HumanUnits.list(
      [
        (examined.figures, "exact figure"), (examined.statements, "statement"), (examined.stages, "stage"),
        (examined.stacks, "stack"),
      ].filter { $0.0 > 0 }.map { HumanUnits.counted($0.0, $0.1) })
  }

  static func indented(_ plan: String) -> String {
    plan.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
  }
}
