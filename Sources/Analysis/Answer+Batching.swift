// The time that batches save in each library, if a scenario compares many libraries.
internal import BatchmarkEngine
internal import Harness

extension Answer {
  /// An engine's fastest batch strategy, compared with its fastest object-by-object strategy.
  package struct Batching: Codable, Sendable, Hashable {
    package var engine: String
    package var save: CellID
    package var batch: CellID
    /// The time of the batch strategy divided by that of the other one.
    package var time: Estimate
    package var certainty: Certainty
  }

  /// The time that batches save in each engine with strategies of both kinds, the most first; `nil` for fewer than two
  /// engines.
  ///
  /// - Parameters:
  ///   - ways: The strategies compared with the references of their work. With several kinds of work, the one that most
  ///     engines do with both kinds of strategies counts.
  ///   - scenario: Their scenario, with its groups.
  ///   - comparisons: The claims that the samples support.
  /// - Returns: An entry for each engine.
  static func batching(
    of ways: [Alternative], in scenario: ScenarioReport, by comparisons: Comparisons
  ) -> [Batching]? {
    let weighed = Set(ways.map(\.cell))
    let works = scenario.groups.map { group in
      batching(among: scenario.results(of: group.cells.filter(weighed.contains)), by: comparisons)
    }
    guard let most = works.map(\.count).max(), most > 1, let found = works.first(where: { $0.count == most }) else {
      return nil
    }
    return found.sorted { ($0.time.median, $0.engine) < ($1.time.median, $1.engine) }
  }

  private static func batching(among cells: [CellReport], by comparisons: Comparisons) -> [Batching] {
    Dictionary(grouping: cells, by: \.cell.engine).compactMap { engine, cells in
      guard let (save, batches) = Candidates(cells).objectByObjectAndBatches, let batch = batches.first,
        let comparison = comparisons.comparison(of: batch, to: save)
      else { return nil }
      return Batching(
        engine: engine, save: save.cell.id, batch: batch.cell.id, time: comparison.ratio,
        certainty: Certainty(comparison.verdict))
    }
  }
}
