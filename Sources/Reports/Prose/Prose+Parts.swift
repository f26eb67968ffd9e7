// The parts of the time, the cost of a row, and how much of Apple's ratio each step explains, as sentences.
internal import Analysis

extension Prose {
  /// The cells in which each phase has its smallest and its largest share.
  func shares(_ findings: [Finding]) -> [String] {
    let only = findings.count > 1 && scenario.measured.count == 1 ? findings[0].cells.first : nil
    let parts = findings.enumerated().compactMap { index, finding -> String? in
      guard case .share(let phase) = finding.kind else { return nil }
      let start = "\(phase.rawValue)\(index == 0 ? " takes" : "") "
      if only != nil { return start + "\(Digits.short(finding.estimates[0].median * 100)) %" }
      let shares = finding.estimates.map { "\(Digits.short($0.median * 100)) %" }
      if shares.count > 1, Set(shares).count == 1 {
        let isOfAll = scenario.measured.allSatisfy { $0.summary(of: phase)?.wall.figure != nil }
        return "\(start)\(shares[0]) in every cell" + (isOfAll ? "" : " that has it")
      }
      let ends = zip(finding.cells, shares).map { "\($1) (\(name($0)))" }
      return start + ends.joined(separator: " to ")
    }
    return ["Of the time of all phases\(only.map { " of \(name($0))" } ?? ""), \(HumanUnits.list(parts))."]
  }

  func bytesPerRow(_ finding: Finding) -> String? {
    guard case .bytesPerRow(let metric) = finding.kind else { return nil }
    let figure = metric == .heapPeak ? "The heap peak" : "What is written to the WAL"
    let words = finding.estimates.map { Digits.significant($0.median) }
    // Figures with the same text look equal to a reader.
    if Set(words).count == 1 {
      let isOfAll = scenario.measured.allSatisfy { $0.main.perRow(metric).figure != nil }
      return "\(figure) is \(words[0]) bytes a row in every cell\(isOfAll ? "" : " that has it")."
    }
    return "\(figure) is \(words[0]) bytes a row with \(name(finding.cells[0])), the most, and \(words[1]) bytes with "
      + "\(name(finding.cells[1])), the least."
  }

  // MARK: Apple's comparison

  /// The ratios of several strategies for saving, compared with Apple's, in one sentence.
  func apple(_ findings: [Finding]) -> String? {
    let parts = findings.compactMap { finding -> (save: String, proportion: String, ratio: String)? in
      guard case .appleClaim(let times, _) = finding.kind, !times.isEmpty, let whole = finding.estimates.first,
        let save = finding.cells.first.flatMap(cell)
      else { return nil }
      return (Markdown.code(save.label), AppleClaim.proportion(times), HumanUnits.ratio(whole))
    }
    guard !parts.isEmpty, let block = findings.first?.cells.last else { return nil }
    let claims = parts.map { "\($0.proportion) with \($0.save)" }
    let comparison =
      "**Apple's 62 : 30 : 11 (\(Digits.significant(AppleClaim.ratio)) times) is \(HumanUnits.list(claims))**: "
      + "against \(name(block)) they take \(HumanUnits.list(parts.map(\.ratio))) times as long"
    return areOfTooFewRounds(findings) ? advised("\(comparison), perhaps by chance.") : comparison + "."
  }

  /// Whether the answer has everything that is known about several claims.
  ///
  /// With too few rounds, that is their proportions.
  func isSaidByAnswer(_ claims: [Finding]) -> Bool {
    scenario.answer?.kind == .claim && claims.count > 1 && areOfTooFewRounds(claims)
  }

  private func areOfTooFewRounds(_ claims: [Finding]) -> Bool {
    claims.allSatisfy { $0.certainty == .tooFewRounds }
  }

  private static let appleParts = [
    "merging into the observing context", "saving in pieces instead of once", "the insert path",
  ]

  /// What the extra time of each strategy for saving comes from, a sentence for each one that has shares; `nil` if none
  /// has any.
  func appleShares(_ findings: [Finding]) -> String? {
    let sentences = findings.filter { $0.estimates.count == 1 + Prose.appleParts.count }.map { finding in
      let name = finding.cells.first.map(name) ?? ""
      return "**Of the extra time of \(name)**, \(appleSteps(Array(finding.estimates.dropFirst())))."
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  /// The steps with a share, those without one, and those whose share is not certain.
  private func appleSteps(_ shares: [Estimate]) -> String {
    var (known, none, open): ([String], [String], [String]) = ([], [], [])
    for (step, share) in zip(Prose.appleParts, shares) {
      guard let low = share.low, let high = share.high else {
        open.append(step)
        continue
      }
      if low > 0 || high < 0 {
        // A share may exceed the whole if another step reduces the difference.
        let figure = share.median >= 0.995 ? "all" : HumanUnits.share(share)
        known.append("\(figure) \(known.isEmpty ? "comes " : "")from \(step)")
      } else if max(-low, high) <= Prose.noShare {
        none.append(step)
      } else {
        open.append(step)
      }
    }
    let parts = [
      known.isEmpty ? nil : HumanUnits.list(known),
      none.isEmpty ? nil : "none comes from \(HumanUnits.list(none, by: "or")), to within 5 %",
      open.isEmpty
        ? nil
        : "the share\(open.count == 1 ? "" : "s") of \(HumanUnits.list(open)) \(open.count == 1 ? "is" : "are") not certain",
    ]
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  /// A share whose interval has zero and nothing above this is none.
  private static let noShare = 0.05

  /// The outcome of Apple's claim here, in a few words for a title; `nil` without such cells.
  func appleVerdict(_ findings: [Finding]) -> String? {
    let all = findings.compactMap { finding -> [Double]? in
      if case .appleClaim(let times, _) = finding.kind, !times.isEmpty { times } else { nil }
    }
    guard let last = all.last else { return nil }
    let ends = [
      all.max { ($0.first ?? 0) < ($1.first ?? 0) } ?? last, all.min { ($0.first ?? 0) < ($1.first ?? 0) } ?? last,
    ]
    let words = ends.map { AppleClaim.proportion($0) }
    return "Apple's 62 : 30 : 11 is \(words[0])\(words[0] == words[1] ? "" : " to \(words[1])") here"
      + (areOfTooFewRounds(findings) ? ", perhaps by chance" : "")
  }

  /// The measured ratio next to Apple's, and the shares of merging, save granularity and the insert path in the
  /// difference.
  func apple(_ finding: Finding) -> [String] {
    guard case .appleClaim(let times, let verdict) = finding.kind, !times.isEmpty, let whole = finding.estimates.first,
      let save = finding.cells.first.flatMap(cell), let block = finding.cells.last
    else { return ["Apple's 62 : 30 : 11 cannot be judged: a cell of it has no time."] }
    let claim =
      "Apple's 62 : 30 : 11 (\(Digits.significant(AppleClaim.ratio)) times) is \(AppleClaim.proportion(times)) here"
    let ratio = "\(Markdown.code(save.label)) takes \(self.times(whole)) as \(name(block))"
    let judgement: String? =
      switch verdict {
      case .more: "more than Apple's"
      case .less: "less than Apple's"
      case .undecided: "which may be Apple's"
      case .unknown: nil
      }
    let comparison =
      judgement.map { "**\(claim)**: \(ratio), \($0)." } ?? "**\(claim), of too few rounds to judge**: \(ratio)."
    // If the handler takes longer, there is no gain to divide.
    return [comparison, appleShares([finding])].compactMap(\.self)
  }
}

extension AppleClaim {
  /// `62 : 30 : 11`; the last number is Apple's.
  static func proportion(_ times: [Double]) -> String {
    guard let last = times.last, last > 0, let unit = seconds.last else { return "unknown" }
    return times.map { time in
      let scaled = time / last * unit
      return Digits.fixed(scaled, decimals: scaled < 10 ? 1 : 0)
    }.joined(separator: " : ")
  }
}
