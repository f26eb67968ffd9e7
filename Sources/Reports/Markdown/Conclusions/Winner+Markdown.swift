// Who is fastest and who is leanest, in sentences; the tables of every report back them.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

extension Winner: Conclusion {
  var title: String { "Who is fastest" }

  var leading: Int { sentences.count }

  var sentences: [String] {
    if lines.count == 1, let line = lines.first {
      return [line.speed + line.restriction, line.memory].compactMap(\.self)
    }
    return grouped(\.standing)
  }

  /// What ends alike shares a part of the sentence.
  private func grouped(_ standing: (Line) -> String) -> [String] {
    var groups: [(words: String, works: [String])] = []
    for line in lines {
      let words = standing(line)
      let work = Markdown.code(line.work.name ?? "")
      if let last = groups.indices.last, groups[last].words == words {
        groups[last].works.append(work)
      } else {
        groups.append((words, [work]))
      }
    }
    return groups.isEmpty
      ? [] : [groups.map { "At \(HumanUnits.list($0.works)) \($0.words)" }.joined(separator: ". ") + "."]
  }
}

extension Winner.Line {
  /// The compared cells that have the least heap at its peak, those that read alike together; empty where none has
  /// one, or all the same.
  fileprivate var leanest: [CellResults] {
    let peaks = ranking.cells.compactMap { cell in cell.main?.metrics[.heapPeak].map { (cell: cell, bytes: $0) } }
    guard let least = peaks.map(\.bytes).min() else { return [] }
    let text = HumanUnits.bytes(least)
    let leanest = peaks.filter { HumanUnits.bytes($0.bytes) == text }.map(\.cell)
    return leanest.count < peaks.count ? leanest : []
  }

  /// The whole sentence on speed, where all cells did the same work.
  fileprivate var speed: String {
    guard let first = ranking.first, let wall = first.main?.wall else {
      return "**Nothing can be said of speed**: no cell has a time."
    }
    let name = Markdown.code(first.label)
    if ranking.followers.isEmpty {
      return "\(name) is the only \(ranking.noun)\(ranking.cells.count == 1 ? "" : " with a time"): "
        + "\(HumanUnits.time(wall))."
    }
    if ranking.undecided.count == ranking.followers.count {
      return "**Who is fastest cannot be told of \(HumanUnits.counted(first.main?.samples ?? 0, "timed round"))**: "
        + "the shortest median, \(HumanUnits.time(wall.median)) with \(name), may be chance."
    }
    let slower = ranking.followers.filter { $0.comparison.verdict == .slower }
    let few = ranking.undecided.map { "\(Markdown.code($0.cell.label)) (\($0.comparison.wording))" }
    let rest = few.isEmpty ? "." : "; of \(HumanUnits.list(few)) there are too few rounds to tell."
    if ranking.winnerOfDecided != nil, let next = slower.first {
      return "**\(name) is fastest**, \(HumanUnits.time(wall)); the next, \(Markdown.code(next.cell.label)), takes "
        + next.comparison.wording + rest
    }
    let tied = ranking.tied.map { "\(Markdown.code($0.cell.label)) (\($0.comparison.wording))" }
    return "**No single \(ranking.noun) is fastest**: \(name), \(HumanUnits.time(wall)), is indistinguishable from "
      + "\(HumanUnits.list(tied))"
      + (slower.first.map { "; the next, \(Markdown.code($0.cell.label)), takes \($0.comparison.wording)" } ?? "")
      + rest
  }

  /// That merging is not in the times, where some cell merges.
  fileprivate var restriction: String {
    guard ranking.first != nil, ranking.cells.contains(where: { $0.summary(of: .merge) != nil }) else { return "" }
    return " That is of the time to store alone, without telling other contexts."
  }

  /// The whole sentence on memory; exact figures need no interval.
  fileprivate var memory: String? {
    guard let least = leanest.first, let bytes = least.main?.metrics[.heapPeak] else { return nil }
    let names = HumanUnits.list(leanest.map { Markdown.code($0.label) })
    return
      "**Leanest \(leanest.count == 1 ? "is" : "are") \(names)**, with \(HumanUnits.bytes(bytes)) of heap at its peak."
  }

  /// A part of a sentence, where there is other work beside: names without what all cells compared have.
  fileprivate var standing: String {
    guard let first = ranking.first else { return "no cell has a time" }
    func name(_ cell: CellResults) -> String {
      var cell = cell.cell
      for key in ScenarioResults.workKeys { cell.parameters[key] = nil }
      return Markdown.code(cell.label)
    }
    if ranking.followers.isEmpty { return "only \(name(first)) has a time" }
    if ranking.undecided.count == ranking.followers.count { return "there are too few rounds to tell who is fastest" }
    if ranking.winnerOfDecided != nil { return "**\(name(first)) is fastest**" }
    let tied = ranking.tied.map { name($0.cell) }
    return "\(name(first)) is indistinguishable from \(HumanUnits.list(tied))"
  }
}
