// Linking what a batch insert stored: its request cannot set relationships, so objects do it afterwards.
internal import ObjectGraph
internal import Scenarios
internal import Workloads

extension ObjectGraphSession {
  /// Stores an object for each name with another batch insert, then fetches the rows in pieces and relates and saves each.
  ///
  /// The context lets go of a piece once it is saved, so that of the other rows nothing but their keys is in memory.
  func linkStoredRows(_ rows: ColumnarRows) throws {
    for link in links { try storeDestinations(of: link, rows) }
    stages?.began(.fetch)
    for linked in linkedObjects { try linked.findStored(in: context) }
    let step = linkEvery.rows(of: rows.count)
    var request = FetchRequest(entityName: entityName)
    if step < rows.count { request.fetchBatchSize = step }
    let objects = try context.fetch(request)
    for start in stride(from: 0, to: objects.count, by: step) {
      stages?.began(.objectLinking)
      for object in objects[start..<min(start + step, objects.count)] { try link(object) }
      try context.save(tracer: stages)
      stages?.began(.contextReset)
      letGoOfDestinations()
      context.reset()
    }
  }

  /// Links an object to the objects that its attributes name.
  func link(_ object: ManagedObject) throws {
    for linked in linkedObjects { try linked.link(object, in: context) }
  }

  func letGoOfDestinations() {
    for linked in linkedObjects { linked.letGo() }
  }

  /// Stores an object for each name that the rows have, in the order in which they have them.
  private func storeDestinations(of link: Link, _ rows: ColumnarRows) throws {
    stages?.began(.dictionaryCreation)
    guard let index = rows.attributes.firstIndex(where: { $0.name == link.attribute }),
      case .text(let names) = rows.columns[index]
    else { return }
    let fallback: String? = if case .string(let value) = rows.attributes[index].defaultValue { value } else { nil }
    var known: Set<String> = []
    var objects: [[String: AttributeValue]] = []
    for row in 0..<rows.count {
      guard let name = names.string(at: row) ?? fallback, known.insert(name).inserted else { continue }
      objects.append([link.destinationAttribute: .string(name)])
    }
    _ = try context.execute(
      BatchInsertRequest(entityName: link.destinationEntityName, objects: objects), tracer: stages)
  }
}
