// The number of rows from which one strategy is faster than another, as sentences and a table.
internal import Analysis
internal import Support

extension Crossings: EvidenceSection {
  var title: String { "Crossovers" }

  func backs(_ finding: Finding) -> Bool {
    switch finding.kind {
    case .crossover, .noCrossover: true
    default: false
    }
  }

  var method: String? {
    "A *crossover* is the number of rows from which on the other of two strategies is faster: at each size the "
      + "Hodges-Lehmann interval of the ratios in each round shows which wins, and between the last size of the one and the "
      + "first of the other the number is where their curves meet: each is a fixed cost and a cost a row, or a power of the "
      + "rows where the time grows faster than they do."
  }

  var tables: [Table] {
    var known: Set<String> = []
    let sizes = pairs.flatMap { $0.points.map(\.setting) }.filter { known.insert($0.text).inserted }
      .sorted { $0.order < $1.order }
    var table = Table(
      "Time of the second to that of the first",
      sizes.map { .ratio("\($0.title) rows") } + [.text("Crossover", .right)])
    for pair in pairs {
      let ratios = sizes.map { size -> Table.Value in
        guard let point = pair.points.first(where: { $0.setting.order == size.order }) else {
          return .absent("they were not both run with this many rows")
        }
        return .figure(point.ratio, or: "they share no round")
      }
      let doubt = pair.isCrossoverCertain ? "" : ", not certain"
      let crossover = pair.crossover.map { "\(pair.rows($0)) rows\(doubt)" } ?? "none"
      table.append("\(pair.first.label), \(pair.second.label)", ratios + [.text(crossover)])
    }
    return [table]
  }
}

extension Crossings.Pair {
  fileprivate func rows(_ crossover: Crossover) -> String {
    crossover.size < 0x1p62
      ? Digits.grouped(Int(clamping: crossover.size.rounded())) : Digits.significant(crossover.size)
  }
}
