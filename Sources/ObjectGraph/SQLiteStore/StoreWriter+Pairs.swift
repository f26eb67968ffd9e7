// Pairs of many-to-many relationships: adds, moves and removes rows of join tables.
internal import CoreDataModel
internal import SQLiteDriver

extension StoreWriter {
  /// Writes the pairs once all rows have their keys; removals come first.
  func apply(_ changes: [JoinChange], _ references: StoredReferences) throws(SQLiteError) {
    for change in changes { if case .remove = change.kind { try apply(change, references) } }
    for change in changes {
      if case .remove = change.kind { continue }
      try apply(change, references)
    }
  }

  private func apply(_ change: JoinChange, _ references: StoredReferences) throws(SQLiteError) {
    func key(_ key: Int64) -> Int64? { key < 0 ? references.keys[key] : key }
    // A new object that was not stored is in no pair.
    guard let source = key(change.source), let destination = key(change.destination) else { return }
    let ends = change.ends
    let statement: Statement
    var positions: [Int32?] = []
    let pair = "\(ends.sourceColumn) = ? AND \(ends.destinationColumn) = ?"
    switch change.kind {
    case .remove: statement = try self.statement("DELETE FROM \(ends.table) WHERE \(pair)")
    case .move(let position):
      guard let column = ends.orderColumn else { return }
      statement = try self.statement(
        "UPDATE \(ends.table) SET \(column) = ?3 WHERE \(ends.sourceColumn) = ?1 AND "
          + "\(ends.destinationColumn) = ?2")
      positions = [position]
    case .add(let position, let inversePosition):
      let orders = [ends.orderColumn, ends.inverseOrderColumn].compactMap(\.self)
      positions =
        (ends.orderColumn == nil ? [] : [position]) + (ends.inverseOrderColumn == nil ? [] : [inversePosition])
      let columns = [ends.sourceColumn, ends.destinationColumn] + orders
      // Another context may already have added the same pair; then only its positions are new.
      let update =
        orders.isEmpty ? "NOTHING" : "UPDATE SET " + orders.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
      statement = try self.statement(
        "INSERT INTO \(ends.table) (\(columns.joined(separator: ", "))) VALUES ("
          + columns.map { _ in "?" }.joined(separator: ", ") + ")"
          + " ON CONFLICT (\(ends.sourceColumn), \(ends.destinationColumn)) DO \(update)")
    }
    try statement.bind(source, at: 1)
    try statement.bind(destination, at: 2)
    for (index, position) in positions.enumerated() {
      if let position {
        try statement.bind(Int64(position), at: index + 3)
      } else {
        try statement.bindNull(at: index + 3)
      }
    }
    try statement.run()
  }

  /// Removes a row, for example a deleted one, from the pairs of an entity's relationships.
  func removePairs(
    of layout: EntityLayout, key: Int64, where isMeant: (ToManyLayout) -> Bool = { _ in true }
  ) throws(SQLiteError) {
    for toMany in layout.toManyRelationships where isMeant(toMany) {
      guard case .join(let ends) = toMany.storage else { continue }
      let columns = ends.isReflexive ? [ends.sourceColumn, ends.destinationColumn] : [ends.sourceColumn]
      if derivedRoots.contains(model.layouts[toMany.destinationIndex].rootIndex) {
        try noteUnpaired(toMany, ends, key: key)
      }
      for column in columns {
        let statement = try statement("DELETE FROM \(ends.table) WHERE \(column) = ?")
        try statement.bind(key, at: 1)
        try statement.run()
      }
    }
  }

  /// Records the rows that form pairs with a row.
  private func noteUnpaired(_ toMany: ToManyLayout, _ ends: ToManyLayout.JoinEnds, key: Int64) throws(SQLiteError) {
    let root = model.layouts[toMany.destinationIndex].rootIndex
    var queries = ["SELECT \(ends.destinationColumn) FROM \(ends.table) WHERE \(ends.sourceColumn) = ?"]
    if ends.isReflexive {
      queries.append("SELECT \(ends.sourceColumn) FROM \(ends.table) WHERE \(ends.destinationColumn) = ?")
    }
    for query in queries {
      let statement = try statement(query)
      defer { statement.reset() }
      try statement.bind(key, at: 1)
      while try statement.step() { noteUnpaired(.init(root: root, key: statement.int64(0))) }
    }
  }
}
