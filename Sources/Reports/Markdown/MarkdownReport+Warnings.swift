// What a reader must know before any figure: what is missing and what failed.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

extension MarkdownReport {
  static func warnings(on scenario: ScenarioResults, of run: RunRecord, in document: inout MarkdownDocument) {
    let missing = scenario.cells.map(\.missing).reduce(0, +)
    let planned = scenario.cells.map(\.planned).reduce(0, +)
    if missing > 0 {
      let list = scenario.cells.filter { $0.missing > 0 }.map {
        "\(Markdown.code($0.label)) \(Digits.grouped($0.missing))"
      }
      document.paragraph(
        "**\(run.isInterrupted ? "Interrupted" : "Incomplete"): \(Digits.grouped(missing)) of "
          + "\(HumanUnits.counted(planned, "sample")) were not taken** (\(list.joined(separator: ", "))). "
          + "`--resume` takes what is missing.")
    } else if run.isInterrupted {
      document.paragraph("**The run was interrupted**, after every sample of this scenario had been taken.")
    }
    failures(in: scenario, document: &document)
  }

  /// What has no paragraph of its own; what is about the whole run stands with its first scenario.
  static func warningList(
    on scenario: ScenarioResults, of results: RunResults, level: Int, in document: inout MarkdownDocument
  ) {
    let isFirst = results.scenarios.first?.name == scenario.name
    let told: Set<RunWarning.Kind> = [.debugBuild, .missingSamples, .failedSamples]
    let warnings = results.foundWarnings.filter { warning in
      !told.contains(warning.kind) && (warning.cell.map { $0.scenario == scenario.name } ?? isFirst)
    }
    guard !warnings.isEmpty else { return }
    document.heading(level, "Warnings")
    document.list(
      WarningGroup.all(warnings).map { group in
        let lines = group.warnings.map { warning in
          (warning.cell.map { Markdown.code($0.label) + ": " } ?? "") + Markdown.escaped(warning.seen)
        }
        let advice = Markdown.escaped(group.advice)
        return lines.count == 1
          ? MarkdownItem("**\(group.kind.title).** \(lines[0].uppercasedFirst). \(advice).")
          : MarkdownItem("**\(group.kind.title).** \(advice).", lines)
      })
  }

  /// Failures of one cell and pass for one reason stand together, so that a cell that always fails is told once.
  private struct FailureGroup {
    let first: FailedSample
    let label: String
    var rounds: [Int]

    func holds(_ other: FailedSample) -> Bool {
      first.cell == other.cell && first.pass == other.pass && first.reason == other.reason
        && first.standardError == other.standardError
    }
  }

  private static func failures(in scenario: ScenarioResults, document: inout MarkdownDocument) {
    var groups: [FailureGroup] = []
    for cell in scenario.cells {
      for failure in cell.failures {
        if let known = groups.firstIndex(where: { $0.holds(failure) }) {
          groups[known].rounds.append(failure.round)
        } else {
          groups.append(FailureGroup(first: failure, label: cell.label, rounds: [failure.round]))
        }
      }
    }
    guard !groups.isEmpty else { return }
    let failed = groups.map(\.rounds.count).reduce(0, +)
    let setAside = scenario.setAside.rounds.count
    document.paragraph(
      "**\(HumanUnits.counted(failed, "sample")) failed.**"
        + (setAside == 0
          ? ""
          : " The times of \(HumanUnits.counted(setAside, "round")) are set aside for every cell, since what made a "
            + "sample fail may have disturbed its neighbours."))
    for group in groups {
      let rounds = HumanUnits.list(group.rounds.map { "\($0)" })
      document.paragraph(
        "- \(Markdown.code(group.label)), \(group.first.pass.rawValue) pass, "
          + "round\(group.rounds.count == 1 ? "" : "s") \(rounds): \(Markdown.escaped(group.first.reason))"
          + (group.first.standardError.isEmpty ? "" : "\n\nIts worker wrote to standard error:"))
      if !group.first.standardError.isEmpty { document.fence(group.first.standardError, language: "text") }
    }
  }
}
