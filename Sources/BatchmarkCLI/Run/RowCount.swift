// The number of rows of a scenario, computed before anything is measured.
internal import CoreDataModel
internal import Analysis
internal import Harness
internal import ObjectGraph
internal import BatchmarkEngine
internal import Scenarios

/// The rows of a scenario's source, and how many of them it updates or deletes.
struct RowCount {
  let rows: Int
  /// `nil` for an insert, and if counting generated rows would take too long.
  let changed: Int?
  /// The minimum size of the rows; `nil` for rows that are read from a file.
  let size: SourceSize?

  /// Counts the rows.
  ///
  /// It reads only feeds, and sources from which a change selects rows.
  ///
  /// It generates rows for at most a second or two. For a sweep the result is the largest number of any cell, and every
  /// combination is checked.
  ///
  /// - Throws: ``SourceError``; ``CommandError`` if a change selects no row.
  init(of scenario: Scenario) throws {
    let variants = try scenario.cells.distinctConditions.compactMap { scenario.variants[$0] }.map {
      try RowCount(ofOne: $0)
    }
    if let most = variants.max(by: { $0.rows < $1.rows }) {
      self = most
    } else {
      try self.init(ofOne: scenario)
    }
  }

  private init(ofOne scenario: Scenario) throws {
    guard scenario.entity != nil else {
      throw CommandError(.internalError, "scenario \(scenario.name) has no entity \(scenario.entityName)")
    }
    size = scenario.sourceSize
    if let size, !size.isSmall {
      try scenario.checkSource()
      (rows, changed) = (size.rows, nil)
      return
    }
    if case .generate(let settings) = scenario.source, scenario.operation == .insert {
      (rows, changed) = (settings.rows, nil)
      return
    }
    if scenario.isReplay, scenario.operation == .insert {
      (rows, changed) = (try scenario.sourceRows().count, nil)
      return
    }
    // Only rows of one entity are updated or deleted, and a fetch that follows relationships begins with rows of one
    // entity.
    let source = try scenario.sourceRows()
    rows = source.count
    if scenario.operation == .insert {
      changed = nil
      return
    }
    let expected = ExpectedRows.all(of: source, in: scenario.listingValues(of: source))
    // Related rows are read like the rows themselves.
    changed =
      scenario.followsRelationships
      ? ExpectedContents(of: expected, relationships: source.relationships).changedRows
      : expected.reduce(0) { $0 + $1.changedRows }
    if changed == 0 {
      // A list of values may be very long.
      let condition = "\(scenario.operation.query)"
      let wanted =
        scenario.operation.query.offset > 0
        ? "a smaller 'offset', or a 'where' that is true of more rows" : "a 'where' that is true of some rows"
      throw CommandError(
        .invalidFile,
        "\(scenario.file): found no row to \(scenario.operation.kind.rawValue) among the \(rows) of the source; expected "
          + "\(wanted), not \(condition.count > 200 ? condition.prefix(200) + "…" : condition)")
    }
  }
}
