// Builds the report from the measurements. It is a pure function, so a journal always gives the same results.
internal import CoreDataModel
package import BatchmarkEngine
package import Harness
internal import Instruments
internal import ObjectGraph
internal import Scenarios

extension Report {
  /// Builds the results of a run, complete or not.
  ///
  /// `strategy` returns the engine's description of a cell's strategy.
  package init(
    run: RunRecord, environment: [EnvironmentFact], plan: RunPlan, ledger: RunLedger,
    strategy: (Cell) -> Strategy?
  ) {
    self.init(
      run: run, environment: environment,
      scenarios: plan.scenarios.map { planned in
        ScenarioReport(planned, plan: plan, ledger: ledger, strategy: strategy)
      })
  }
}

extension ScenarioReport {
  package init(_ planned: PlannedScenario, plan: RunPlan, ledger: RunLedger, strategy: (Cell) -> Strategy?) {
    let scenario = planned.scenario
    let ids = Set(scenario.cells.map(\.id))
    let judged = ContentJudgement(
      samples: ledger.samples.filter { ids.contains($0.cell) }, cells: scenario.cells)
    let failures = ledger.failures.filter { ids.contains($0.cell) } + judged.failures
    let setAside = SetAsideRounds(failures: failures, samples: judged.samples)
    let hasRelationships =
      scenario.operation == .insert && scenario.isReplay
      && scenario.storedEntities.contains { !$0.relationships.isEmpty }
    let ends = plan.earlyStops(of: planned, in: ledger)
    let samplesByCell = Dictionary(grouping: judged.samples, by: \.cell)
    let failuresByCell = Dictionary(grouping: failures, by: \.cell)
    let cells = scenario.cells.map { cell -> CellReport in
      let id = cell.id
      let (samples, failed) = (samplesByCell[id] ?? [], failuresByCell[id] ?? [])
      let words = strategy(cell)
      let stop = ends[id]
      let expected = plan.samples.count { $0.cell == cell && !($0.pass == .timing && $0.round > stop?.round ?? .max) }
      let isLeftAlone =
        hasRelationships && (words?.relationships == RelationshipStorage.none || cell[.relationships] == .none)
      let isLinkedLater =
        (!scenario.links.isEmpty || hasRelationships)
        && words?.relationships.isAfterwards(ofStore: hasRelationships) == true
      return CellReport(
        cell: cell, summary: words?.summary ?? "", gloss: words?.gloss,
        tradeoffs: (words?.tradeoffs ?? [])
          + (isLinkedLater && !isLeftAlone ? ["no relationships, which are linked afterwards"] : [])
          + (isLeftAlone ? ["no relationships"] : []),
        samples: samples, failures: failed, missing: expected - samples.count - failed.count, stop: stop?.reason,
        durations: PassDuration.all(of: cell, in: ledger), setAside: setAside)
    }
    self.init(
      name: scenario.name, description: scenario.description, file: scenario.file,
      fingerprint: scenario.fingerprint, source: planned.source, rows: planned.rows,
      mergePolicy: scenario.mergePolicy?.mergeType.rawValue, change: ChangeRecord(scenario),
      repeats: scenario.repeats, pragmas: judged.samples.first?.pragmas ?? scenario.pragmas,
      rounds: plan.rounds(of: .timing, in: planned), contentHash: judged.sharedHash,
      cells: cells, budgets: scenario.budgets, settings: planned.overrides, leftOut: planned.leftOut.count,
      modelRemarks: scenario.modelRemarks)
    about = scenario.about
    alsoAbout = scenario.alsoAbout.isEmpty ? nil : scenario.alsoAbout
    absentEngines = scenario.absentEngines.isEmpty ? nil : scenario.absentEngines
  }
}
