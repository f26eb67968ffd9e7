// From how many rows on one strategy wins over another, in sentences and a table.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Statistics

extension Crossings: Conclusion {
  var title: String { "Crossovers" }

  /// Those that change places; where nobody does, who is fastest at each size says as much.
  var leading: Int { pairs.count { $0.crossover != nil } }

  var sentences: [String] {
    let crossing = pairs.filter { $0.crossover != nil }
    return (crossing + pairs.filter { $0.crossover == nil }).map(\.sentence)
  }

  var method: String? {
    "A *crossover* is the number of rows from which on the other of two strategies is faster: at each size the "
      + "Hodges-Lehmann interval of the ratios in each round tells who wins, and between the last size of the one and the "
      + "first of the other the number is where the ratio is 1 on a line through both, on logarithmic scales."
  }

  var tables: [MarkdownTable] {
    var known: Set<String> = []
    let sizes = pairs.flatMap { $0.points.map(\.setting) }.filter { known.insert($0.text).inserted }
      .sorted { $0.order < $1.order }
    var table = MarkdownTable(
      "Time of the second to that of the first", sizes.map { "\($0.title) rows" } + ["Crossover"])
    for pair in pairs {
      let ratios = sizes.map { size -> MarkdownTable.Value in
        guard let point = pair.points.first(where: { $0.setting.order == size.order }) else {
          return .absent("they were not both run with so many rows")
        }
        return .figure(point.ratio, or: "they share no round") { HumanUnits.ratio($0) }
      }
      let crossover = pair.crossover.map { "\(pair.rows($0)) rows" } ?? "none"
      table.append("\(pair.first.label), \(pair.second.label)", ratios + [.text(crossover)])
    }
    return [table]
  }
}

extension Crossings.Pair {
  fileprivate func rows(_ crossover: Crossover) -> String {
    crossover.size < 0x1p62 ? Digits.grouped(Int(crossover.size.rounded())) : Digits.significant(crossover.size)
  }

  fileprivate var sentence: String {
    let firstName = Markdown.code(first.label)
    let secondName = Markdown.code(second.label)
    if let crossover {
      let (winner, loser) = crossover.secondWinsAbove ? (secondName, firstName) : (firstName, secondName)
      let (low, high) = (crossover.interval.lowerBound, crossover.interval.upperBound)
      return "**\(winner) wins over \(loser) from about \(rows(crossover)) rows**: at \(Digits.grouped(Int(low))) rows "
        + "\(loser) is faster, at \(Digits.grouped(Int(high))) rows \(winner)."
    }
    let firstWins = sizes(wonBy: .slower)
    let secondWins = sizes(wonBy: .faster)
    if !firstWins.isEmpty && !secondWins.isEmpty {
      return
        "\(firstName) and \(secondName) change places more than once: \(firstName) is faster at \(list(firstWins)), "
        + "\(secondName) at \(list(secondWins))."
    }
    if firstWins.isEmpty && secondWins.isEmpty {
      return points.contains { $0.verdict == .indistinguishable }
        ? "\(firstName) and \(secondName) are indistinguishable at every size."
        : "Between \(firstName) and \(secondName) there are too few rounds to tell who is faster."
    }
    let (winner, loser, wins) =
      firstWins.isEmpty ? (secondName, firstName, secondWins) : (firstName, secondName, firstWins)
    if wins.count == points.count { return "\(winner) is faster than \(loser) at every size." }
    return "\(winner) is faster than \(loser) at \(list(wins)); at the other sizes no difference can be seen."
  }

  private func list(_ sizes: [Setting]) -> String { HumanUnits.list(sizes.map(\.title)) + " rows" }
}
