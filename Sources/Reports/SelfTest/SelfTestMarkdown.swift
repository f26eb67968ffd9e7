// The live part of a self-test in Markdown: the injected faults, what was found, and what this many trials can show.
package import Analysis

/// Writes the results of live trials.
package enum SelfTestMarkdown {
  /// The table with text around it.
  ///
  /// - Parameters:
  ///   - trials: All trials of a log.
  ///   - header: What they have in common.
  ///   - environment: Facts about the machine; empty to leave them out.
  ///   - command: The command that runs them.
  /// - Returns: The page, in Markdown and in HTML.
  package static func render(
    _ trials: [LiveTrial], header: SelfTestJournal.Header, environment: [EnvironmentFact], command: String
  ) -> (markdown: String, html: String) {
    let tallies = LiveKind.allCases.map { LiveTally($0, of: trials) }.filter { $0.trials > 0 }
    var document = Document()
    document.heading(1, "What comparisons find")
    document.paragraph(
      "Comparisons whose truth is known, made live: \(Markdown.code(header.cell)), \(HumanUnits.counted(header.rows, "row")), "
        + "\(HumanUnits.counted(trials.count, "comparison")) by \(Markdown.code(command)).")
    document.list(tallies.map { ListItem(sentence($0, margin: header.rules.margin)) })
    var table = Table(
      words: "What was put in",
      [
        .number("Comparisons"), .number("REGRESSION"), .share("Share"), .text("Bound at 95 %", .right),
        .text("Other verdicts"), .change("Median change"), .number("Median pairs"), .time("Median time"),
      ])
    for tally in tallies {
      table.append(
        name(of: tally.kind, margin: header.rules.margin),
        [
          .count(tally.trials), .count(tally.alarms), .figure(tally.rate, or: "none"),
          tally.bound.map { .text((tally.kind == .placebo ? "at most " : "at least ") + percent($0)) }
            ?? .absent("none"),
          .text(others(tally)),
          .figure(tally.medianEffect, or: "exact figures"),
          .figure(tally.kind.isTimed ? tally.medianPairs : nil, or: tally.kind.isTimed ? "none" : "exact figures"),
          .figure(tally.medianSeconds, or: "none"),
        ])
    }
    document.table(table)
    document.heading(2, "How it was measured")
    document.list(method(header, trials).map { ListItem($0) })
    document.machine(environment)
    return (document.markdown, Page(title: "What comparisons find", document: document).html)
  }

  /// The results for one kind of trial, compared with what was promised.
  static func sentence(_ tally: LiveTally, margin: Double) -> String {
    let count = "\(tally.alarms) of \(tally.trials)"
    let bound = tally.bound.map { percent($0) } ?? "unknown"
    let rate = tally.rate.map { percent($0) } ?? "none"
    let kept =
      switch tally.judgement {
      case .kept: "as promised"
      case .tooFew: "**not as promised, which so few comparisons may show by chance**; make more"
      case .broken: "**not as promised**"
      }
    switch tally.kind {
    case .placebo:
      return "False alarms: \(count) (\(rate); the rate is at most \(bound), at 95 %), \(kept): at most 1 %."
    case .slowdown:
      return
        "Slow-downs of \(Digits.trimmed(100 * margin)) % found: \(count) (\(rate); the rate is at least \(bound), at 95 %), \(kept): at least 95 %."
    case .extraSync, .heldMemory, .extraStatement:
      return
        "\(name(of: tally.kind, margin: margin)) found: \(count) (the rate is at least \(bound), at 95 %), \(kept): every time."
    }
  }

  static func name(of kind: LiveKind, margin: Double) -> String {
    switch kind {
    case .placebo: "Nothing"
    case .slowdown: "\(Digits.trimmed(100 * margin)) % more time"
    case .extraSync: "One more sync"
    case .heldMemory: "64 KiB held for 1 ms"
    case .extraStatement: "One more statement a row"
    }
  }

  private static func others(_ tally: LiveTally) -> String {
    let words = Verdict.allCases.filter { $0 != .regression }.compactMap { verdict in
      tally.verdicts[verdict].map { "\($0) \(verdict.rawValue)" }
    }
    return words.isEmpty ? "none" : words.joined(separator: ", ")
  }

  private static func method(_ header: SelfTestJournal.Header, _ trials: [LiveTrial]) -> [String] {
    let found = LiveKind.allCases.filter { !$0.isTimed }.compactMap { kind -> String? in
      let figures = trials.filter { $0.kind == kind }.flatMap(\.changedFigures)
      let names = Set(figures).sorted().map(Markdown.code)
      return names.isEmpty ? nil : "\(name(of: kind, margin: header.rules.margin)) showed in \(HumanUnits.list(names))."
    }
    let failures = trials.reduce(0) { $0 + $1.failures }
    return [
      "Each comparison of times is one of `pair`, with its rules and fresh pairs to confirm a change: looks at "
        + "\(HumanUnits.list(header.rules.looks.map { "\($0)" })) pairs, \(HumanUnits.counted(header.rules.trials, "trial")) a pair, a "
        + "margin of \(Digits.trimmed(100 * header.rules.margin)) %. Kinds are mixed in random order.",
      "The slow-down lasts \(Digits.trimmed(100 * header.rules.margin)) % of the time that the work took, in head's workers; the other faults are committed once in "
        + "head's measured phase and are judged by exact figures alone.",
      "Made by the executables \(HumanUnits.list(Set(trials.map(\.executable)).sorted().map(Markdown.code))).",
    ] + found + (failures > 0 ? ["\(HumanUnits.counted(failures, "sample")) failed."] : [])
  }

  private static func percent(_ share: Double) -> String { Digits.short(100 * share) + " %" }
}
