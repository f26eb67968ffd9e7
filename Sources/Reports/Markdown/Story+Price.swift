// What speed costs: memory, the WAL, and what a user of a strategy goes without.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

extension Story {
  /// The compared cells with a metric of the main phase, the largest first.
  private func holders(of metric: Metric) -> [(cell: CellResults, value: Int64)] {
    ranking.cells.compactMap { cell in cell.main?.metrics[metric].map { (cell, $0) } }
      .enumerated().sorted { ($1.element.value, $0.offset) < ($0.element.value, $1.offset) }.map(\.element)
  }

  /// Who has most of a metric, who least, and the winner, in words; nil when no compared cell has it.
  private func range(of metric: Metric, figure: (CellResults, Int64) -> String) -> String? {
    let holders = holders(of: metric)
    guard let most = holders.first, let least = holders.last else { return nil }
    if most.value == least.value {
      return "\(figure(most.cell, most.value)) with \(names(of: holders.map(\.cell)))."
    }
    let ends = [("most", most), ("least", least)].map { word, end in
      let cells = holders.filter { $0.value == end.value }.map(\.cell)
      return "\(word) with \(names(of: cells)), \(figure(end.cell, end.value))"
    }
    var text = ends.joined(separator: "; ")
    // Figures that differ in their last digits alone are not a multiple of one another to a reader.
    let multiple = least.value > 0 ? Digits.significant(Double(most.value) / Double(least.value)) : "1.00"
    if multiple != "1.00" { text += ": \(multiple) times as much" }
    if let winner = ranking.winner, let value = winner.main?.metrics[metric],
      value != most.value && value != least.value
    {
      text += "; with the fastest, \(names(of: [winner])), \(figure(winner, value))"
    }
    return text + "."
  }

  private func names(of cells: [CellResults]) -> String {
    HumanUnits.list(cells.map { Markdown.code($0.label) })
  }

  var memory: MarkdownItem {
    let text = range(of: .heapPeak) { cell, value in
      let perRow = HumanUnits.perRow(value, rows: cell.main?.rows ?? 0)
      return HumanUnits.bytes(value) + (perRow.map { " (\($0) bytes a row)" } ?? "")
    }
    return MarkdownItem(
      "**Memory.** Heap at its peak, above the level at the start of \(scenario.operation.noun): \(text ?? absence(of: .heapPeak))"
    )
  }

  var wal: MarkdownItem {
    if let journalMode, journalMode != "wal" {
      return MarkdownItem("**WAL.** There is none (journal_mode \(journalMode)).")
    }
    guard let peak = range(of: .walPeak, figure: { _, value in HumanUnits.bytes(value) }) else {
      return MarkdownItem("**WAL.** Its size at its peak: \(absence(of: .walPeak))")
    }
    if holders(of: .walPeak).allSatisfy({ $0.value == 0 }) {
      return MarkdownItem("**WAL.** None was written\(journalMode.map { " (journal_mode \($0))" } ?? "").")
    }
    return MarkdownItem("**WAL.** Its size at its peak: \(peak)\(writeAmplification)")
  }

  /// The write amplification of every compared cell, those that read alike together; empty when none has any.
  private var writeAmplification: String {
    var groups: [(figure: String, cells: [CellResults])] = []
    for cell in ranking.cells {
      guard let figure = cell.writeAmplification.map({ Digits.significant($0) }) else { continue }
      if let known = groups.firstIndex(where: { $0.figure == figure }) {
        groups[known].cells.append(cell)
      } else {
        groups.append((figure, [cell]))
      }
    }
    if groups.isEmpty { return "" }
    return " Write amplification, the bytes written to the WAL for each byte of the finished database: "
      + HumanUnits.list(groups.map { "\($0.figure) with \(names(of: $0.cells))" }) + "."
  }

  /// The strategies with what each leaves out; cells that differ only in parameters share a line.
  var givenUp: MarkdownItem? {
    var told: Set<String> = []
    let lines = scenario.cells.compactMap { cell -> String? in
      var strategy = cell.cell
      strategy.parameters = [:]
      strategy.conditionKeys = []
      guard told.insert(strategy.id).inserted else { return nil }
      let sentence = cell.summary.hasSuffix(".") ? String(cell.summary.dropLast()) : cell.summary
      let summary = sentence.isEmpty ? "" : " (\(Markdown.escaped(sentence)))"
      let given = cell.givesUp.isEmpty ? "nothing" : cell.givesUp.map { Markdown.escaped($0) }.joined(separator: ", ")
      return "\(Markdown.code(strategy.label))\(summary): \(given)"
    }
    return lines.isEmpty ? nil : MarkdownItem("**What each strategy gives up.**", lines)
  }

  private var journalMode: String? {
    // Where it is swept, some cells have a WAL and others have not.
    scenario.sweptValues(of: "journal_mode") == nil
      ? scenario.pragmas.first { $0.name == "journal_mode" }.map { Markdown.escaped($0.value) } : nil
  }

  private func absence(of metric: Metric) -> String {
    let reasons = Set(ranking.cells.map { $0.absence(of: metric, in: $0.mainPhase) }).sorted()
    return "not measured (\(Markdown.escaped(reasons.joined(separator: "; "))))."
  }
}
