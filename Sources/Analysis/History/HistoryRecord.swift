// A history's record of a run: ratios, exact counters, and the conditions of the measurement. There is one file per
// run, which never changes.
package import BatchmarkEngine

/// A history's record of a run.
///
/// Increment the JSON schema's version when a reader of the old layout would misread the new one.
package struct HistoryRecord: Codable, Sendable, Hashable {
  package static let currentSchemaVersion = 1

  package var schemaVersion: Int
  package var runID: String
  /// The full hash of the measured commit.
  package var commit: String
  /// UTC, ISO 8601.
  package var finished: String
  package var batchmarkVersion: String
  package var conditions: HistoryConditions
  package var scenarios: [HistoryScenario]

  package init(
    runID: String, commit: String, finished: String, batchmarkVersion: String, conditions: HistoryConditions,
    scenarios: [HistoryScenario]
  ) {
    schemaVersion = HistoryRecord.currentSchemaVersion
    self.runID = runID
    self.commit = commit
    self.finished = finished
    self.batchmarkVersion = batchmarkVersion
    self.conditions = conditions
    self.scenarios = scenarios
  }

  /// The record of a cell; `nil` if the run does not have it.
  package func cell(_ id: String) -> HistoryCell? { scenarios.flatMap(\.cells).first { $0.id == id } }

  /// The name of its file, unique to the run, so that concurrent jobs can add records.
  package var fileName: String { "\(commit.prefix(12))-\(runID).json" }
}

/// The machine and the build of a run, in a few words each.
package struct HistoryConditions: Codable, Sendable, Hashable {
  package var machine: String
  package var processor: String?
  package var compiler: String
  package var sqlite: String?
  /// `nil` in records of earlier versions, like the two below.
  package var kernel: String?
  package var governor: String?
  package var fileSystem: String?

  package init(machine: String, processor: String?, compiler: String, sqlite: String?) {
    self.machine = machine
    self.processor = processor
    self.compiler = compiler
    self.sqlite = sqlite
  }

  /// The conditions that differ from another run's, in display order.
  ///
  /// An unknown one does not count as a difference.
  package func differences(from other: HistoryConditions) -> [(name: String, before: String, after: String)] {
    zip(other.facts, facts).compactMap { old, new in
      guard let before = old.value, let after = new.value, before != after else { return nil }
      return (new.name, before, after)
    }
  }

  private var facts: [(name: String, value: String?)] {
    [
      ("machine", machine), ("processor", processor), ("compiler", compiler), ("SQLite", sqlite), ("kernel", kernel),
      ("CPU governor", governor), ("file system of the stores", fileSystem),
    ]
  }
}

/// A scenario of a run.
package struct HistoryScenario: Codable, Sendable, Hashable {
  package var name: String
  /// The path given to the run.
  package var file: String
  /// The path of the file of engines that was given to the run; `nil` if there was none, and in records of earlier
  /// versions.
  package var enginesFile: String?
  /// `key=value`, as on the command line.
  package var settings: [String]
  /// Runs with another fingerprint measured something else.
  package var fingerprint: String
  package var cells: [HistoryCell]

  package init(name: String, file: String, settings: [String], fingerprint: String, cells: [HistoryCell]) {
    self.name = name
    self.file = file
    self.settings = settings
    self.fingerprint = fingerprint
    self.cells = cells
  }
}

/// A cell of a run.
package struct HistoryCell: Codable, Sendable, Hashable {
  package var id: String
  /// The version and source id of the SQLite that the cell's program reports; `nil` for other engines, for programs
  /// that do not report it, and in records of earlier versions.
  package var programSQLite: String?
  /// The library and runtime that the cell's program reports, with their versions; `nil` for other engines, and in
  /// records of earlier versions.
  package var programVersion: String?
  package var phases: [HistoryPhase]

  package init(id: String, phases: [HistoryPhase]) {
    self.id = id
    self.phases = phases
  }
}

/// A phase of a cell.
package struct HistoryPhase: Codable, Sendable, Hashable {
  package var phase: Phase
  /// Whether it is the cell's main phase.
  package var isMain: Bool
  /// In seconds.
  ///
  /// It is not judged, because it depends on the machine as much as on the program.
  package var wall: Estimate?
  /// The wall time divided by the reference's in the same round; `nil` for the reference, without one, and in a quick
  /// run.
  package var timesReference: Estimate?
  /// The exact counters for which more is worse, by column name, without those that differed between samples.
  ///
  /// The keys are names, not ``MetricID``, so that a record stays readable when a metric is removed.
  package var counters: [String: Int64]

  package init(
    phase: Phase, isMain: Bool, wall: Estimate? = nil, timesReference: Estimate? = nil, counters: [String: Int64] = [:]
  ) {
    self.phase = phase
    self.isMain = isMain
    self.wall = wall
    self.timesReference = timesReference
    self.counters = counters
  }
}

/// How the cells of a scenario differ between two runs of a history.
package struct HistoryCellChange: Sendable, Hashable {
  package let scenario: String
  /// Cells that the earlier run does not have, in this run's order.
  package let added: [String]
  /// Cells of the earlier run that this one does not have.
  package let missing: [String]

  /// The consequence, as a sentence without a full stop.
  package var description: String {
    let parts = [
      HistoryCellChange.words("new", added), HistoryCellChange.words("no longer there", missing),
    ].compactMap(\.self)
    return "the cells of \(scenario) are not those of the last run: " + parts.joined(separator: "; ")
      + "; their series begin or end here"
  }

  private static let mostNamed = 3

  private static func words(_ what: String, _ cells: [String]) -> String? {
    guard !cells.isEmpty else { return nil }
    let more = cells.count - mostNamed
    return "\(what): " + cells.prefix(mostNamed).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}

extension HistoryRecord {
  /// How the cells of each scenario differ from its last run among some records; new scenarios are ignored.
  ///
  /// - Parameter records: The other runs, in any order.
  /// - Returns: A change for each scenario with different cells.
  package func cellChanges(since records: [HistoryRecord]) -> [HistoryCellChange] {
    let earlier = records.filter { $0.finished <= finished && $0.runID != runID }.sorted { $0.finished < $1.finished }
    return scenarios.compactMap { scenario in
      let before = earlier.reversed().lazy.flatMap(\.scenarios).first { $0.name == scenario.name }
      guard let before else { return nil }
      let (old, new) = (before.cells.map(\.id), scenario.cells.map(\.id))
      let change = HistoryCellChange(
        scenario: scenario.name, added: new.filter { !old.contains($0) }, missing: old.filter { !new.contains($0) })
      return change.added.isEmpty && change.missing.isEmpty ? nil : change
    }
  }
}
