// A paired comparison in Markdown: short enough for a comment on a pull request, with explanations for each verdict.
package import Analysis

/// Writes a comparison's verdicts.
package enum PairMarkdown {
  /// The whole page without pictures, for a comment or a summary.
  package static func render(_ results: PairResults) -> String { document(results, hasPictures: false).comment }

  /// The verdict and the sides.
  ///
  /// One of several machines gives no verdict.
  static func title(of results: PairResults) -> String {
    let sides = "\(results.head.name) against \(results.base.name)"
    if let shard = results.shard { return "Machine \(shard.index) of \(shard.count): \(sides)" }
    if results.run.isInterrupted && results.comparisons.isEmpty { return "Interrupted: \(sides)" }
    let fails = results.comparisons.contains { $0.fails(results.rules) }
    return "\(word(for: results.overall, fails: fails)): \(sides)\(largestSlowdown(in: results))"
  }

  /// `, +6.3 % [+5.1, +7.6] of time with save`, without the cell if it is the only one; empty unless a time has grown
  /// beyond its limit.
  private static func largestSlowdown(in results: PairResults) -> String {
    guard results.overall == .regression else { return "" }
    let slower = results.comparisons.compactMap { comparison -> (label: String, time: SequentialVerdict)? in
      let time = comparison.time(results.rules)
      return time.verdict == .regression ? time.first.map { (comparison.label, $0) } : nil
    }
    guard let most = slower.max(by: { $0.time.effect < $1.time.effect }) else { return "" }
    let place = results.comparisons.count == 1 ? "" : " with \(most.label.onOneLine)"
    return ", \(change(most.time)) of time\(place)"
  }

  /// The verdict in a title, which also says whether an improvement fails.
  static func word(for verdict: Verdict, fails: Bool) -> String {
    verdict.rawValue + (verdict == .improved && fails ? ", which fails" : "")
  }

  /// The summary: the verdict, the table, and the cells that did not simply pass.
  static func summary(of results: PairResults) -> Document {
    var document = Document()
    document.open(opening(of: results))
    announce(results, isListed: false, in: &document)
    if !results.comparisons.isEmpty { document.table(verdicts(in: results, headlines: [])) }
    for comparison in results.comparisons where !isPlain(comparison, of: results) {
      section(on: comparison, of: results, number: nil, isBrief: true, in: &document)
    }
    return document
  }

  /// Whether a cell needs only its line in the table, because it passed and nothing was left out.
  private static func isPlain(_ comparison: PairComparison, of results: PairResults) -> Bool {
    results.verdict(of: comparison) == .pass && comparison.timeRules(results.rules) != nil
      && comparison.failures.isEmpty && comparison.unjudged.isEmpty
      && comparison.figures(results.rules).allSatisfy { $0.verdict == .pass }
      && comparison.plans(results.rules)?.verdict ?? .pass == .pass
      && oneSided(comparison, of: results).isEmpty && results.obstacles(to: comparison).isEmpty
      && comparison.profiles == nil
  }

  /// What the verdict covers, and whether it is reliable.
  private static func announce(_ results: PairResults, isListed: Bool, in document: inout Document) {
    if let shard = results.shard {
      document.paragraph(
        "This is machine \(shard.index) of \(shard.count), which each take as many pairs; `merge` gives the verdict of all."
      )
    }
    document.paragraph(obstacle(to: results) ?? (isListed ? "" : overview(of: results)))
  }

  /// The whole page.
  static func document(_ results: PairResults, hasPictures: Bool) -> Document {
    var document = Document()
    document.open(opening(of: results))
    announce(results, isListed: results.comparisons.count <= mostFindings, in: &document)
    if !results.comparisons.isEmpty { document.table(verdicts(in: results)) }
    document.list(findings(of: results))
    func sections(_ arePlain: Bool, in document: inout Document) {
      for (index, comparison) in results.comparisons.enumerated() where isPlain(comparison, of: results) == arePlain {
        section(
          on: comparison, of: results, number: hasPictures ? index + 1 : nil, in: &document)
      }
    }
    sections(false, in: &document)
    let plain = results.comparisons.count { isPlain($0, of: results) }
    if plain > 0 {
      document.fold("\(HumanUnits.counted(plain, "cell")) passed, in figures") { sections(true, in: &$0) }
    }
    func background(in document: inout Document) {
      document.heading(2, "How it was compared")
      document.list(method(of: results))
      document.machine(results.environment)
    }
    if hasPictures {
      background(in: &document)
    } else {
      document.fold("How it was compared, and the machine") { background(in: &$0) }
    }
    return document
  }

  /// The verdict, what was measured on what machine and when, and the question.
  private static func opening(of results: PairResults) -> Opening {
    let rows = Set(results.comparisons.compactMap { $0.headFigures.first?.mainPhase?.rows }).sorted()
    let scenarios = Set(results.comparisons.map(\.headCell.scenario)).sorted()
    let (base, head) = (results.base.name.onOneLine, results.head.name.onOneLine)
    return Opening(
      name: scenarios.isEmpty ? "pair" : scenarios.joined(separator: ", "),
      facts: [
        rows.count == 1 ? HumanUnits.counted(rows[0], "row") : "", results.run.machine,
        String(results.run.started.prefix(10)),
      ].filter { !$0.isEmpty },
      verdict: Markdown.escaped(title(of: results)),
      question: "Is \(head) slower than \(base), or does it take more of anything that can be counted?")
  }

  /// The results of the first cells, one line each: time and memory.
  private static func findings(of results: PairResults) -> [ListItem] {
    results.comparisons.prefix(mostFindings).map { comparison in
      let figures = comparison.figures(results.rules)
      let time = comparison.time(results.rules).first.map { "\(change($0)) of time" }
      let heap = figures.first { figure in
        figure.metric == .heapPeak && figure.phase.isMain && figure.verdict != .untrusted
      }.map { figure in
        figure.base == figure.head
          ? "heap peak \(HumanUnits.bytes(figure.head)), as before"
          : "heap peak " + HumanUnits.bytes([figure.head, figure.base]).joined(separator: " instead of ")
      }
      let failing = figures.filter(\.fails).map { Markdown.code(name(of: $0)) }
      let others =
        failing.isEmpty
        ? nil
        : "beyond its limit: "
          + HumanUnits.list(failing.prefix(4) + (failing.count > 4 ? ["\(failing.count - 4) more"] : []))
      let plans = comparison.plans(results.rules).flatMap { plans -> String? in
        guard plans.verdict == .regression else { return nil }
        let statements = HumanUnits.counted(plans.changes.count, "statement")
        return "\(statements) answered by another plan"
      }
      let failures = comparison.failures.count
      let failed = failures > 0 ? HumanUnits.counted(failures, "failed sample") : nil
      let parts = [failed, time, heap, others, plans].compactMap(\.self).joined(separator: "; ")
      return ListItem(
        "\(Markdown.code(comparison.label)): **\(results.verdict(of: comparison).rawValue)**\(parts.isEmpty ? "" : ", " + parts).",
        comparison.explanation(results.rules).map { [cause($0, of: comparison)] } ?? [])
    }
  }

  /// Further cells are only in the table.
  private static let mostFindings = 5

  /// A metric with its phase, unless it is the operation's: `checkpoint.syncs`.
  static func name(of figure: FigureVerdict) -> String {
    (figure.phase.isMain ? "" : figure.phase.rawValue + ".") + figure.metric.rawValue
  }

  /// Why there are no verdicts, or why they are not reliable.
  private static func obstacle(to results: PairResults) -> String? {
    if results.run.isInterrupted {
      return results.comparisons.isEmpty
        ? "**The comparison was interrupted** before a cell had been compared."
        : "**The comparison was interrupted**; the pairs that were taken are below."
    }
    if results.comparisons.isEmpty { return "**Nothing was compared**: no cell was measured on both sides." }
    let broken = results.brokenPlacebos
    if !broken.isEmpty {
      let cells = broken.map { "\(Markdown.code($0.comparison.label)) as \($0.verdict.rawValue)" }
      return
        "**Nothing here can be trusted**: \(Markdown.code(results.base.name)) compared with itself came out other than "
        + "itself, with \(HumanUnits.list(cells)). The machine changes its speed while it measures; measure on a quieter one."
    }
    return nil
  }

  /// The cells with each verdict.
  private static func overview(of results: PairResults) -> String {
    let words = Verdict.allCases.compactMap { verdict -> String? in
      let cells = results.comparisons.filter { results.verdict(of: $0) == verdict }.map { Markdown.code($0.label) }
      return cells.isEmpty ? nil : "\(verdict.rawValue): \(HumanUnits.list(cells))"
    }
    return words.joined(separator: ". ") + "."
  }

  /// The exact metrics shown next to the time.
  private static let headlines: [(title: String, metric: MetricID)] = [
    ("Heap peak", .heapPeak), ("Allocations", .allocations), ("WAL written", .walBytesWritten), ("Syncs", .syncs),
    ("VM steps", .vmSteps),
  ]

  /// How much larger head's figure is than base's.
  private static func headline(_ metric: MetricID, of figures: [FigureVerdict]) -> Table.Value {
    guard let figure = figures.first(where: { $0.metric == metric && $0.phase.isMain }) else {
      return .absent("it was not compared")
    }
    if figure.verdict == .untrusted { return .absent("it differs between samples of one side") }
    if figure.base == figure.head { return .text("same") }
    return .figure(figure.ratio.map { $0 - 1 }, or: "base has none")
  }

  private static func verdicts(in results: PairResults, headlines: [(title: String, metric: MetricID)] = headlines)
    -> Table
  {
    var table = Table(
      "Cell",
      [
        .verdict("Verdict"), .verdict("Time"), .change("Change", brackets: "[interval]"),
      ] + headlines.map { .change($0.title) } + [
        .number("Figures that changed"), .share("Visible from"), .text("Pairs"),
      ])
    for comparison in results.comparisons {
      let time = comparison.time(results.rules)
      let figures = comparison.figures(results.rules)
      let isJudged = comparison.timeRules(results.rules) != nil
      let reason = isJudged ? "there were too few pairs" : "the time is not judged"
      table.append(
        comparison.label,
        [
          .text(results.verdict(of: comparison).rawValue),
          .text(isJudged ? time.verdict.rawValue : "not judged"),
          .figure(time.first.map(effect(of:)), or: reason),
        ] + headlines.map { headline($0.metric, of: figures) } + [
          .count(figures.count { $0.base != $0.head }),
          .figure(time.first.map { ratio(fromLog: $0.detectable) - 1 }, or: reason),
          .text(
            "\(comparison.pairs.count)" + (comparison.confirmation.isEmpty ? "" : " + \(comparison.confirmation.count)")
          ),
        ])
    }
    return table
  }

  /// A comparison's part of the page.
  ///
  /// Its number in the report, from 1, is `nil` if pictures are left out.
  private static func section(
    on comparison: PairComparison, of results: PairResults, number: Int?, isBrief: Bool = false,
    in document: inout Document
  ) {
    document.heading(2, comparison.label)
    document.picture(number.flatMap { PairPicture.course(comparison, number: $0, results.rules) })
    var items = [ListItem(sentence(on: comparison, results.rules))]
    items += results.obstacles(to: comparison).map { ListItem("**Not comparable**: \(Markdown.escaped($0)).") }
    items += oneSided(comparison, of: results)
    let deadZone = comparison.timeRules(results.rules)?.deadZone ?? layoutEffect
    if results.base.build != results.head.build, deadZone < layoutEffect {
      items.append(
        ListItem("Two builds of equal code may differ by 1 % in time, through the layout of the executable alone."))
    }
    if !comparison.unjudged.isEmpty {
      items.append(ListItem("Not judged: \(HumanUnits.list(comparison.unjudged.map { Markdown.code(words($0)) }))."))
    }
    if comparison.disturbedPairs > 0 {
      items.append(
        ListItem("\(HumanUnits.counted(comparison.disturbedPairs, "pair")) disturbed by others and taken again"))
    }
    items += comparison.failures.prefix(3).map { failure in
      ListItem(
        "A sample of \(failure.isBase ? "base" : "head") failed in the \(failure.pass.rawValue) pass: "
          + Markdown.escaped(failure.reason))
    }
    document.list(items)
    plans(comparison, of: results, isBrief: isBrief, in: &document)
    explain(comparison, of: results, isBrief: isBrief, in: &document)
    if let number { flames(of: comparison, number: number, in: &document) }
    let changed = comparison.figures(results.rules).filter { $0.verdict != .pass || $0.base != $0.head }
    guard !changed.isEmpty else {
      let compared = comparison.figures(results.rules).count
      if compared == 0 && comparison.plans(results.rules) != nil { return }
      if !comparison.judgesFigures(results.rules) { return document.paragraph("Exact figures are not judged.") }
      document.paragraph(
        compared == 0
          ? "**No exact figure was compared**: the sides have none in common."
          : "Every exact figure is the same on both sides (\(Digits.grouped(compared)) compared).")
      return
    }
    var table = Table(
      "Figure", [.number("Base"), .number("Head"), .change("Change"), .verdict("Verdict"), .text("Judged by")])
    for figure in changed {
      table.append(
        name(of: figure),
        [
          .count(figure.base), .count(figure.head), .figure(figure.ratio.map { $0 - 1 }, or: "base has none"),
          .text(word(for: figure.verdict, fails: figure.fails)),
          .text(figure.rule.map(words) ?? "the built-in limit"),
        ])
    }
    document.table(table)
  }

  /// The metrics that were not compared because one side lacks them.
  private static func oneSided(_ comparison: PairComparison, of results: PairResults) -> [ListItem] {
    let figures = results.oneSidedFigures(of: comparison)
    return [("base", figures.base), ("head", figures.head)].filter { !$0.1.isEmpty }.map { side, metrics in
      ListItem(
        "Not compared, since only \(side) has it: \(HumanUnits.list(metrics.map { Markdown.code($0.rawValue) })).")
    }
  }

  /// The finding on the time, as text.
  static func sentence(on comparison: PairComparison, _ rules: PairRules) -> String {
    guard let timeRules = comparison.timeRules(rules) else { return "The time was not taken, since it is not judged." }
    let time = comparison.time(rules)
    if let distrust = time.distrust { return "**UNTRUSTED**: \(distrust)." }
    guard let first = time.first else {
      let pairs = HumanUnits.counted(comparison.pairs.count, "pair")
      let least = timeRules.plan?.firstDecisiveLook.map { "; it takes \($0.pairs) or more" } ?? ""
      return "**\(time.verdict.rawValue)**: \(pairs), too few to judge the time\(least)."
    }
    let margin = "\(percent(logarithm: timeRules.margin)) %"
    let found =
      switch time.verdict {
      case .regression: "head is slower"
      case .small: "head is slower, but by less than \(margin)"
      case .pass: "a \(margin) slow-down is ruled out"
      case .improved: "head is faster"
      case .inconclusive where first.outcome.isSlower || first.outcome.isFaster:
        "head is \(first.outcome.isSlower ? "slower" : "faster") in the first pairs, and "
          + (time.confirmation != nil
            ? "fresh pairs do not confirm it"
            : "\(comparison.confirmation.isEmpty ? "no" : "too few") fresh pairs were taken to confirm it")
      case .inconclusive: "too noisy to show or rule out a \(margin) slow-down"
      case .untrusted: "the samples are no ground for a verdict"
      }
    var text = "**\(time.verdict.rawValue)**: \(found). Estimate "
    text += "\(change(first)) after \(HumanUnits.counted(first.pairs, "pair"))"
    if let fresh = time.confirmation { text += "; \(change(fresh)) after \(fresh.pairs) fresh pairs" }
    let differences = PairDifferences(comparison.pairs)
    if let slope = differences.slope, slope.magnitude >= 0.005, let measured = median(differences.measured) {
      text +=
        " (\(signedPercent(ratio(fromLog: measured) - 1)) as measured; corrected for the processor's speed to the power of "
      text += "\(Digits.fixed(slope, decimals: 2)))"
    }
    text += "."
    if let rule = comparison.gate.rule(for: nil, of: comparison.headCell.id) {
      text += " Judged by \(Markdown.code(words(rule)))."
      if time.fails && time.verdict == .improved { text += " An improvement beyond the margin fails too." }
    }
    return text
  }

  /// How much the layout of an executable alone may change the time: see the article PairCommand of BatchmarkCLI.
  private static let layoutEffect = 0.01

  /// A rule with its origin.
  static func words(_ rule: GateRule) -> String { "\(rule.text) (\(rule.origin.rawValue))" }

  /// `+6.1 % [+4.0, +8.3]`.
  private static func change(_ verdict: SequentialVerdict) -> String { HumanUnits.change(effect(of: verdict)) }

  /// The change of the time, as a share.
  static func effect(of verdict: SequentialVerdict) -> Estimate {
    Estimate(
      median: ratio(fromLog: verdict.effect), low: verdict.interval.map { ratio(fromLog: $0.lowerBound) },
      high: verdict.interval.map { ratio(fromLog: $0.upperBound) }
    ).addition
  }

  /// A change with its sign: `+6.1 %`.
  static func signedPercent(_ share: Double) -> String { HumanUnits.change(Estimate(median: share)) }

  private static func percent(logarithm share: Double) -> String {
    // Keep whole percentages whole.
    let percent = 100 * share
    return percent == percent.rounded() ? Digits.fixed(percent, decimals: 0) : Digits.trimmed(percent)
  }

  private static func method(of results: PairResults) -> [ListItem] {
    let rules = results.rules
    let items =
      [
        "Base is \(Markdown.code(results.base.name)), head \(Markdown.code(results.head.name)). A pair is two "
          + "fresh processes, one of each, that take \(HumanUnits.counted(rules.trials, "trial")) by turns after a warm-up, in "
          + "random blocks (ABBA) drawn with the seed \(results.run.seed); its middle ratio counts. "
          + "The processor's speed is probed at the same time, and the part that it explains is subtracted."
      ] + looks(of: results) + [
        "Exact figures are those of the operation's phase. They repeat to the bit, so every change of one is real: growth up to "
          + "\(Digits.trimmed(100 * rules.figureMargin)) % is SMALL, more is a REGRESSION.",
        placebos(of: results),
        rules.interferenceLimit.map {
          "A pair was taken again when one of its samples waited for a processor, or lost to the machine's host, more than "
            + "\(Digits.trimmed(100 * $0)) % of its time."
        } ?? "No pair was set aside for disturbances.",
      ]
    return items.map { ListItem($0) }
  }

  /// How the time was judged, once for each different margin.
  private static func looks(of results: PairResults) -> [String] {
    var distinct: [PairRules] = []
    for rules in results.comparisons.compactMap({ $0.timeRules(results.rules) })
    where !distinct.contains(where: { ($0.margin, $0.looks) == (rules.margin, rules.looks) }) {
      distinct.append(rules)
    }
    return distinct.map { rules in
      let margin = Digits.trimmed(100 * rules.margin)
      return "\(distinct.count > 1 ? "Where the margin is \(margin) %, the" : "The") pairs are judged after "
        + "\(HumanUnits.list(rules.looks.map { "\($0)" })) of them, by the exact signed-rank test of "
        + "the logarithms of head's times over base's: REGRESSION when a change within \(Digits.trimmed(100 * rules.deadZone)) % "
        + "is ruled out and fresh pairs confirm it (none are needed beyond \(Digits.trimmed(300 * rules.margin)) %), PASS when a slow-down of \(margin) % is. "
        + "A false alarm comes with a probability of at most \(Digits.trimmed(100 * rules.alpha)) % before it is confirmed, "
        + "a slow-down of \(margin) % passes with one of at most \(Digits.trimmed(100 * rules.beta)) %. "
        + "An estimate's interval is two-sided, at 95 %, so it may reach past \(margin) % where that is ruled out."
    }
  }
}

extension PairMarkdown {
  /// The results of comparing base with itself; cells with the same result are grouped.
  private static func placebos(of results: PairResults) -> String {
    let verdicts = results.placeboVerdicts
    if verdicts.isEmpty {
      return "Base was not compared with itself, so nothing guards against a machine that changes its speed."
    }
    let words = Verdict.allCases.compactMap { verdict -> String? in
      let cells = verdicts.filter { $0.verdict == verdict }.map { Markdown.code($0.comparison.label) }
      return cells.isEmpty ? nil : "\(verdict.rawValue) with \(HumanUnits.list(cells))"
    }
    let isOpen = verdicts.contains { $0.verdict == .inconclusive }
    return
      "Placebo: base compared with itself, over \(HumanUnits.list(results.rules.ofPlacebos.looks.map { "\($0)" })) pairs, "
      + "came out as \(words.joined(separator: "; "))."
      + (isOpen ? " An inconclusive one is too noisy to show a difference or to rule one out." : "")
  }
}

extension PairComparison {
  /// The cell's name, or both names if they differ.
  var label: String { baseCell == headCell ? baseCell.label : "\(headCell.label) against \(baseCell.label)" }
}
