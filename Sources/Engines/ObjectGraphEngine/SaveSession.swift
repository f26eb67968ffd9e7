// Inserts objects into a context one by one, and saves it.
internal import BatchmarkEngine
internal import ObjectGraph

/// A session that makes an object for every row and saves them.
final class SaveSession: StackSession, InsertSession {
  let stack: ObjectGraphStack
  private let saveEvery: RowCount
  private let afterSave: AfterSave
  private let storesRelationships: Bool
  private let linkedObjects: [LinkedObjects]
  private var context: ManagedObjectContext

  init(_ setup: StoreSetup, _ cell: Cell) throws {
    stack = try ObjectGraphStack(setup, cell)
    saveEvery = cell[.saveEvery]
    afterSave = cell[.afterSave]
    storesRelationships = cell[.relationships] == .all
    linkedObjects = setup.links.map(LinkedObjects.init)
    context = stack.makeContext()
  }

  func insert(_ rows: SourceRows) throws {
    if let pieces = rows.pieces { return try save(rows, in: pieces) }
    if rows.tables.count > 1 || !rows.relationships.isEmpty {
      return try context.performAndWait { try saveGraph(rows) }
    }
    guard let table = rows.tables.first else { return }
    let source = RowSource(table)
    let step = saveEvery.limited(to: table.count)
    for start in stride(from: 0, to: table.count, by: step) {
      let range = start..<min(start + step, table.count)
      try context.performAndWait { try store(source, of: table.entityName, range: range) }
      if afterSave == .newContext, range.upperBound < table.count {
        stages?.began(.contextRenewal)
        context = stack.makeContext()
      }
    }
  }

  /// Makes the objects of one save.
  private func store(_ source: RowSource, of entityName: String, range: Range<Int>) throws {
    stages?.began(.objectCreation)
    for row in range {
      let object = try context.insertNewObject(forEntityName: entityName)
      source.fill(object, row: row)
      for linked in linkedObjects { try linked.link(object, in: context) }
    }
    try save()
  }

  /// Makes an object for every row of several entities, relates them, and saves all at once.
  private func saveGraph(_ source: SourceRows) throws {
    stages?.began(.objectCreation)
    var objects: [[ManagedObject]] = []
    for table in source.tables {
      let rows = RowSource(table)
      var made: [ManagedObject] = []
      made.reserveCapacity(table.count)
      for row in 0..<table.count {
        let object = try context.insertNewObject(forEntityName: table.entityName)
        rows.fill(object, row: row)
        made.append(object)
      }
      objects.append(made)
    }
    if storesRelationships {
      stages?.began(.objectLinking)
      var lists = ObjectLists()
      for related in source.relationships {
        for pair in related.pairs {
          try related.relate(
            objects[related.table][pair.row], to: objects[pair.destinationTable][pair.destinationRow], by: pair, &lists)
        }
      }
      try lists.set()
    }
    try save()
  }

  /// Makes, relates and saves the objects of one piece after another.
  ///
  /// Objects that a later piece refers to are kept by ID.
  private func save(_ source: SourceRows, in pieces: GraphPieces) throws {
    let tables = source.tables.map { (name: $0.entityName, rows: RowSource($0)) }
    var known: [GraphPieces.Row: ManagedObjectID] = [:]
    for (number, piece) in pieces.pieces.enumerated() {
      try context.performAndWait {
        stages?.began(.objectCreation)
        var objects: [GraphPieces.Row: ManagedObject] = [:]
        objects.reserveCapacity(piece.rows.count)
        for row in piece.rows {
          let object = try context.insertNewObject(forEntityName: tables[row.table].name)
          tables[row.table].rows.fill(object, row: row.row)
          objects[row] = object
        }
        if storesRelationships {
          stages?.began(.objectLinking)
          func object(_ table: Int, _ row: Int) throws -> ManagedObject? {
            let row = GraphPieces.Row(table: table, row: row)
            return try objects[row] ?? known[row].map { try context.object(with: $0) }
          }
          var lists = ObjectLists()
          for (relationship, pair) in piece.pairs {
            let related = source.relationships[relationship]
            guard let owner = try object(related.table, pair.row),
              let destination = try object(pair.destinationTable, pair.destinationRow)
            else { continue }
            try related.relate(owner, to: destination, by: pair, &lists)
          }
          try lists.set()
        }
        try stack.setup.request { try context.save(tracer: stages) }
        for row in piece.rows where pieces.neededLater.contains(row) { known[row] = objects[row]?.objectID }
        objects = [:]
        try endPiece()
      }
      if afterSave == .newContext, number < pieces.pieces.count - 1 {
        stages?.began(.contextRenewal)
        context = stack.makeContext()
      }
    }
  }

  /// Saves the context, and resets it if the cell asks for that.
  private func save() throws {
    try stack.setup.request { try context.save(tracer: stages) }
    try endPiece()
  }

  /// Resets the context if the cell asks for that.
  private func endPiece() throws {
    if afterSave != .keep { for linked in linkedObjects { linked.release() } }
    if afterSave == .reset {
      stages?.began(.contextReset)
      context.reset()
    }
  }
}
