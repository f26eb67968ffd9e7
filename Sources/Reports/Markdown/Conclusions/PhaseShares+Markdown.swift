// Where the time goes, in sentences and a table.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

extension PhaseShares: Conclusion {
  var title: String { "Where the time goes" }

  var leading: Int { 0 }

  /// The cells in which each phase has its least and its largest share.
  var sentences: [String] {
    let parts = phases.compactMap { phase -> String? in
      let known = lines.compactMap { line in line.part(phase).map { (name: line.cell.label, share: $0.share.median) } }
      guard let most = known.max(by: { $0.share < $1.share }), let least = known.min(by: { $0.share < $1.share }) else {
        return nil
      }
      func words(_ end: (name: String, share: Double)) -> String {
        "\(Digits.significant(end.share * 100)) % with \(Markdown.code(end.name))"
      }
      if known.count == 1 { return "\(phase.rawValue) \(words(most))" }
      return "\(phase.rawValue) from \(words(least)) to \(words(most))"
    }
    let names = HumanUnits.list(phases.map(\.rawValue))
    return ["Of \(names) together: \(parts.joined(separator: "; "))."]
  }

  var method: String? {
    "*Shares* of phases are taken in each round, of the sum of the phases of that sample, without those in which the "
      + "harness fills and reads the store; they are medians, and need not add up to 100 %."
  }

  var tables: [MarkdownTable] {
    var table = MarkdownTable("Cell", ["All, median [95 %]"] + phases.map(\.rawValue))
    for line in lines {
      // A phase that a cell does not have is left blank.
      let parts = phases.map { phase in
        line.part(phase).map { "\(HumanUnits.share($0.share)), \(HumanUnits.time($0.time.median))" } ?? ""
      }
      table.append(line.cell.label, ([HumanUnits.time(line.whole)] + parts).map { .text($0) })
    }
    return [table]
  }
}
