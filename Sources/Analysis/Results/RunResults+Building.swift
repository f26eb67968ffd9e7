// From what was measured to what is reported: a pure function, so that a journal always gives the same results.
internal import CoreDataModel
package import BatchmarkEngine
package import Harness
internal import Instruments
internal import ObjectGraph
package import Scenarios

extension RunResults {
  /// Builds the results of a run, whether or not it came to its end; `strategy` tells what a cell's engine says of
  /// its strategy.
  package init(
    run: RunRecord, environment: [EnvironmentFact], plan: RunPlan, ledger: RunLedger,
    strategy: (Cell) -> Strategy?
  ) {
    self.init(
      run: run, environment: environment,
      scenarios: plan.scenarios.map { planned in
        ScenarioResults(planned, plan: plan, ledger: ledger, strategy: strategy)
      })
  }

  /// Whether a sample failed, or was taken for wrong after the run.
  package var hasFailures: Bool { scenarios.contains { $0.cells.contains { !$0.failures.isEmpty } } }
}

extension ScenarioResults {
  package init(_ planned: PlannedScenario, plan: RunPlan, ledger: RunLedger, strategy: (Cell) -> Strategy?) {
    let scenario = planned.scenario
    let ids = Set(scenario.cells.map(\.id))
    let judged = ContentJudgement(
      samples: ledger.samples.filter { ids.contains($0.cell) }, cells: scenario.cells)
    let failures = ledger.failures.filter { ids.contains($0.cell) } + judged.failures
    let setAside = SetAsideRounds(failures: failures, samples: judged.samples)
    func samples(of cell: Cell) -> [Sample] { judged.samples.filter { $0.cell == cell.id } }
    /// Those of the reference that did the same work, of the rounds whose times are used.
    func reference(of cell: Cell) -> [Sample] {
      let ending = StoreEnding(samples(of: cell))
      let reference = scenario.cells.first { $0.isReference(of: cell) && StoreEnding(samples(of: $0)) == ending }
      return reference.map { samples(of: $0).filter { !setAside.contains($0) } } ?? []
    }

    let hasRelationships = scenario.isReplay && scenario.storedEntities.contains { !$0.relationships.isEmpty }
    let ends = plan.earlyStops(of: planned, in: ledger)
    let cells = scenario.cells.map { cell -> CellResults in
      let samples = samples(of: cell)
      let failed = failures.filter { $0.cell == cell.id }
      let words = strategy(cell)
      let stop = ends[cell.id]
      let expected = plan.samples.count { $0.cell == cell && !($0.pass == .timing && $0.round > stop?.round ?? .max) }
      let isLeftAlone =
        hasRelationships && (words?.relationships == RelationshipStorage.none || cell[.relationships] == .none)
      let isLinkedLater =
        (!scenario.links.isEmpty || hasRelationships)
        && words?.relationships.isAfterwards(ofStore: hasRelationships) == true
      var results = CellResults(
        cell: cell, summary: words?.summary ?? "",
        givesUp: (words?.givesUp ?? [])
          + (isLinkedLater && !isLeftAlone ? ["no relationships, which are linked afterwards"] : [])
          + (isLeftAlone ? ["no relationships"] : []),
        phases: PhaseSummary.all(of: samples, reference: reference(of: cell), setAside: setAside),
        samples: samples, failures: failed,
        missing: expected - samples.count - failed.count)
      results.gloss = words?.gloss
      results.stop = stop?.reason
      results.durations = PassDuration.all(of: cell, in: ledger)
      return results
    }
    self.init(
      name: scenario.name, description: scenario.description, file: scenario.file,
      fingerprint: scenario.fingerprint, source: planned.source, rows: planned.rows,
      mergePolicy: scenario.mergePolicy?.mergeType.rawValue, change: ChangeRecord(scenario.operation),
      repeats: scenario.repeats, pragmas: judged.samples.first?.pragmas ?? scenario.pragmas,
      rounds: plan.rounds(of: .timing, in: planned), contentHash: judged.sharedHash,
      cells: cells, budgets: scenario.budgets,
      settings: planned.overrides)
    modelRemarks = scenario.modelRemarks
    leftOut = planned.leftOut.count
  }
}

extension Cell {
  /// Whether times are given as multiples of this cell's: that of the role without a parameter, but for the one that says
  /// which work is done.
  package var isReference: Bool {
    role == .reference && ownParameters.keys.allSatisfy { $0 == ParameterKey.relationships.name }
  }

  /// Whether another cell's times are given as multiples of this one's: the reference that did the same work.
  package func isReference(of other: Cell) -> Bool { isReference && conditions == other.conditions }
}
