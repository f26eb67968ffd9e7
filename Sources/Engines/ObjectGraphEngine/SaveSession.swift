// Objects inserted into a context one by one, and saved by it.
internal import BatchmarkEngine
internal import ObjectGraph

/// A session that makes an object of every row and saves them.
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

  /// Makes an object of every row of several entities, relates them, and saves all at once.
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

  /// Saves the context, and resets it where the cell asks for that.
  private func save() throws {
    try context.save(tracer: stages)
    if afterSave != .keep { for linked in linkedObjects { linked.release() } }
    if afterSave == .reset {
      stages?.began(.contextReset)
      context.reset()
    }
  }
}
