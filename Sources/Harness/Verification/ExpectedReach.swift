// What a fetch must reach along relationships, and which groups it must find, computed only from the source's rows.
internal import BatchmarkEngine
internal import CoreDataModel

/// The rows that are reached from the fetched rows, one entry for each time a row is reached.
enum ExpectedReach {
  /// A row that was reached, or a fetched one.
  private struct Reached {
    let table: Int
    let row: Int
    /// A hash of its values and those of the rows on the path to it.
    let hash: RowHash
  }

  /// Follows the path of the fetched table.
  ///
  /// The result is empty if no table is fetched, or if the fetch has no path.
  ///
  /// O(pairs + rows reached).
  ///
  /// - Parameters:
  ///   - entities: The rows of each entity, in the order of the source's tables.
  ///   - hashes: The hash of each row's values, by table and source row.
  ///   - relationships: The source's relationships.
  /// - Returns: A hash of each row together with those it was reached from.
  static func all(from entities: [ExpectedRows], _ hashes: [[RowHash?]], _ relationships: [RelatedRows]) -> [RowHash] {
    guard let table = entities.firstIndex(where: { $0.areFetched && !$0.path.isEmpty }) else { return [] }
    var front = entities[table].rows.filter(\.isMeant).compactMap { row in
      hashes[table][row.sourceRow].map { Reached(table: table, row: row.sourceRow, hash: $0) }
    }
    var all: [RowHash] = []
    for name in entities[table].path {
      let destinations = destinations(of: name, ofTable: front.first?.table ?? table, relationships)
      front = front.flatMap { origin in
        (destinations[origin.row] ?? []).compactMap { destination in
          hashes[destination.table][destination.row].map {
            Reached(table: destination.table, row: destination.row, hash: $0.reached(from: origin.hash))
          }
        }
      }
      all += front.map(\.hash)
    }
    return all
  }

  /// The related rows of each row of a table, from either end.
  private static func destinations(
    of name: String, ofTable table: Int, _ relationships: [RelatedRows]
  ) -> [Int: [(table: Int, row: Int)]] {
    var found: [Int: [(table: Int, row: Int)]] = [:]
    for related in relationships {
      let isForth = related.table == table && related.relationship.name == name
      let isBack = related.inverse?.name == name
      guard isForth || isBack else { continue }
      for pair in related.pairs {
        if isForth {
          found[pair.row, default: []].append((pair.destinationTable, pair.destinationRow))
        } else if pair.destinationTable == table {
          found[pair.destinationRow, default: []].append((related.table, pair.row))
        }
      }
    }
    return found
  }
}

extension ExpectedRows {
  /// The groups of the rows that a fetch selects; `nil` if it does not group.
  ///
  /// O(rows · aggregates).
  ///
  /// - Returns: A hash of each group's value and aggregates, and a sum that is too large for SQLite, if there is one.
  func groups() -> (hashes: [RowHash], overflow: Aggregate?)? {
    guard let grouping else { return nil }
    func column(_ name: String?) -> Int? { name.flatMap { name in attributes.firstIndex { $0.name == name } } }
    guard let key = column(grouping.attribute) else { return nil }
    // Group by a hash of the value's bytes: texts that are equal in Swift may differ in a store.
    var groups: [RowHash: [Row]] = [:]
    for row in rows where row.isMeant {
      var hash = RowHash()
      value(key, of: row).add(to: &hash)
      groups[hash, default: []].append(row)
    }
    var overflow: Aggregate?
    let hashes = groups.map { value, rows in
      var hash = value
      for aggregate in grouping.aggregates {
        guard let column = column(aggregate.attribute) else {
          hash.add(Int64(rows.count))
          continue
        }
        let values = rows.map { self.value(column, of: $0) }
        if aggregate.overflows(values) { overflow = aggregate }
        aggregate.add(values, to: &hash)
      }
      return hash
    }
    return (hashes, overflow)
  }
}

extension Aggregate {
  /// Whether the sum may overflow 64 bits on the way, depending on the order of the values.
  fileprivate func overflows(_ values: [StoredValue]) -> Bool {
    guard function == .sum else { return false }
    var sums: (below: Int64, above: Int64) = (0, 0)
    for integer in values.compactMap(\.integer) {
      let (sum, isTooLarge) = (integer < 0 ? sums.below : sums.above).addingReportingOverflow(integer)
      if isTooLarge { return true }
      if integer < 0 { sums.below = sum } else { sums.above = sum }
    }
    return false
  }

  /// Adds its result for some values to a hash.
  fileprivate func add(_ values: [StoredValue], to hash: inout RowHash) {
    let integers = values.compactMap(\.integer)
    let reals = values.compactMap(\.real)
    func add(_ integer: Int64?, _ real: Double?) {
      if let integer { return hash.add(integer) }
      if let real { return hash.add(real) }
      hash.addNull()
    }
    switch function {
    case .count: hash.add(Int64(values.count { !$0.isNull }))
    case .sum: add(integers.isEmpty ? nil : integers.reduce(0, &+), nil)
    case .minimum: add(integers.min(), reals.min())
    case .maximum: add(integers.max(), reals.max())
    }
  }
}
