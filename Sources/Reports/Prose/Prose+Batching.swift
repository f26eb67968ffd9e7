// One or two sentences about the time that batches save in each library, and each library's ratio to the reference.
internal import Analysis

extension Prose {
  /// The engines with certainly faster batches, then the others; nothing for fewer than two engines.
  func batching(_ answer: Answer) -> [String] {
    guard let all = answer.batching, let first = all.first,
      let base = answer.against.first(where: { $0.cell == first.save })?.base
    else { return [] }
    let group = groups.firstIndex { $0.cells.contains(first.save) }
    let reference = shortName(base, in: group)
    let (saving, costing, open) = (
      all.filter { $0.certainty == .certain && $0.time.median < 1 },
      all.filter { $0.certainty == .certain && $0.time.median >= 1 }, all.filter { $0.certainty != .certain }
    )
    let place = place(of: group)
    let start = place.isEmpty ? "" : "At \(Markdown.code(place)), "
    func list(_ some: [Answer.Batching]) -> String {
      HumanUnits.list(
        some.enumerated().map { index, one in
          let times = [one.save, one.batch].compactMap { id in answer.against.first { $0.cell == id }?.time }
            .map(HumanUnits.ratioMedian)
          let far = times.joined(separator: " and ") + (index == 0 ? " times as long as \(reference)" : "")
          return "\(Markdown.code(one.engine)) \(saved(one.time)) (\(far))"
        })
    }
    func heading(_ claim: String) -> String { "**\((start + claim).uppercasedFirst)**" }
    if open.count == all.count { return ["\(heading("what batches save is not certain")): \(list(open))."] }
    let (few, noisy) = (open.filter { $0.certainty == .tooFewRounds }, open.filter { $0.certainty != .tooFewRounds })
    let details = saving.isEmpty ? "" : ": \(list(saving)); in brackets object by object and in batches"
    return ["\(heading("batches certainly save time in \(saving.count) of \(all.count) libraries"))\(details)."]
      + (costing.isEmpty ? [] : ["Batches take longer with \(list(costing))."])
      + (noisy.isEmpty ? [] : ["What they save is not certain with \(list(noisy))."])
      + (few.isEmpty ? [] : ["Too few rounds to be certain: \(list(few))."])
  }

  /// The saved share of the time, such as `93 %`; `−4 %` if batches take longer.
  private func saved(_ time: Estimate) -> String {
    let percent = 100 * (1 - time.median)
    return (percent < -0.5 ? "−" : "") + Digits.fixed(percent.magnitude, decimals: 0) + " %"
  }
}
