// Relates rows stored by batch inserts: a request cannot set relationships, so objects do it afterwards.
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

extension BatchInsertSession {
  /// Relates the stored rows of several entities and saves them: a piece of pairs at a time, or all at once if the
  /// model does not allow pieces.
  ///
  /// - Parameters:
  ///   - source: The stored rows.
  ///   - objectIDs: The IDs of every table's rows, in their order.
  /// - Throws: The error of a fetch or a save.
  func relate(_ source: SourceRows, _ objectIDs: [[ManagedObjectID]]) throws {
    let related = source.relationships.filter { !$0.pairs.isEmpty }
    if related.contains(where: \.needsOneSave) { return try relateAtOnce(related, source) }
    for related in related { try relate(related, source.tables[related.table].entityName, objectIDs) }
  }

  /// Relates the rows of one relationship, and saves after every piece.
  private func relate(_ related: RelatedRows, _ entityName: String, _ objectIDs: [[ManagedObjectID]]) throws {
    let pairs = related.pairs
    let step = linkEvery.limited(to: pairs.count)
    let objects = try objects(of: entityName, batchSize: step < pairs.count ? step : 0)
    var start = 0
    while start < pairs.count {
      var end = min(start + step, pairs.count)
      // Keep all pairs of one row in one piece, so that it gets all of its objects at once.
      while end < pairs.count, pairs[end].row == pairs[end - 1].row { end += 1 }
      stages?.began(.objectLinking)
      var lists = ObjectLists()
      for pair in pairs[start..<end] {
        let destination = try context.object(with: objectIDs[pair.destinationTable][pair.destinationRow])
        try related.relate(objects[pair.row], to: destination, by: pair, &lists)
      }
      try lists.set()
      try context.save(tracer: stages)
      stages?.began(.contextReset)
      context.reset()
      start = end
    }
  }

  /// Relates all rows and saves them once.
  private func relateAtOnce(_ related: [RelatedRows], _ source: SourceRows) throws {
    let objects = try source.tables.map { try self.objects(of: $0.entityName, batchSize: 0) }
    stages?.began(.objectLinking)
    var lists = ObjectLists()
    for related in related {
      for pair in related.pairs {
        try related.relate(
          objects[related.table][pair.row], to: objects[pair.destinationTable][pair.destinationRow], by: pair, &lists)
      }
    }
    try lists.set()
    try context.save(tracer: stages)
    stages?.began(.contextReset)
    context.reset()
  }

  /// The stored objects of an entity, in the order in which they were stored.
  private func objects(of entityName: String, batchSize: Int) throws -> FetchResults<ManagedObject> {
    var request = FetchRequest(entityName: entityName)
    request.includesSubentities = false
    request.fetchBatchSize = batchSize
    stages?.began(.fetch)
    return try context.fetch(request)
  }

  /// Stores an object for each name with another batch insert, then fetches the rows in pieces and relates and saves each.
  ///
  /// The context drops a piece once it is saved, so that only the keys of the other rows are in memory.
  func linkStoredRows(_ rows: ColumnarRows) throws {
    for link in links { try storeDestinations(of: link, rows) }
    stages?.began(.fetch)
    for linked in linkedObjects { try linked.findStored(in: context) }
    let step = linkEvery.limited(to: rows.count)
    var request = FetchRequest(entityName: rows.entityName)
    if step < rows.count { request.fetchBatchSize = step }
    let objects = try context.fetch(request)
    for start in stride(from: 0, to: objects.count, by: step) {
      stages?.began(.objectLinking)
      for object in objects[start..<min(start + step, objects.count)] {
        for linked in linkedObjects { try linked.link(object, in: context) }
      }
      try context.save(tracer: stages)
      stages?.began(.contextReset)
      for linked in linkedObjects { linked.release() }
      context.reset()
    }
  }

  /// Stores an object for each name in the rows, in the order of their first occurrence.
  private func storeDestinations(of link: Link, _ rows: ColumnarRows) throws {
    stages?.began(.dictionaryCreation)
    guard let index = rows.attributes.firstIndex(where: { $0.name == link.attribute }),
      case .text(let names) = rows.columns[index]
    else { return }
    let fallback: String? = if case .string(let value) = rows.attributes[index].defaultValue { value } else { nil }
    var known: Set<TextKey> = []
    var objects: [[String: AttributeValue]] = []
    for row in 0..<rows.count {
      guard let name = names.string(at: row) ?? fallback, known.insert(TextKey(name)).inserted else { continue }
      objects.append([link.destinationAttribute: .string(name)])
    }
    var request = BatchInsertRequest(entityName: link.destinationEntityName, objects: objects)
    request.leavesRequiredRelationshipsEmpty = true
    _ = try context.execute(request, tracer: stages)
  }
}
