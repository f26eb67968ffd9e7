// One scenario of a run: its question, its cells with every figure, and the conclusions.
internal import Harness
internal import Instruments
package import BatchmarkEngine
package import Scenarios

/// One scenario's part of a run.
package struct ScenarioReport: Codable, Sendable {
  package var name: String
  package var description: String
  package var file: String
  package var fingerprint: String
  /// A description of the source.
  package var source: String
  /// The number of rows in the source.
  package var rows: Int
  /// The merge policy's word in scenario files; `nil` if the scenario has none.
  package var mergePolicy: String?
  /// The change of existing rows; `nil` for an insert.
  package var change: ChangeRecord?
  /// How many times the rows were ingested.
  package var repeats: Int
  /// The pragmas as read from every store.
  package var pragmas: [StorePragma]
  /// The requested number of timed rounds.
  package var rounds: Int
  /// The common hash of all cells; `nil` if they disagree or no sample succeeded.
  package var contentHash: String?
  /// The exact metric that the question asks about; `nil` for time.
  package var about: MetricID?
  /// The other metrics that the question names, in its order; `nil` if there are none.
  package var alsoAbout: [MetricID]?
  /// In the scenario's order.
  package var cells: [CellReport]
  /// The budgets for the figures.
  package var budgets: [Budget]
  /// Settings of the command line.
  ///
  /// With them, the scenario's file is read as it was for the run.
  package var settings: [ScenarioOverride]
  /// The number of cells that a quick run left out.
  package var leftOut: Int
  /// Missing engines, with cells that were left out because of them; `nil` if there are none.
  package var absentEngines: [AbsentEngine]?
  /// Remarks about unsupported parts of the model's file, in whole sentences.
  package var modelRemarks: [String]
  /// The machine it was measured on, for a part of a merged run; otherwise the run's.
  package var machine: String?

  /// The groups of cells that may be compared with each other.
  package internal(set) var groups: [ComparableGroup] = []
  /// The answer to the question; `nil` before the analysis.
  package internal(set) var answer: Answer?
  /// The findings that matter for the question, in display order.
  package internal(set) var mainFindings: [Finding] = []
  /// All other findings.
  package internal(set) var details: [Finding] = []
  /// The number of claims about two cells' times that were tested together.
  package internal(set) var claims = 0

  /// Adds the figures that depend on several cells: the ratios to the reference.
  package init(
    name: String, description: String, file: String, fingerprint: String, source: String, rows: Int,
    mergePolicy: String?, change: ChangeRecord? = nil, repeats: Int = 1, pragmas: [StorePragma], rounds: Int,
    contentHash: String?, cells: [CellReport], budgets: [Budget] = [], settings: [ScenarioOverride] = [],
    leftOut: Int = 0, modelRemarks: [String] = [], machine: String? = nil
  ) {
    self.name = name
    self.description = description
    self.file = file
    self.fingerprint = fingerprint
    self.source = source
    self.rows = rows
    self.mergePolicy = mergePolicy
    self.change = change
    self.repeats = repeats
    self.pragmas = pragmas
    self.rounds = rounds
    self.contentHash = contentHash
    self.cells = cells
    self.budgets = budgets
    self.settings = settings
    self.leftOut = leftOut
    self.modelRemarks = modelRemarks
    self.machine = machine
    for index in cells.indices { self.cells[index].phases = phasesAgainstReference(of: cells[index]) }
  }

  package var findings: [Finding] { mainFindings + details }

  /// The measured operation.
  package var operation: Operation.Kind { change?.operation ?? .insert }

  /// The swept settings of source, store and scenario; empty if only parameters of cells are swept.
  package var sweptConditions: [SweptValues] { cells.map(\.cell).sweptConditions }

  /// The swept values of a key, in the order of the cells; `nil` if it was not swept.
  package func sweptValues(of key: String) -> [ParameterValue]? { sweptConditions.first { $0.key == key }?.values }

  /// The fewest and the most timed rounds of its cells: the requested number, except for cells that stopped earlier, or
  /// lack samples because the run was interrupted.
  package var roundsOfCells: ClosedRange<Int> {
    let taken = cells.map { cell in
      cell.stop == nil && cell.missing == 0
        ? rounds : cell.samples.count { $0.pass == .timing } + cell.failures.count { $0.pass == .timing }
    }
    return (taken.min() ?? rounds)...(taken.max() ?? rounds)
  }
}

extension ScenarioReport {
  /// The phases of a cell with the ratios of their times to the reference's.
  private func phasesAgainstReference(of cell: CellReport) -> [PhaseReport] {
    let reference = reference(of: cell)
    return cell.phases.map { phase in
      var phase = phase
      phase.timesReference = timesReference(of: phase, in: cell, against: reference)
      return phase
    }
  }

  /// The time of a phase as a multiple of the reference's, or why there is none.
  private func timesReference(
    of phase: PhaseReport, in cell: CellReport, against reference: CellReport?
  ) -> Measured<Estimate> {
    guard let reference else {
      let references = cells.filter(\.cell.isReference)
      if references.isEmpty { return .absent("this run has no reference cell") }
      guard let own = references.first(where: { $0.cell.isReference(of: cell.cell) }) else {
        return .absent("this run has no reference cell with the same swept values")
      }
      return .absent(own.samples.isEmpty ? "the reference has no sample" : "the reference did other work")
    }
    let (own, others) = (walls(of: cell, in: [phase.phase]), walls(of: reference, in: [phase.phase]))
    if let ratio = Estimate(ratioOf: own, to: others) { return .figure(ratio) }
    if let reason = phase.wall.reason { return .absent(reason) }
    let noTime = (reference.summary(of: phase.phase) ?? PhaseReport(phase.phase, of: reference)).wall.reason
    return .absent(noTime.map { "the reference has no time: \($0)" } ?? "it shares no round with the reference")
  }
}

// MARK: - Figures about all cells together

extension ScenarioReport {
  /// The number of rows in the scenario.
  package struct RowCounts: Sendable, Hashable {
    /// The rows of the smallest source, if they are swept.
    package let least: Int?
    /// The rows of the largest source.
    package let most: Int
    /// The number of updated, deleted or fetched rows; `nil` for an insert, and if no sample succeeded.
    package let changed: Int?
    /// The smallest such number, if cells differ in it.
    package let changedLeast: Int?
  }

  package var rowCounts: RowCounts {
    // Only measured sizes of a sweep count: a quick run leaves out large ones.
    let sizes = sweptValues(of: "rows").map { _ in
      cells.compactMap { cell -> Int? in
        if case .count(let rows) = cell.cell.parameters["rows"] { rows } else { nil }
      }
    }
    let largest = sizes?.max() ?? rows
    // Only for a single size, because a sweep over rows has its own sentences.
    let changed = operation == .insert ? [] : cells.compactMap { $0.summary(of: $0.mainPhase)?.rows }
    let most = sizes == nil ? changed.max() : changed.first
    return RowCounts(
      least: sizes?.min().flatMap { $0 < largest ? $0 : nil }, most: largest,
      changed: most, changedLeast: sizes == nil ? changed.min().flatMap { $0 == most ? nil : $0 } : nil)
  }

  package var contents: ContentsAgreement { ContentsAgreement(self) }

  package var links: SharedLinks? { SharedLinks(self) }

  package var tally: SampleTally { SampleTally(cells) }

  package var failures: [FailureGroup] { FailureGroup.all(in: self) }

  package var strategies: [StrategyNote] { StrategyNote.all(in: self) }

  /// Exact passes with several samples of some cell, which show whether figures repeat.
  package var repeatedPasses: [Pass] {
    [Pass.counters, .memory].filter { pass in
      cells.contains { cell in cell.samples.count { $0.pass == pass } > 1 }
    }
  }

  /// The ratios of a cell's main phase time to the reference's in the common rounds.
  package func ratios(of cell: CellReport) -> [Double] {
    reference(of: cell).map { Estimate.ratios(of: mainWalls(of: cell), to: mainWalls(of: $0)) } ?? []
  }
}

/// The scenario's change of existing rows, as text.
package struct ChangeRecord: Codable, Sendable, Hashable {
  package var operation: Operation.Kind
  /// The predicate that selected the rows; `nil` for all of them, and if cells differ in it.
  package var condition: String?
  /// The order, the part, the relationships and the groups of a fetch; `nil` for a plain fetch.
  package var manner: String?
  /// `predicate=strong: magnitude >= 6`, one for each query if cells have different ones; `nil` if they have the same.
  package var conditions: [String]?
  /// `magnitude = 5.5`, one for each attribute that was set.
  package var assignments: [String]

  package init(operation: Operation.Kind, condition: String?, assignments: [String]) {
    self.operation = operation
    self.condition = condition
    self.assignments = assignments
  }

  /// `nil` for an insert.
  package init?(_ scenario: Scenario) {
    let operation = scenario.operation
    if operation == .insert { return nil }
    self.init(
      operation: operation.kind, condition: operation.query.chosen,
      assignments: operation.assignments.map { "\($0)" })
    manner = operation.query.manner
    if let version = operation.version {
      let isOne = Set(scenario.variants.values.compactMap(\.operation.version?.name)).count <= 1
      manner = isOne ? "to the version \(version.name)" : nil
    }
    guard Set(scenario.variants.values.map(\.operation.query)).count > 1 else { return }
    (condition, manner) = (nil, nil)
    var known: Set<FetchQuery> = []
    // In the order of the cells.
    conditions = scenario.cells.compactMap { cell in
      let query = scenario.variant(for: cell).operation.query
      guard known.insert(query).inserted else { return nil }
      return Cell.text(of: cell.conditions.filter { ScenarioReport.queryKeys.contains($0.key) }) + ": \(query)"
    }
  }
}
