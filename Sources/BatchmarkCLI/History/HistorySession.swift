// The work of the history commands: reads the records, orders them with git, judges and reports them.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports

/// A history with its records in order.
struct HistorySession {
  let repository: HistoryRepository
  let line: HistoryLine
  /// Records by file name.
  let records: [(file: String, record: HistoryRecord)]
  let foreign: [HistoryFolder.Foreign]

  /// - Throws: ``ReportError`` if the folder cannot be read, and ``CommandError`` without git, or in a clone that lacks
  ///   commits.
  init(_ place: HistoryPlace, branch: String) throws {
    let (records, foreign) = try place.folder.read()
    repository = try HistoryRepository()
    line = HistoryLine(records.map(\.record), firstParents: try repository.firstParents(of: branch))
    self.records = records
    self.foreign = foreign
    if !line.others.isEmpty, repository.isShallow {
      throw CommandError(
        .invalidFile,
        "found a shallow clone, which may lack the commits of \(line.others.count) of "
          + "\(HumanUnits.counted(records.count, "run")); expected all commits, "
          + "which order the runs: run git fetch --unshallow")
    }
  }

  /// Reports files that are not records.
  ///
  /// - Returns: The exit statuses for them.
  func complainOfForeign() -> [CommandStatus] {
    for file in foreign { Console.complain(file.description) }
    return foreign.isEmpty ? [] : [.invalidFile]
  }

  /// The selected series, judged.
  ///
  /// - Throws: ``CommandError`` if an option selects nothing, ``ReportError`` if the file of accepted changes is
  ///   invalid.
  func judgement(_ selection: HistorySelection, accepted: String) throws -> HistoryJudgement {
    try selection.checkMetrics()
    let changes = try AcceptedChangesFile.read(accepted)
    try selection.checkCells(among: line.series)
    return HistoryJudgement(line, accepted: changes, isAsked: try selection.choice())
  }

  /// The changes at a commit in the selected series, found by a check of these or of all series.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/notComparable`` if there is none.
  func changes(at revision: String, _ selection: HistorySelection, _ order: HistoryOrder) throws -> [HistoryChange] {
    let id = try repository.commit(revision)
    let places = Dictionary(uniqueKeysWithValues: line.commits.enumerated().map { ($1.id, $0) })
    func covers(_ change: HistoryChange) -> Bool {
      guard let place = places[id], let base = places[change.base], let head = places[change.head] else { return false }
      return place > base && place <= head
    }
    // As a check of all series finds them, or a check of the selected ones, where weaker evidence is enough.
    let accepted = try AcceptedChangesFile.read(order.accepted)
    let isAsked = try selection.choice()
    let all = HistoryJudgement(line, accepted: accepted).changes.filter { isAsked($0.key) }
    for found in [all, try judgement(selection, accepted: order.accepted).changes] {
      let exact = found.filter { $0.commit == id }
      let near = exact.isEmpty ? found.filter(covers) : exact
      if !near.isEmpty { return near }
    }
    throw CommandError(
      .notComparable,
      "found no change at \(HistoryCommit.name(of: id)); 'history check' lists the changes, each with its commit")
  }
}
