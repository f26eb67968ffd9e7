// What the commands of a history share: where it is, which branch orders it, and which series are meant.
internal import Instruments
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Reports
internal import BatchmarkEngine
internal import Scenarios

/// The folder of a history.
struct HistoryPlace: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder of the history; \(HistoryFolder.standard) by default.", valueName: "dir"),
    completion: .directory)
  var history = HistoryFolder.standard

  var folder: HistoryFolder { HistoryFolder(history) }

  /// What the reader of a page has to say again.
  var words: [String] { history == HistoryFolder.standard ? [] : ["--history", history] }
}

/// What orders a history, and the expected changes.
struct HistoryOrder: ParsableArguments {
  @Option(
    help: ArgumentHelp("The branch whose first parents order the commits; HEAD by default.", valueName: "revision"))
  var branch = HistoryRepository.head

  @Option(
    help: ArgumentHelp(
      "The file of accepted changes; \(AcceptedChangesFile.standard) by default.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var accepted = AcceptedChangesFile.standard

  var words: [String] {
    (branch == HistoryRepository.head ? [] : ["--branch", branch])
      + (accepted == AcceptedChangesFile.standard ? [] : ["--accepted", accepted])
  }
}

/// Which series are meant; all without any word.
struct HistorySelection: ParsableArguments {
  @OptionGroup var cells: CellOptions

  @Option(
    help: ArgumentHelp(
      "Only this figure: \(HistoryKey.timesReference), or an exact counter such as heap_peak, or checkpoint.syncs of one phase (repeatable).",
      valueName: "figure"))
  var metric: [String] = []

  var isEmpty: Bool { cells.only.isEmpty && cells.skip.isEmpty && metric.isEmpty }

  /// Which series are meant.
  ///
  /// - Throws: ``CommandError`` for an invalid regular expression.
  func choice() throws(CommandError) -> (HistoryKey) -> Bool {
    let selection = try CellSelection(only: cells.only, skip: cells.skip)
    let figures = metric.compactMap(HistorySelection.figure)
    return { key in
      (metric.isEmpty
        || figures.contains { $0.column == key.figure && ($0.phase == nil || $0.phase == key.phase) })
        && selection.selects(id: key.cell, words: HistorySelection.words(of: key.cell))
    }
  }

  /// The words that select a cell by its id, as in `--only` of a run.
  static func words(of cell: String) -> Set<String> {
    let parts = cell.split(separator: "/", maxSplits: 2).map(String.init)
    guard parts.count == 3 else { return [cell] }
    let strategy = String(parts[2].prefix { $0 != "[" })
    let parameters = parts[2].dropFirst(strategy.count + 1).dropLast().split(separator: ",").map(String.init)
    return Set(
      [cell, parts[0], parts[1], parts[2], strategy, "\(parts[1])/\(strategy)", "\(parts[1])/\(parts[2])"] + parameters)
  }

  /// The figures that a series can be of: times the reference, and every exact counter.
  private static let figures = MetricDeclaration.budgeted.filter {
    $0.isJudged || $0.column == HistoryKey.timesReference
  }

  /// The column of a figure that is named in full, or without its unit as budgets and gates name it, and the phase before
  /// it; nil for an unknown one.
  private static func figure(_ word: String) -> (column: String, phase: Phase?)? {
    let parts = word.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let phase = parts.count == 2 ? Phase(rawValue: parts[0]) : nil
    guard parts.count == 1 || phase != nil,
      let found = figures.first(where: { parts.last == $0.column || parts.last == $0.name })
    else { return nil }
    return (found.column, phase)
  }

  /// Refuses a figure that no series can be of.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/invalidFile``, and the nearest word.
  func checkMetrics() throws(CommandError) {
    guard let word = metric.first(where: { HistorySelection.figure($0) == nil }) else { return }
    let nearest =
      nearestWord(to: word, among: HistorySelection.figures.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
    throw CommandError(
      .invalidFile,
      "--metric \(word): expected \(HistoryKey.timesReference) or an exact counter, alone or behind its phase and a point\(nearest)"
    )
  }

  /// Refuses a pattern that selects none of the cells.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/usage``.
  func checkCells(among series: [HistorySeries]) throws(CommandError) {
    let ids = Set(series.map(\.key.cell)).sorted()
    try CellSelection(only: cells.only, skip: cells.skip).check(ids: ids) { pattern, index in
      pattern.selects(id: ids[index], words: HistorySelection.words(of: ids[index]))
    }
  }
}
