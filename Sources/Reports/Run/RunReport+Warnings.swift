// What a reader must know before any figure: what is missing and what failed.
internal import Analysis

extension RunReport {
  static func warnings(on scenario: ScenarioReport, of run: RunRecord, in document: inout Document) {
    let tally = scenario.tally
    if tally.missing > 0 {
      let list = scenario.cells.filter { $0.tally.missing > 0 }.map {
        "\(Markdown.code($0.label)) \(Digits.grouped($0.tally.missing))"
      }
      document.paragraph(
        "**\(run.isInterrupted ? "Interrupted" : "Incomplete"): \(Digits.grouped(tally.missing)) of "
          + "\(HumanUnits.counted(tally.planned, "sample")) \(tally.missing == 1 ? "was" : "were") not taken** (\(list.joined(separator: ", "))). "
          + "`--resume` takes the missing samples.")
    } else if run.isInterrupted {
      document.paragraph("**The run was interrupted**, after every sample of this scenario had been taken.")
    }
    failures(in: scenario, document: &document)
  }

  /// Warnings without a paragraph of their own, grouped by kind.
  static func warningGroups(on scenario: ScenarioReport, of run: RunAnalysis) -> [WarningGroup] {
    let shownAbove: Set<RunWarning.Kind> = [.debugBuild, .missingSamples, .failedSamples]
    return WarningGroup.all(run.warnings(on: scenario).filter { !shownAbove.contains($0.kind) })
  }

  /// One line per kind, with its cells.
  ///
  /// Warnings about the whole run are shown with its first scenario.
  static func notices(on scenario: ScenarioReport, of run: RunAnalysis) -> [Notice] {
    warningGroups(on: scenario, of: run).map { group in
      let cells = group.warnings.map { warning in
        (warning.cell.map { Markdown.code($0.label) + ": " } ?? "") + Markdown.escaped(warning.seen)
      }
      if cells.count == 1, let cell = cells.first {
        return Notice(line: "**\(group.kind.title).** \(cell.uppercasedFirst). \(Markdown.advice(group.advice)).")
      }
      return Notice(line: group.line, details: cells)
    }
  }

  /// The same, as one line per kind.
  static func warningLines(on scenario: ScenarioReport, of run: RunAnalysis) -> [ListItem] {
    warningGroups(on: scenario, of: run).map { ListItem($0.line) }
  }

  private static func failures(in scenario: ScenarioReport, document: inout Document) {
    guard !scenario.failures.isEmpty else { return }
    let setAside = scenario.setAside.rounds.count
    document.paragraph(
      "**\(HumanUnits.counted(scenario.tally.failed, "sample")) failed.**"
        + (setAside == 0
          ? ""
          : " The times of \(HumanUnits.counted(setAside, "round")) are set aside for every cell, since what made a "
            + "sample fail may have disturbed the samples around it."))
    for group in scenario.failures {
      let rounds = HumanUnits.list(group.rounds.map { "\($0)" })
      let failure = ListItem(
        "\(Markdown.code(group.label)), \(group.first.pass.rawValue) pass, "
          + "round\(group.rounds.count == 1 ? "" : "s") \(rounds): \(Markdown.escaped(group.first.reason))")
      document.list([failure])
      if !group.first.standardError.isEmpty {
        document.paragraph("Its worker wrote to standard error:")
        document.fence(group.first.standardError, language: "text")
      }
    }
  }
}

extension WarningGroup {
  /// The name of the warning, its number of cells, and what to do next.
  fileprivate var line: String {
    let noun = kind == .absentEngine ? "engine" : "cell"
    let count = warnings.count > 1 ? " (\(HumanUnits.counted(warnings.count, noun)))" : ""
    return "**\(kind.title)**\(count). \(Markdown.advice(advice))."
  }
}
