// Which cells may be compared with each other: only those that did the same work, by the final states of their stores.
package import Harness
package import BatchmarkEngine

/// A cell's id, as in the journal and the results.
package typealias CellID = String

/// The cells of a scenario that did the same work, and what they have in common.
package struct ComparableGroup: Codable, Sendable, Hashable {
  /// A parameter that changes the work, such as `rows`, if cells of the scenario differ in it.
  package struct Condition: Codable, Sendable, Hashable {
    package var key: String
    package var value: String
  }

  /// The conditions that all its cells share.
  package var conditions: [Condition]
  /// The final state of their stores; `nil` if no sample succeeded.
  package var ending: FinalStoreState?
  /// In the scenario's order.
  package var cells: [CellID]

  /// `rows=1000,duplicates=0%`; empty if all cells have the same conditions.
  package var name: String { conditions.map { "\($0.key)=\($0.value)" }.joined(separator: ",") }
}

/// The contents of a store at the end and the durability of its commits.
///
/// Cells that differ in them did different work.
package struct FinalStoreState: Codable, Sendable, Hashable {
  /// The number of rows linked by one relationship.
  package struct Relationship: Codable, Sendable, Hashable {
    package var name: String
    package var linkedRows: Int
    /// A hash of which row is linked to which object.
    package var hash: String
  }

  package var rows: Int
  /// A hash of the attributes of all rows.
  package var contentHash: String
  /// The relationships with linked rows.
  package var relationships: [Relationship]
  /// The indexes of the tables at the end, as descriptions.
  package var indexes: [String]
  /// The pragmas that determine the durability of a commit, as read from the store.
  package var durability: [StorePragma]

  /// The number of links of all rows.
  package var linkedRows: Int { relationships.reduce(0) { $0 + $1.linkedRows } }

  /// Pragmas that determine whether a commit survives a power failure.
  private static let durabilityPragmas = ["journal_mode", "synchronous", "fullfsync", "checkpoint_fullfsync"]

  /// `nil` without samples.
  ///
  /// The samples of a cell agree, because those that do not are failures.
  package init?(_ samples: [Sample]) {
    guard let sample = samples.first else { return nil }
    let contents = sample.contents
    rows = contents.rows
    contentHash = contents.contentHash
    relationships = (contents.links ?? []).filter { $0.linkedRows > 0 }
      .map { Relationship(name: $0.relationship, linkedRows: $0.linkedRows, hash: $0.hash) }
      .sorted { $0.name < $1.name }
    indexes = contents.indexes
    durability = sample.pragmas.filter { FinalStoreState.durabilityPragmas.contains($0.name) }.sorted {
      $0.name < $1.name
    }
  }
}

extension ScenarioReport {
  /// Parameters that change the work itself, not how it is done.
  ///
  /// The store itself shows its indexes; the parameter only names the work.
  package static let workKeys =
    [
      "rows", "scale", "levels", "fan_out", "delete_rule", "duplicates", "seed", "repeat", "where", "version",
      indexesKey,
    ] + queryKeys
  /// The keys that determine which rows a fetch reads.
  static let queryKeys = ["predicate", "offset", "limit"]
  private static let indexesKey = "indexes"
  /// Whether rows are in memory, or read from the source while they are stored.
  private static let sourceRowsKey = "source_rows"
  /// The keys among them that set the number of rows.
  ///
  /// More rows are not a feature with a price.
  static let sizeKeys = ["rows", "scale"]
  /// The keys of concurrent operations.
  ///
  /// More of these is work for others, not for the cell.
  static let besideKeys = ["readers", "writers", "rate", "timeout"]

  /// The cells grouped by work, those with fewer rows first.
  ///
  /// A cell without a sample joins the first group with its conditions.
  package var equalWork: [ComparableGroup] {
    let keys = ScenarioReport.workKeys.filter { key in
      cells.contains { $0.cell.parameters[key] != nil } && Set(cells.map { setting(key, of: $0).text }).count > 1
    }
    var found: [(order: [Double], work: ComparableGroup)] = []
    let hasStreamedRows = cells.contains { $0.cell.isStreamed == true }
    // Add cells without a sample last, when the groups are known.
    let endings = cells.map { (cell: $0, ending: FinalStoreState($0.samples)) }
    for (cell, ending) in endings.filter({ $0.ending != nil }) + endings.filter({ $0.ending == nil }) {
      let settings = keys.map { setting($0, of: cell) }
      var conditions = zip(keys, settings).map { ComparableGroup.Condition(key: $0, value: $1.text) }
      if hasStreamedRows {
        let value = cell.cell.isStreamed == true ? "streamed" : "held"
        conditions.append(ComparableGroup.Condition(key: ScenarioReport.sourceRowsKey, value: value))
      }
      let named = conditions.filter { $0.key != ScenarioReport.indexesKey }
      let known = found.firstIndex { entry in
        let work = entry.work
        return ending == nil
          ? work.conditions == conditions
          : work.ending == ending && work.conditions.filter { $0.key != ScenarioReport.indexesKey } == named
      }
      if let known {
        found[known].work.cells.append(cell.cell.id)
        found[known].work.conditions.removeAll { !conditions.contains($0) }
      } else {
        found.append(
          (settings.map(\.order), ComparableGroup(conditions: conditions, ending: ending, cells: [cell.cell.id])))
      }
    }
    let order = cells.map(\.cell.id)
    return found.enumerated()
      .sorted { first, second in
        let (one, other) = (first.element.order, second.element.order)
        return one == other ? first.offset < second.offset : one.lexicographicallyPrecedes(other)
      }
      .map { entry in
        var work = entry.element.work
        work.cells = order.filter(Set(work.cells).contains)
        return work
      }
  }

  /// The results of some cells, in their order.
  package func results(of ids: [CellID]) -> [CellReport] {
    let known = Dictionary(cells.map { ($0.cell.id, $0) }) { first, _ in first }
    return ids.compactMap { known[$0] }
  }

  /// The reference for another cell's times: one with the same conditions and the same work; `nil` if there is none.
  package func reference(of cell: CellReport) -> CellReport? {
    let ending = FinalStoreState(cell.samples)
    return cells.first {
      $0.cell.isReference(of: cell.cell) && $0.cell.isStreamed == cell.cell.isStreamed
        && FinalStoreState($0.samples) == ending
    }
  }
}
