// Makes a record from the results of a run.
internal import Harness
internal import BatchmarkEngine
internal import Scenarios
internal import Instruments

/// Why a run cannot become part of a history.
package enum HistoryObstacle: Error, Sendable, Hashable, CustomStringConvertible {
  /// The run did not record its commit.
  case noCommit
  /// Files had been changed since the commit.
  case dirty(commit: String)
  case debugBuild
  case interrupted
  case nothingMeasured
  /// This text cannot be part of the record's file name.
  case noName(String)

  package var description: String {
    switch self {
    case .noCommit:
      "the run names no commit, since its scenario is in no git repository; say with --commit which one it measured"
    case .dirty(let commit):
      "the run measured files that were changed after the commit \(commit.prefix(12)); commit them and run again"
    case .debugBuild: "the run is of a debug build, whose figures mean nothing; run again with a release build"
    case .interrupted: "the run was interrupted before every sample was taken; finish it with 'run --resume'"
    case .noName(let found):
      "the run calls itself or its commit '\(found.prefix(60))'; expected ASCII letters, digits, '-', '_' and '.', at most 100, as "
        + "runs and git have them: was its results.json changed?"
    case .nothingMeasured: "no cell of the run has a figure without failed samples; see why they failed, and run again"
    }
  }
}

extension HistoryRecord {
  /// Makes a history's record of a run.
  ///
  /// Cells with a failed or missing sample are skipped; ``leftOut(of:)`` lists them.
  ///
  /// - Parameters:
  ///   - results: The run.
  ///   - commit: The commit that it measured; `nil` for the recorded one.
  ///   - allowsDebug: Whether to accept a debug build, for tests.
  /// - Throws: ``HistoryObstacle``.
  package init(_ results: Report, commit: String?, allowsDebug: Bool = false) throws(HistoryObstacle) {
    let run = results.run
    if !run.isComparable && !allowsDebug { throw .debugBuild }
    if run.isInterrupted { throw .interrupted }
    if commit == nil, let own = run.commit, own.isDirty { throw .dirty(commit: own.id) }
    guard let id = commit ?? run.commit?.id else { throw .noCommit }
    for name in [id, run.runID] where name.isEmpty || name.utf8.count > 100 || name.hasPrefix(".") || !isName(name) {
      throw .noName(name)
    }
    func fact(_ name: String) -> String? { results.environment.first { $0.name == name }?.steadyValue }
    let scenarios = results.scenarios.map { HistoryScenario($0, in: run) }.filter { !$0.cells.isEmpty }
    if scenarios.isEmpty { throw .nothingMeasured }
    var conditions = HistoryConditions(
      machine: run.machine, processor: fact("processor"), compiler: run.toolchain, sqlite: fact("SQLite"))
    conditions.kernel = fact("kernel")
    conditions.governor = fact("CPU governor")
    conditions.fileSystem = fact("file system of the stores")
    self.init(
      runID: run.runID, commit: id, finished: run.finished, batchmarkVersion: run.batchmarkVersion,
      conditions: conditions,
      scenarios: scenarios)
  }

  /// The cells of a run that a history skips, because a sample failed or is missing.
  package static func leftOut(of results: Report) -> [String] {
    results.scenarios.flatMap(\.cells).filter { !HistoryCell.isWhole($0) }.map(\.cell.id)
  }
}

extension HistoryScenario {
  fileprivate init(_ scenario: ScenarioReport, in run: RunRecord) {
    self.init(
      name: scenario.name, file: scenario.file, settings: scenario.settings.map { "\($0.key)=\($0.value)" },
      fingerprint: scenario.fingerprint,
      cells: scenario.cells.filter(HistoryCell.isWhole).map { HistoryCell($0, isQuick: run.isQuick) })
    enginesFile = run.enginesFile
  }
}

extension HistoryCell {
  fileprivate static func isWhole(_ cell: CellReport) -> Bool {
    cell.failures.isEmpty && cell.missing == 0 && !cell.phases.isEmpty
  }

  fileprivate init(_ cell: CellReport, isQuick: Bool) {
    let phases = ComparedCell.phases.compactMap { phase -> HistoryPhase? in
      guard let summary = cell.summary(of: phase) else { return nil }
      let judged = summary.metrics.filter { $0.key.isJudged && summary.disagreements[$0.key] == nil }
      return HistoryPhase(
        phase: phase, isMain: phase == cell.mainPhase, wall: summary.wall.figure,
        timesReference: isQuick || cell.cell.isReference ? nil : summary.timesReference.figure,
        counters: Dictionary(uniqueKeysWithValues: judged.map { ($0.key.rawValue, $0.value) }))
    }
    self.init(id: cell.cell.id, phases: phases)
    programSQLite = cell.samples.lazy.compactMap(\.programSQLite).first
    programVersion = cell.samples.lazy.compactMap(\.programVersion).first
  }
}
