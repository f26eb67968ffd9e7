// Maps the model's tables and columns to those of a file, whatever number a migration has left in their names.
package import CoreDataModel

/// The names of a model's tables and columns in one file.
///
/// Names depend on the numbers of entities, and on the order of entities in a hierarchy, so they are rebuilt with the
/// file's own numbers. If a migration left another number in a name, it is found by the rest of the name.
package struct StoreNameMapping {
  /// The file's names of existing tables, by the model's name of the table.
  package private(set) var tables: [String: String] = [:]
  /// The file's names of existing columns, by the model's names of table and column.
  package private(set) var columns: [String: [String: String]] = [:]
  private let file: StoreTables

  /// - Parameters:
  ///   - model: The model.
  ///   - numbers: The file's number of each entity; 0 for an entity that it does not have.
  ///   - entities: The entities of the file with their numbers.
  ///   - file: The file's tables.
  package init(_ model: CompiledModel, numbers: [Int], entities: FileEntities, file: StoreTables) {
    self.file = file
    let hierarchy = model.model.hierarchy
    let names = Dictionary(entities.entities.map { ($0.number, $0.name) }) { first, _ in first }
    for table in model.tables {
      // A renamed root has a table with its new name, or still one with the old name.
      let renamed = names[numbers[table.root]].map { "Z" + $0.uppercased() }
      guard let name = [table.name, renamed].compactMap(\.self).first(where: file.contains) else { continue }
      tables[table.name] = name
      columns[table.name] = found(EntityTable(root: table.root, in: hierarchy, numbers: numbers), for: table, in: name)
    }
    findJoinTables(model, JoinTable.tables(in: hierarchy, numbers: numbers))
  }

  /// The columns of an entity table, by their names in the model.
  private func found(_ expected: EntityTable, for table: EntityTable, in name: String) -> [String: String] {
    var found: [String: String] = [:]
    for column in table.columns {
      guard let wanted = expected.column(column.role, of: column.property, declaredBy: column.entityIndex) else {
        continue
      }
      if file.column(wanted, of: name) != nil {
        found[column.name] = wanted
      } else if column.role == .destinationEntity, let stem = NumberedName(wanted, prefix: "Z")?.stem {
        let others = (file.columns[name] ?? []).map(\.name).filter { NumberedName($0, prefix: "Z")?.stem == stem }
        if others.count == 1 { found[column.name] = others[0] }
      }
    }
    return found
  }

  // MARK: - Join tables

  /// Finds tables with the expected names first, so that the search for the others does not take one of them.
  private mutating func findJoinTables(_ model: CompiledModel, _ expected: [JoinTable]) {
    let pairs = model.joinTables.compactMap { table in
      expected.first { $0.owner.isSameEnd(as: table.owner) && $0.inverse.isSameEnd(as: table.inverse) }
        .map { (table: table, expected: $0) }
    }
    var taken: Set<String> = []
    for pair in pairs {
      let columns = Set((file.columns[pair.expected.name] ?? []).map(\.name))
      guard columns.isSuperset(of: pair.expected.keyColumns) else { continue }
      taken.insert(pair.expected.name)
      note(pair.table, in: pair.expected.name, owner: pair.expected.owner.column, inverse: pair.expected.inverse.column)
    }
    // Core Data appends a number to column names that are taken, so a name may be longer than expected.
    for isLonger in [false, true] {
      for pair in pairs where tables[pair.table.name] == nil {
        let candidates = file.columns.keys.sorted().filter { !taken.contains($0) && $0.hasPrefix("Z_") }
          .compactMap { name in ends(of: pair.expected, in: name, longer: isLonger).map { (name, $0) } }
        guard candidates.count == 1 else { continue }
        let (name, (owner, inverse)) = candidates[0]
        taken.insert(name)
        note(pair.table, in: name, owner: owner, inverse: inverse)
      }
    }
  }

  private mutating func note(_ table: JoinTable, in name: String, owner: String, inverse: String) {
    tables[table.name] = name
    var found = [table.owner.column: owner, table.inverse.column: inverse]
    for (end, column) in [(table.owner, owner), (table.inverse, inverse)] {
      let order = "Z_FOK_\(column.dropFirst(2))"
      if let wanted = end.orderColumn, file.column(order, of: name) != nil { found[wanted] = order }
    }
    columns[table.name] = found
  }

  /// The key columns of a table that match those of the join table except for the numbers in their names.
  private func ends(
    of table: JoinTable, in name: String, longer isLonger: Bool
  ) -> (owner: String, inverse: String)? {
    let keys = (file.columns[name] ?? []).map(\.name).filter { !$0.hasPrefix("Z_FOK_") }
    guard keys.count == 2 else { return nil }
    func fits(_ key: String, _ wanted: String) -> Bool {
      guard let key = NumberedName(key, prefix: "Z_"), let wanted = NumberedName(wanted, prefix: "Z_") else {
        return key == wanted
      }
      guard isLonger, key.stem.hasPrefix(wanted.stem) else { return key.stem == wanted.stem }
      let rest = key.stem.dropFirst(wanted.stem.count)
      return (rest.first == "_" ? rest.dropFirst() : rest).allSatisfy { $0.isASCII && $0.isNumber }
    }
    let ways = [(keys[0], keys[1]), (keys[1], keys[0])]
      .filter { fits($0.0, table.owner.column) && fits($0.1, table.inverse.column) }
    if ways.count < 2 { return ways.first.map { (owner: $0.0, inverse: $0.1) } }
    // If both ends have the same name, new numbers are in the order of the old ones.
    func number(_ column: String) -> Int { NumberedName(column, prefix: "Z_")?.number ?? 0 }
    let ownerIsFirst = number(table.owner.column) < number(table.inverse.column)
    let sorted = keys.sorted { number($0) < number($1) }
    return ownerIsFirst ? (sorted[0], sorted[1]) : (sorted[1], sorted[0])
  }
}

extension JoinTable.End {
  fileprivate func isSameEnd(as other: JoinTable.End) -> Bool {
    entityIndex == other.entityIndex && relationship == other.relationship
  }
}

/// A name that starts with the number of an entity: `Z1_BOOK`, or `Z_2BOOKS`.
package struct NumberedName {
  package let number: Int
  package let stem: Substring

  /// `nil` for a name that does not start that way.
  package init?(_ name: String, prefix: String) {
    guard name.hasPrefix(prefix) else { return nil }
    let rest = name.dropFirst(prefix.count)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits) else { return nil }
    self.number = number
    stem = rest.dropFirst(digits.count)
    if stem.isEmpty { return nil }
  }
}
