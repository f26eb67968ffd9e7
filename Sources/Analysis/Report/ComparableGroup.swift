// Who may be compared with whom: only cells that did the same work, by what their stores ended with.
package import Harness
package import BatchmarkEngine

/// A cell's id, as in the journal and the results.
package typealias CellID = String

/// The cells of a scenario that did the same work, and what they have in common.
package struct ComparableGroup: Codable, Sendable, Hashable {
  /// A parameter that changes the work, such as `rows`, where cells of the scenario differ in it.
  package struct Condition: Codable, Sendable, Hashable {
    package var key: String
    package var value: String
  }

  /// The conditions that all its cells have.
  package var conditions: [Condition]
  /// What their stores ended with; nil where no sample succeeded.
  package var ending: FinalStoreState?
  /// In the scenario's order.
  package var cells: [CellID]

  /// `rows=1000,duplicates=0%`; empty where all cells have the same.
  package var name: String { conditions.map { "\($0.key)=\($0.value)" }.joined(separator: ",") }
}

/// What a store holds in the end and how durable its commits were: cells that differ in it did different work.
package struct FinalStoreState: Codable, Sendable, Hashable {
  /// How many rows are linked by one relationship.
  package struct Relationship: Codable, Sendable, Hashable {
    package var name: String
    package var linkedRows: Int
    /// Covers which row is linked to which object.
    package var hash: String
  }

  package var rows: Int
  /// Covers the attributes of all rows.
  package var contentHash: String
  /// The relationships by which any row is linked.
  package var relationships: [Relationship]
  /// The indexes that the tables had in the end, in words.
  package var indexes: [String]
  /// The pragmas that decide how durable a commit is, as the store answered them.
  package var durability: [StorePragma]

  /// Links of all rows together.
  package var linkedRows: Int { relationships.reduce(0) { $0 + $1.linkedRows } }

  /// Pragmas that decide whether a commit outlives a loss of power.
  private static let durabilityPragmas = ["journal_mode", "synchronous", "fullfsync", "checkpoint_fullfsync"]

  /// Nil without samples; the samples of a cell agree, or those that do not have failed.
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
  /// Parameters that change the work itself, and not how it is done.
  ///
  /// The store shows which indexes it has. The parameter only names the work.
  package static let workKeys =
    [
      "rows", "scale", "levels", "fan_out", "delete_rule", "duplicates", "seed", "repeat", "where", "version",
      indexesKey,
    ] + queryKeys
  /// The keys that decide which rows a fetch reads.
  static let queryKeys = ["predicate", "offset", "limit"]
  private static let indexesKey = "indexes"
  /// Whether rows are at hand, or read from the source while they are stored.
  private static let sourceRowsKey = "source_rows"
  /// The keys among them that set the number of rows.
  ///
  /// More rows are not a feature with a price.
  static let sizeKeys = [Scaling.key, "scale"]
  /// The keys of operations beside the cells.
  ///
  /// More of them is work for others, not for the cell.
  static let besideKeys = ["readers", "writers", "rate", "timeout"]

  /// The cells by their work, those with fewer rows first.
  ///
  /// A cell without a sample joins the first group with its conditions.
  package var equalWork: [ComparableGroup] {
    let keys = ScenarioReport.workKeys.filter { key in
      cells.contains { $0.cell.parameters[key] != nil } && Set(cells.map { setting(key, of: $0).text }).count > 1
    }
    var found: [(order: [Double], work: ComparableGroup)] = []
    let hasStreamedRows = cells.contains { $0.cell.isStreamed == true }
    // Cells without a sample come last, when the groups are known.
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

  /// The reference for another cell's times: one with its conditions that did the same work; nil if there is none.
  package func reference(of cell: CellReport) -> CellReport? {
    let ending = FinalStoreState(cell.samples)
    return cells.first {
      $0.cell.isReference(of: cell.cell) && $0.cell.isStreamed == cell.cell.isStreamed
        && FinalStoreState($0.samples) == ending
    }
  }
}
