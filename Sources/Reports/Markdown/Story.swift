// The sentences that open a scenario's report, computed from its figures: no strategy is favoured by name.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

/// What a scenario found, in short.
struct Story {
  let scenario: ScenarioResults
  let ranking: Ranking

  init(_ scenario: ScenarioResults) {
    self.scenario = scenario
    ranking = Ranking(scenario)
  }

  /// One item a question: speed, save against batches, the reference, merging, memory, the WAL, and what is given up.
  var items: [MarkdownItem] { findings + [givenUp].compactMap(\.self) }

  /// The same without what is given up, which does not depend on figures.
  var findings: [MarkdownItem] { [speed, saveAgainstBatches, reference, merging, memory, wal].compactMap(\.self) }

  // MARK: Speed

  private var speed: MarkdownItem {
    let text: String
    if let first = ranking.first, let wall = first.main?.wall {
      text = [leading(first, wall), timeless].compactMap(\.self).joined(separator: " ")
    } else {
      text = "No cell has a time for the \(scenario.operation.phase.rawValue) phase, so nothing can be said."
    }
    return MarkdownItem("**Speed.** \(text)")
  }

  private func leading(_ first: CellResults, _ wall: Estimate) -> String {
    let name = Markdown.code(first.label)
    let time = "\(HumanUnits.time(wall)) for \(rowsAndRate(of: first))"
    if ranking.followers.isEmpty {
      return ranking.cells.count == 1
        ? "\(name) is the only \(ranking.noun): \(time)." : "\(name) is the only \(ranking.noun) with a time: \(time)."
    }
    if ranking.isUndecided {
      let behind = shortened(ranking.followers).map { follower in
        "\(Markdown.code(follower.cell.label)) takes \(follower.comparison.wording)"
      }
      let told = behind.count < ranking.followers.count ? "of the others, the next two and the slowest, " : ""
      return "\(name) has the shortest median of its time, \(time); \(told)\(HumanUnits.list(behind)). "
        + "With \(HumanUnits.counted(first.main?.samples ?? 0, "timed round")) there is no interval, so this order "
        + "may be chance."
    }
    return ranking.tied.isEmpty ? clearLead(name, time) : sharedLead(name, wall)
  }

  private func clearLead(_ name: String, _ time: String) -> String {
    var text = "**\(name) is the fastest \(ranking.noun)**: \(time)."
    guard let next = ranking.followers.first, let slowest = ranking.followers.last else { return text }
    text += " The next, \(Markdown.code(next.cell.label)), takes \(next.comparison.wording)"
    if ranking.followers.count > 1 {
      text += "; the slowest, \(Markdown.code(slowest.cell.label)), \(slowest.comparison.wording)"
    }
    return text + "."
  }

  private func sharedLead(_ name: String, _ wall: Estimate) -> String {
    let tied = ranking.tied.map { follower in
      Markdown.code(follower.cell.label) + " (\(follower.comparison.wording))"
    }
    var text =
      "**No single \(ranking.noun) is fastest**: \(name) has the shortest median, \(HumanUnits.time(wall)), "
      + "but no difference can be seen between it and \(HumanUnits.list(tied))."
    let slower = ranking.followers.filter { $0.comparison.verdict == .slower }
    if let slowest = slower.last {
      text += " The slowest, \(Markdown.code(slowest.cell.label)), takes \(slowest.comparison.wording)."
    }
    return text
  }

  /// Compared cells without a time, and why.
  private var timeless: String? {
    let cells = ranking.cells.filter { $0.main?.wall == nil }
    return cells.isEmpty
      ? nil
      : cells.map { "\(Markdown.code($0.label)) has no time: \(Markdown.escaped($0.absenceOfTime(in: $0.mainPhase)))." }
        .joined(separator: " ")
  }

  private func rowsAndRate(of cell: CellResults) -> String {
    guard let main = cell.main else { return "no rows" }
    let rows = HumanUnits.counted(main.rows, "row")
    return main.rowsPerSecond.map { "\(rows), \(HumanUnits.rate($0)) rows a second" } ?? rows
  }

  // MARK: Relations

  /// More cells than this are told in sentences by their ends; the table beneath has them all.
  private static let mostListed = 6

  /// All of them in order, or the first two and the last.
  private func shortened<Element>(_ told: [Element]) -> [Element] {
    told.count > Story.mostListed ? Array(told.prefix(2) + told.suffix(1)) : told
  }

  /// Of many saves those that are fastest with their conditions.
  private var saveAgainstBatches: MarkdownItem? {
    let batches = ranking.cells.filter(\.cell.isBatch)
    var saves = ranking.cells.filter(\.cell.isSave)
    if saves.count > Story.mostListed {
      let walls = saves.compactMap { save in save.main?.wall.map { (save: save, median: $0.median) } }
      saves = walls.filter { wall in
        !walls.contains { $0.save.cell.conditions == wall.save.cell.conditions && $0.median < wall.median }
      }.map(\.save)
    }
    let lines = saves.compactMap { save -> String? in
      let compared = batches.filter { $0.cell.conditions == save.cell.conditions }.compactMap { batch in
        scenario.comparison(of: save, to: batch).map { Related(name: Markdown.code(batch.label), comparison: $0) }
      }
      return compared.isEmpty ? nil : relation(of: Markdown.code(save.label), compared)
    }
    let heading = "**Object by object against batches.**"
    switch lines.count {
    case 0: return nil
    case 1: return MarkdownItem("\(heading) \(lines[0])")
    default: return MarkdownItem(heading, lines)
    }
  }

  /// `a` takes … times as long as `b` …; no difference can be seen between `a` and `c`.
  private func relation(of name: String, _ compared: [Related]) -> String {
    var parts: [String] = []
    let different = compared.filter { $0.comparison.verdict != .indistinguishable }.map { related in
      let ratio = related.comparison.ratio
      return [Digits.significant(ratio.median), "times as long as", related.name, HumanUnits.ratioInterval(ratio)]
        .compactMap(\.self).joined(separator: " ")
    }
    if !different.isEmpty { parts.append("\(name) takes \(HumanUnits.list(different))") }
    let same = alike(in: compared)
    if !same.isEmpty { parts.append("no difference can be seen between \(name) and \(HumanUnits.list(same))") }
    let sentence = parts.joined(separator: "; ")
    return sentence.prefix(1).uppercased() + sentence.dropFirst() + "." + remark(on: compared)
  }

  /// A cell as another is compared with it.
  private struct Related {
    let name: String
    let comparison: Comparison
  }

  private func alike(in compared: [Related]) -> [String] {
    compared.filter { $0.comparison.verdict == .indistinguishable }.map { "\($0.name) (\($0.comparison.wording))" }
  }

  private func remark(on compared: [Related]) -> String {
    compared.contains { $0.comparison.verdict == .undecided }
      ? " Where no interval is given there were too few rounds for one, and the difference may be chance." : ""
  }

  /// Plain SQLite; where a sweep has it do its work in several ways, each of them.
  private var reference: MarkdownItem? {
    let references = scenario.cells.filter(\.cell.isReference).map { told(reference: $0) }
    switch references.count {
    case 0:
      return MarkdownItem(
        "**The reference.** None was measured: this run has no reference cell.")
    case 1: return MarkdownItem("**The reference.** \(references[0])")
    default: return MarkdownItem("**The reference.**", references)
    }
  }

  private func told(reference: CellResults) -> String {
    let name = Markdown.code(reference.label)
    guard let wall = reference.main?.wall else {
      return "\(name) has no time: \(Markdown.escaped(reference.absenceOfTime(in: reference.mainPhase)))."
    }
    let others = scenario.cells.filter { cell in
      !cell.cell.isReference && !cell.cell.showsHarnessCost && reference.cell.isReference(of: cell.cell)
    }
    let all = others.compactMap { cell in
      cell.main?.timesReference.map { Related(name: Markdown.code(cell.label), comparison: Comparison(ratio: $0)) }
    }
    let compared =
      all.count > Story.mostListed
      ? shortened(all.sorted { $0.comparison.ratio.median < $1.comparison.ratio.median }) : all
    var parts: [String] = []
    let different = compared.filter { $0.comparison.verdict != .indistinguishable }.map { related in
      let ratio = related.comparison.ratio
      return [related.name, Digits.significant(ratio.median), "times", HumanUnits.ratioInterval(ratio)]
        .compactMap(\.self).joined(separator: " ")
    }
    if !different.isEmpty { parts.append(HumanUnits.list(different)) }
    let same = alike(in: compared)
    if !same.isEmpty { parts.append("no difference can be seen from \(HumanUnits.list(same))") }
    let told =
      compared.count < all.count ? "the nearest two and the furthest, in the same rounds" : "in the same rounds"
    let relations = parts.isEmpty ? "" : " Against it, \(told): \(parts.joined(separator: "; "))."
    return "Plain SQLite, \(name), takes \(HumanUnits.time(wall)).\(relations)\(remark(on: compared))"
  }
}
