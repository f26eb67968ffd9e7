// What the commands of a history share: where it is, which branch orders it, and which series are meant.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Instruments
internal import Reports
internal import Scenarios

/// Where a history is.
struct HistoryPlace: ParsableArguments {
  @Option(
    help: ArgumentHelp("The folder of the history; \(HistoryFolder.standard) without it.", valueName: "dir"),
    completion: .directory)
  var history = HistoryFolder.standard

  var folder: HistoryFolder { HistoryFolder(history) }

  /// What the reader of a page has to say again.
  var words: [String] { history == HistoryFolder.standard ? [] : ["--history", history] }
}

/// What orders a history, and who expects what.
struct HistoryOrder: ParsableArguments {
  @Option(
    help: ArgumentHelp("The branch whose first parents order the commits; HEAD without it.", valueName: "revision"))
  var branch = HistoryRepository.head

  @Option(
    help: ArgumentHelp(
      "The file of accepted changes; \(AcceptedChangesFile.standard) without it.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var accepted = AcceptedChangesFile.standard

  var words: [String] {
    (branch == HistoryRepository.head ? [] : ["--branch", branch])
      + (accepted == AcceptedChangesFile.standard ? [] : ["--accepted", accepted])
  }
}

/// Which series are meant; all without any word.
struct HistorySelection: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only cells that have this scenario, engine, strategy, key=value or id (repeatable).", valueName: "cell"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only this figure: \(HistoryKey.timesReference), or the column of an exact counter (repeatable).",
      valueName: "figure"))
  var metric: [String] = []

  var isEmpty: Bool { only.isEmpty && metric.isEmpty }

  func selects(_ key: HistoryKey) -> Bool {
    (metric.isEmpty || metric.contains(key.figure))
      && (only.isEmpty || only.contains { HistorySelection.words(of: key.cell).contains($0) })
  }

  /// The words that select a cell by its id, as `--only` of a run has them.
  static func words(of cell: String) -> Set<String> {
    let parts = cell.split(separator: "/", maxSplits: 2).map(String.init)
    guard parts.count == 3 else { return [cell] }
    let strategy = String(parts[2].prefix { $0 != "[" })
    let parameters = parts[2].dropFirst(strategy.count + 1).dropLast().split(separator: ",").map(String.init)
    return Set(
      [cell, parts[0], parts[1], parts[2], strategy, "\(parts[1])/\(strategy)", "\(parts[1])/\(parts[2])"] + parameters)
  }

  /// Refuses a figure that no series can be of.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/invalidFile``, and the nearest word.
  func checkMetrics() throws(CommandError) {
    let known = [HistoryKey.timesReference] + MetricID.allCases.filter(\.isJudged).map(\.rawValue)
    guard let word = metric.first(where: { !known.contains($0) }) else { return }
    let nearest = nearestWord(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
    throw CommandError(
      .invalidFile,
      "--metric \(word): expected \(HistoryKey.timesReference) or the column of an exact counter\(nearest)")
  }

  /// Refuses a word that selects none of the cells.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/usage``.
  func checkCells(among series: [HistorySeries]) throws(CommandError) {
    let cells = Set(series.map(\.key.cell))
    guard let word = only.first(where: { word in !cells.contains { HistorySelection.words(of: $0).contains(word) } })
    else { return }
    let named = cells.sorted().prefix(20).joined(separator: ", ")
    let others = cells.count > 20 ? " and \(cells.count - 20) more" : ""
    throw CommandError(.usage, "--only \(word): found no such cell in the history; the cells are \(named)\(others)")
  }
}
