// One scenario of a run: its question, its cells with every figure, and what the figures allow to conclude.
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
  /// Where the rows came from, in words.
  package var source: String
  /// Rows the source gave.
  package var rows: Int
  /// The merge policy's word in scenario files; nil when the scenario has none.
  package var mergePolicy: String?
  /// What was done to rows that were there already; nil when the rows were inserted.
  package var change: ChangeRecord?
  /// How many times the rows were ingested.
  package var repeats: Int
  /// Pragmas as every store answered them.
  package var pragmas: [StorePragma]
  /// Timed rounds asked for.
  package var rounds: Int
  /// The hash all cells share; nil when they disagree or no sample succeeded.
  package var contentHash: String?
  /// The exact figure that the question is about; nil where it is about time.
  package var about: MetricID?
  /// The other figures that the question names, in its order; nil for none.
  package var alsoAbout: [MetricID]?
  /// In the scenario's order.
  package var cells: [CellReport]
  /// What the figures must keep to.
  package var budgets: [Budget]
  /// Settings of the command line, with which the scenario's file is read as it was for the run.
  package var settings: [ScenarioOverride]
  /// How many cells a quick run left out.
  package var leftOut: Int
  /// Engines whose cells were left out, since they were not here; nil for none.
  package var absentEngines: [AbsentEngine]?
  /// What the file that the model was read from leaves open, in whole sentences.
  package var modelRemarks: [String]
  /// The machine it was measured on, where it is a part of a merged run; else the run's.
  package var machine: String?

  /// The groups of cells that may be compared with each other.
  package internal(set) var groups: [ComparableGroup] = []
  /// What the question is answered with; nil before the figures were analyzed.
  package internal(set) var answer: Answer?
  /// What bears on the question, in the order to say it.
  package internal(set) var mainFindings: [Finding] = []
  /// What else can be concluded.
  package internal(set) var details: [Finding] = []
  /// How many claims about two cells' times were tested together.
  package internal(set) var claims = 0

  /// Adds to the figures of the cells what follows from several: the ratios to the reference.
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

  /// What the scenario measured.
  package var operation: Operation.Kind { change?.operation ?? .insert }

  /// The swept settings of source, store and scenario; empty if only parameters of cells are swept.
  package var sweptConditions: [SweptValues] { cells.map(\.cell).sweptConditions }

  /// The values that a sweep gave a key, in the order of the cells; nil for one that was not swept.
  package func sweptValues(of key: String) -> [ParameterValue]? { sweptConditions.first { $0.key == key }?.values }

  /// The fewest and the most timed rounds that its cells have: those asked for, except for cells that stopped earlier, or lack
  /// samples because the run was interrupted.
  package var roundsOfCells: ClosedRange<Int> {
    let taken = cells.map { cell in
      cell.stop == nil && cell.missing == 0
        ? rounds : cell.samples.count { $0.pass == .timing } + cell.failures.count { $0.pass == .timing }
    }
    return (taken.min() ?? rounds)...(taken.max() ?? rounds)
  }
}

extension ScenarioReport {
  /// The phases of a cell with the ratios of their times to those of the reference.
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

// MARK: - What a page shows about all cells together

extension ScenarioReport {
  /// How many rows the scenario is about.
  package struct RowCounts: Sendable, Hashable {
    /// The rows of the smallest source, if a sweep makes it smaller.
    package let least: Int?
    /// The rows of the largest source.
    package let most: Int
    /// The rows that are updated, deleted or fetched; nil for an insert, and if no sample succeeded.
    package let changed: Int?
    /// The fewest of them, where cells are about different rows.
    package let changedLeast: Int?
  }

  package var rowCounts: RowCounts {
    // Only the sizes of a sweep that were measured: a quick run leaves out large ones.
    let sizes = sweptValues(of: "rows").map { _ in
      cells.compactMap { cell -> Int? in
        if case .count(let rows) = cell.cell.parameters["rows"] { rows } else { nil }
      }
    }
    let largest = sizes?.max() ?? rows
    // Only for one size, because a sweep over rows has its own sentences.
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

  /// Exact passes that some cell was measured in more than once, so that it was seen whether figures repeat.
  package var repeatedPasses: [Pass] {
    [Pass.counters, .memory].filter { pass in
      cells.contains { cell in cell.samples.count { $0.pass == pass } > 1 }
    }
  }

  /// The times of a cell's main phase over the reference's, of the rounds that both have.
  package func ratios(of cell: CellReport) -> [Double] {
    reference(of: cell).map { Estimate.ratios(of: mainWalls(of: cell), to: mainWalls(of: $0)) } ?? []
  }
}

/// What a scenario did to rows that were there already, in words.
package struct ChangeRecord: Codable, Sendable, Hashable {
  package var operation: Operation.Kind
  /// The predicate that chose the rows; nil for all of them, and where cells differ in it.
  package var condition: String?
  /// The order, the part, the relationships and the groups of the rows that were read; `nil` for all rows as they are.
  package var manner: String?
  /// `predicate=strong: magnitude >= 6`, one for each query where cells have different ones; nil where they have one.
  package var conditions: [String]?
  /// `magnitude = 5.5`, one for each attribute that was set.
  package var assignments: [String]

  package init(operation: Operation.Kind, condition: String?, assignments: [String]) {
    self.operation = operation
    self.condition = condition
    self.assignments = assignments
  }

  /// Nil for an insert.
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
