// How much of Apple's ratio each step explains, in sentences and tables.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

extension AppleClaim: Conclusion {
  var title: String { "Apple's comparison taken apart" }

  var leading: Int { sentences.count }

  var sentences: [String] {
    guard let chain = nearest else { return ["Apple's 62 : 30 : 11 cannot be judged: a cell of it has no time."] }
    return [chain.comparison, chain.explanation]
  }

  var method: String? {
    "*Apple's comparison* is that of WWDC 2020, session 10017: 62 s object by object, 30 s with an array of dictionaries "
      + "and 11 s with a block, at 31, 25.2 and 24.3 MB, without the number of rows or the device. Each step's share is its "
      + "part of the whole difference in seconds, in each round; times are those a user waits for, telling the observing "
      + "context included. Of several ways of saving in pieces the sentence tells of the one whose ratio is nearest to Apple's."
  }

  var tables: [MarkdownTable] {
    var steps = MarkdownTable(
      "From", ["To", "What changes", "Times as long [95 %]", "Takes off [95 %]", "Share of the difference [95 %]"])
    var here = MarkdownTable(
      "Compared",
      ["Object by object", "Array of dictionaries", "Block", "Ratio of the times", "Resident peaks"])
    let peaks = AppleClaim.megabytes.map { Digits.significant($0) }.joined(separator: ", ") + " MB"
    let apple = AppleClaim.seconds.map { "\(Digits.fixed($0, decimals: 0)) s" }
    here.append("Apple", (apple + [AppleClaim.proportion(AppleClaim.seconds), peaks]).map { .text($0) })
    for chain in chains {
      let absent = "the two share no round"
      for change in chain.changes {
        steps.append(
          change.from.label,
          [
            .text(change.to.label), .text(change.step.words),
            .figure(change.comparison, or: absent) { HumanUnits.ratio($0.ratio) },
            .figure(change.seconds, or: absent) { HumanUnits.time($0) },
            .figure(change.share, or: absent) { HumanUnits.share($0) },
          ])
      }
      let peaks = chain.timed.map { cell in
        cell.main?.metrics[.residentSetPeak].map { HumanUnits.bytes($0) } ?? "not measured"
      }
      let times = zip(chain.timed, chain.times).map { cell, time in
        MarkdownTable.Value.figure(time, or: "\(cell.label) has no time") { HumanUnits.time($0) }
      }
      let rest = [chain.proportion ?? "unknown", peaks.joined(separator: ", ")]
      here.append(chain.timed.first?.label ?? "", times + rest.map { .text($0) })
    }
    return [here, steps]
  }

  /// `62 : 30 : 11`, the last as Apple has it.
  fileprivate static func proportion(_ times: [Double]) -> String {
    guard let last = times.last, last > 0, let unit = seconds.last else { return "unknown" }
    return times.map { time in
      let scaled = time / last * unit
      return Digits.fixed(scaled, decimals: scaled < 10 ? 1 : 0)
    }.joined(separator: " : ")
  }
}

extension AppleClaim.Chain {
  fileprivate var proportion: String? {
    let medians = times.compactMap { $0?.median }
    return medians.count == times.count ? AppleClaim.proportion(medians) : nil
  }

  /// The ratio here beside Apple's.
  fileprivate var comparison: String {
    let apple = Digits.significant(AppleClaim.ratio)
    guard let whole, let proportion, let save = timed.first, let block = timed.last else {
      return "Apple's 62 : 30 : 11 cannot be judged: a cell of it has no time."
    }
    let claim = "Apple's 62 : 30 : 11 (\(apple) times) is \(proportion) here"
    let names = "`save` with \(Markdown.code(save.cell.parametersText)) takes"
    let ratio = "\(whole.wording) as \(Markdown.code(block.label))"
    guard let low = whole.ratio.low, let high = whole.ratio.high else {
      return "**\(claim), of too few rounds to judge**: \(names) \(ratio)."
    }
    let judgement =
      low > AppleClaim.ratio
      ? "more than Apple's" : high < AppleClaim.ratio ? "less than Apple's" : "indistinguishable from Apple's"
    return "**\(claim)**: \(names) \(ratio), \(judgement)."
  }

  /// What merging, save granularity and the insert path have of the difference.
  fileprivate var explanation: String {
    let shares: [(String, Estimate?)] = [
      ("merging into the observing context", change(.merging)?.share),
      ("saving in pieces instead of once", change(.granularity)?.share), ("the insert path", insertPath),
    ]
    let words = shares.map { name, share -> String in
      guard let share else { return "that of \(name) is unknown" }
      let figure = "\(name) \(HumanUnits.share(share))"
      guard let low = share.low, let high = share.high else { return figure + " (too few rounds for an interval)" }
      return low <= 0 && high >= 0 ? figure + ", which is nothing that can be seen" : figure
    }
    return "Of the difference: \(words.joined(separator: "; "))."
  }
}

extension AppleClaim.Step {
  fileprivate var words: String {
    switch self {
    case .merging: "nobody is told"
    case .granularity: "one save for all rows"
    case .batching: "a batch insert of an array"
    case .handling: "a handler instead of the array"
    }
  }
}
