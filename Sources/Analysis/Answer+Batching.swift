// What batches save in each of several libraries, where a scenario compares many.
internal import BatchmarkEngine
internal import Harness

extension Answer {
  /// An engine's fastest way in batches, against its fastest object by object.
  package struct Batching: Codable, Sendable, Hashable {
    package var engine: String
    package var save: CellID
    package var batch: CellID
    /// The time in batches divided by that object by object.
    package var time: Estimate
    package var certainty: Certainty
  }

  /// What batches save in each engine that stores rows in both ways, the most first; nil for fewer than two.
  ///
  /// - Parameters:
  ///   - ways: The ways that are weighed against the references of their work; of several kinds of work, that which most
  ///     engines do in both ways counts.
  ///   - scenario: Their scenario, with its groups.
  ///   - comparisons: What may be claimed of them.
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
