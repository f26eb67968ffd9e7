// How much of Apple's ratio each step explains, as sentences and tables.
internal import Analysis

extension AppleClaim: EvidenceSection {
  var title: String { "Apple's comparison taken apart" }

  func backs(_ finding: Finding) -> Bool {
    if case .appleClaim = finding.kind { true } else { false }
  }

  var method: String? {
    "*Apple's comparison* is that of WWDC 2020, session 10017: 62 s object by object, 30 s with an array of dictionaries "
      + "and 11 s with a block, at 31, 25.2 and 24.3 MB, without the number of rows or the device. Each step's share is its "
      + "part of the whole difference in seconds, in each round; times are those a user waits for, telling the observing "
      + "context included. Every way of saving in pieces stands by itself."
  }

  var tables: [Table] {
    var steps = Table(
      "From",
      [
        .text("To"), .text("What changes"), .ratio("Times as long"), .time("Takes off"),
        .share("Share of the difference"),
      ])
    var here = Table(
      "Compared",
      ["Object by object", "Array of dictionaries", "Block", "Ratio of the times", "Resident peaks"].map {
        .text($0, .right)
      })
    let peaks = AppleClaim.megabytes.map { Digits.significant($0) }.joined(separator: ", ") + " MB"
    let apple = AppleClaim.seconds.map { "\(Digits.fixed($0, decimals: 0)) s" }
    here.append("Apple", (apple + [AppleClaim.proportion(AppleClaim.seconds), peaks]).map { .text($0) })
    for chain in chains {
      let absent = "the two share no round"
      let noShare = chain.hasDifference ? absent : "it is not certain that the handler takes less time"
      for change in chain.changes {
        steps.append(
          change.from.label,
          [
            .text(change.to.label), .text(change.step.words),
            .figure(change.ratio, or: absent), .figure(change.seconds, or: absent), .figure(change.share, or: noShare),
          ])
      }
      let peaks = chain.timed.map { cell in
        cell.main.metrics[.residentSetPeak].map { HumanUnits.bytes($0) } ?? "not measured"
      }
      let times = zip(chain.timed, chain.times).map { cell, time in
        // Use Apple's unit.
        Table.Value.text(time, or: "\(cell.label) has no time") { HumanUnits.seconds($0) }
      }
      let rest = [chain.proportion ?? "unknown", peaks.joined(separator: ", ")]
      here.append(chain.timed.first?.label ?? "", times + rest.map { .text($0) })
    }
    return [here, steps]
  }

}

extension AppleClaim.Chain {
  fileprivate var proportion: String? {
    let medians = times.compactMap { $0?.median }
    return medians.count == times.count ? AppleClaim.proportion(medians) : nil
  }
}

extension AppleClaim.Step {
  fileprivate var words: String {
    switch self {
    case .merging: "no context merges"
    case .granularity: "one save for all rows"
    case .batching: "a batch insert of an array"
    case .handling: "a handler instead of the array"
    }
  }
}
