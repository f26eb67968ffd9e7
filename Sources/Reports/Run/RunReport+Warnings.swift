// What a reader must know before any figure: what is missing and what failed.
internal import Analysis
internal import Harness
internal import Instruments
internal import Scenarios
internal import Workloads

extension RunReport {
  static func warnings(on scenario: ScenarioReport, of run: RunRecord, in document: inout Document) {
    let tally = scenario.tally
    if tally.missing > 0 {
      let list = scenario.figures.filter { $0.tally.missing > 0 }.map {
        "\(Markdown.code($0.label)) \(Digits.grouped($0.tally.missing))"
      }
      document.paragraph(
        "**\(run.isInterrupted ? "Interrupted" : "Incomplete"): \(Digits.grouped(tally.missing)) of "
          + "\(HumanUnits.counted(tally.planned, "sample")) were not taken** (\(list.joined(separator: ", "))). "
          + "`--resume` takes what is missing.")
    } else if run.isInterrupted {
      document.paragraph("**The run was interrupted**, after every sample of this scenario had been taken.")
    }
    failures(in: scenario, document: &document)
  }

  /// Warnings that have no paragraph of their own, those of one kind together.
  static func warningGroups(on scenario: ScenarioResults, of results: RunResults) -> [WarningGroup] {
    let isFirst = results.scenarios.first?.name == scenario.name
    let told: Set<RunWarning.Kind> = [.debugBuild, .missingSamples, .failedSamples]
    return WarningGroup.all(
      results.foundWarnings.filter { warning in
        !told.contains(warning.kind) && (warning.cell.map { $0.scenario == scenario.name } ?? isFirst)
      })
  }

  /// What has no paragraph of its own; what is about the whole run stands with its first scenario.
  static func warningList(
    on scenario: ScenarioResults, of results: RunResults, level: Int, in document: inout Document
  ) {
    let groups = warningGroups(on: scenario, of: results)
    guard !groups.isEmpty else { return }
    document.heading(level, "Warnings")
    document.list(
      groups.map { group in
        let lines = group.warnings.map { warning in
          (warning.cell.map { Markdown.code($0.label) + ": " } ?? "") + Markdown.escaped(warning.seen)
        }
        let advice = Markdown.escaped(group.advice)
        return lines.count == 1
          ? ListItem("**\(group.kind.title).** \(lines[0].uppercasedFirst). \(advice).")
          : ListItem("**\(group.kind.title).** \(advice).", lines)
      })
  }

  private static func failures(in scenario: ScenarioReport, document: inout Document) {
    guard !scenario.failures.isEmpty else { return }
    let setAside = scenario.roundsSetAside
    document.paragraph(
      "**\(HumanUnits.counted(scenario.tally.failed, "sample")) failed.**"
        + (setAside == 0
          ? ""
          : " The times of \(HumanUnits.counted(setAside, "round")) are set aside for every cell, since what made a "
            + "sample fail may have disturbed its neighbours."))
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
