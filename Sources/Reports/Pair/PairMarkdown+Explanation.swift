// Why a comparison's sides differ, in Markdown: the first cause as a sentence; other causes, plans and flame graphs
// folded.
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

  /// The first cause and, folded, all causes with their figures.
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

  /// Further causes are only in the report.
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

extension PairMarkdown {
  /// Flame graphs of both sides, folded: with head's widths and with base's, for time and for allocations.
  ///
  /// The number is that of the comparison in its report, from 1.
  static func flames(of comparison: PairComparison, number: Int, in document: inout Document) {
    guard let profiles = comparison.profiles else { return }
    let pictures = [
      DifferencePicture(profiles.timeStacks, .time, number: number),
      DifferencePicture(profiles.allocationStacks, .allocations, number: number),
    ].compactMap(\.self)
    if pictures.isEmpty { return }
    document.fold("Flame graphs of both sides") { folded in
      folded.paragraph(
        "Frames of one name under the same callers are one frame. What only one side has stands in the picture that is as wide "
          + "as that side's. Both sides were followed in as many workers, so that more samples are more time. A difference of less "
          + "than three times what chance makes of it is none that is shown.")
      for picture in pictures {
        for width in DifferencePicture.Width.allCases { folded.flames(picture.picture(width)) }
      }
      let files = PairReportWriter.stackFiles(of: comparison, number: number).map { Markdown.code($0.name) }
      folded.paragraph("Folded stacks for other programs: \(HumanUnits.list(files)).")
    }
  }
}

extension PairMarkdown {
  /// The verdict on plans as a sentence.
  static func sentence(on plans: PlanVerdict) -> String {
    let rule = "Judged by \(Markdown.code(words(plans.rule)))."
    if let gap = plans.gap { return "**\(plans.verdict.rawValue)**: \(Markdown.escaped(gap)). \(rule)" }
    if plans.compared == 0 { return "**\(plans.verdict.rawValue)**: a side runs no statement that has a plan. \(rule)" }
    guard let first = plans.changes.first else {
      return "**\(plans.verdict.rawValue)**: every plan is the same on both sides "
        + "(\(HumanUnits.counted(plans.compared, "statement")) compared). \(rule)"
    }
    let others = plans.changes.count - 1
    let more =
      others > 0 ? ", and so \(others == 1 ? "is" : "are") \(HumanUnits.counted(others, "other statement"))" : ""
    return
      "**\(plans.verdict.rawValue)**: \(Markdown.code(CauseSentence.cut(first.sql))) is answered by another plan\(more). \(rule)"
  }

  /// The verdict on plans, and the plans that differ; nothing if the gate does not judge them.
  static func plans(
    _ comparison: PairComparison, of results: PairResults, isBrief: Bool, in document: inout Document
  ) {
    guard let plans = comparison.plans(results.rules) else { return }
    document.paragraph("Plans: \(sentence(on: plans))")
    if isBrief { return }
    for change in plans.changes {
      document.paragraph(Markdown.code(change.sql))
      document.fence("base\n\(indented(change.base))\nhead\n\(indented(change.head))")
    }
  }
}
