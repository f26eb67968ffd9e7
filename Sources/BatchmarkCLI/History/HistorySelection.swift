// Options that the history commands share: the folder, the branch for the order, and the selected series.
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

  /// The options that a reader of the page must repeat.
  var words: [String] { history == HistoryFolder.standard ? [] : ["--history", history] }
}

/// The branch that orders a history, and the expected changes.
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

/// The selected series; all of them without any option.
struct HistorySelection: ParsableArguments {
  @OptionGroup var cells: CellOptions

  @Option(
    help: ArgumentHelp(
      "Only this figure: \(HistoryKey.timesReference), or an exact counter such as heap_peak, or checkpoint.syncs of one phase (repeatable).",
      valueName: "figure"))
  var metric: [String] = []

  var isEmpty: Bool { cells.only.isEmpty && cells.skip.isEmpty && metric.isEmpty }

  /// The selected series, as a predicate.
  ///
  /// - Throws: ``CommandError`` if a regular expression is invalid.
  func choice() throws(CommandError) -> (HistoryKey) -> Bool {
    let selection = try CellSelection(only: cells.only, skip: cells.skip)
    let figures = metric.compactMap(HistorySelection.figure)
    return { key in
      (metric.isEmpty
        || figures.contains { $0.column == key.figure && ($0.phase == nil || $0.phase == key.phase) })
        && selection.selects(id: key.cell, words: HistorySelection.words(of: key.cell))
    }
  }

  /// The words that select a cell by its id, as for `run --only`.
  static func words(of cell: String) -> Set<String> {
    let parts = cell.split(separator: "/", maxSplits: 2).map(String.init)
    guard parts.count == 3 else { return [cell] }
    let strategy = String(parts[2].prefix { $0 != "[" })
    let parameters = parts[2].dropFirst(strategy.count + 1).dropLast().split(separator: ",").map(String.init)
    return Set(
      [cell, parts[0], parts[1], parts[2], strategy, "\(parts[1])/\(strategy)", "\(parts[1])/\(parts[2])"] + parameters)
  }

  /// The possible metrics of a series: times the reference, and every exact counter.
  private static let figures = MetricDeclaration.budgeted.filter {
    $0.isJudged || $0.column == HistoryKey.timesReference
  }

  /// The column and the phase of a metric.
  ///
  /// Its name may omit the unit, as in budgets and gates; `nil` if it is unknown.
  private static func figure(_ word: String) -> (column: String, phase: Phase?)? {
    let parts = word.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let phase = parts.count == 2 ? Phase(rawValue: parts[0]) : nil
    guard parts.count == 1 || phase != nil,
      let found = figures.first(where: { parts.last == $0.column || parts.last == $0.name })
    else { return nil }
    return (found.column, phase)
  }

  /// Refuses a metric that no series can have.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/invalidFile``, with the nearest word.
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
