// The changes that comparisons can detect on this machine, in Markdown: the noise, the smallest change, pairs and time.
package import Analysis

/// Writes the results of `plan`.
package enum PlanMarkdown {
  /// A cell with its noise, or the reason why its samples failed.
  package struct Line: Sendable {
    package var cell: String
    package var estimate: NoiseEstimate?
    package var failure: String?

    package init(cell: String, estimate: NoiseEstimate?, failure: String?) {
      self.cell = cell
      self.estimate = estimate
      self.failure = failure
    }
  }

  /// The page.
  ///
  /// - Parameters:
  ///   - lines: One for each cell.
  ///   - rules: The rules of the comparisons.
  ///   - shares: A time budget in seconds, and the pairs within it for each cell with an estimate; `nil` without a
  ///     budget.
  ///   - form: The form of the output.
  /// - Returns: The text of the page.
  package static func render(
    _ lines: [Line], _ rules: PairRules, shares: (seconds: Double, pairs: [Int]?)?, as form: PageForm = .markdown
  ) -> String {
    var document = Document()
    document.heading(1, "What comparisons can show here")
    let last = rules.looks.last ?? 0
    let margin = "\(Digits.trimmed(100 * rules.margin)) %"
    var table = Table(
      "Cell",
      [
        .time("A trial"), .time("A pair"), .share("Noise of a pair"), .share("As measured"),
        .share("Visible with \(last) pairs"), .number("Pairs for \(margin)"), .time("Time for a verdict"),
        .number("Trials worthwhile"),
      ])
    for line in lines {
      guard let estimate = line.estimate else {
        table.append(line.cell, Array(repeating: .absent(line.failure ?? tooFewPairs), count: 8))
        continue
      }
      let expected = estimate.expectedPairs(rules)
      let tooNoisy = "it is noisier than \(last) pairs can make up for"
      table.append(
        line.cell,
        [
          .number(estimate.trialSeconds), .number(estimate.pairSeconds), .number(estimate.spread),
          .number(estimate.measuredSpread), .figure(estimate.visibleChange(pairs: last), or: tooNoisy),
          expected.map { .count($0) } ?? .absent(tooNoisy),
          .figure(expected.map(estimate.seconds), or: tooNoisy),
          estimate.worthwhileTrials.map { .count($0) } ?? .absent("one trial a pair cannot show it"),
        ])
    }
    document.table(table)
    document.list(advice(lines, rules).map { ListItem($0) })
    if let shares { share(shares, among: lines.filter { $0.estimate != nil }, in: &document) }
    return document.text(as: form)
  }

  /// Why nothing is known about a cell with successful samples.
  static let tooFewPairs = "there were too few pairs"

  private static func advice(_ lines: [Line], _ rules: PairRules) -> [String] {
    var items = [
      "Noise is the robust standard deviation of the pairs' ratios, once without what the processor's speed explains, as `pair` "
        + "judges them, and once as measured. A slow-down that is found is confirmed by fresh pairs, so it takes about twice the time; one that "
        + "lies wholly beyond three margins needs none."
    ]
    for line in lines {
      guard let estimate = line.estimate else { continue }
      if estimate.trialSeconds < shortestTrial {
        items.append(
          "\(Markdown.code(line.cell)): a trial of \(HumanUnits.time(estimate.trialSeconds)) is short; give it more rows, so that it "
            + "takes \(HumanUnits.time(shortestTrial)) or more.")
      }
      if estimate.expectedPairs(rules) == nil {
        items.append(
          "\(Markdown.code(line.cell)): a change of \(Digits.trimmed(100 * rules.margin)) % cannot be expected to show here; wait "
            + "for a quieter machine, take more pairs with --looks, or ask for a larger --margin.")
      }
    }
    return items
  }

  private static func share(
    _ shares: (seconds: Double, pairs: [Int]?), among lines: [Line], in document: inout Document
  ) {
    document.heading(2, "Within \(HumanUnits.time(shares.seconds))")
    guard let pairs = shares.pairs else {
      document.paragraph("That is too short for a verdict on every cell; leave some out with --only, or allow more.")
      return
    }
    var table = Table("Cell", [.number("Pairs"), .time("Time"), .share("Visible")])
    for (line, count) in zip(lines, pairs) {
      guard let estimate = line.estimate else { continue }
      table.append(
        line.cell,
        [
          .count(count), .number(estimate.seconds(ofPairs: count)),
          .figure(estimate.visibleChange(pairs: count), or: "its noise is unknown"),
        ])
    }
    document.table(table)
  }

  /// In a shorter trial, overhead has too much weight: a wake-up, a page fault, the clock.
  private static let shortestTrial = 0.01
}
