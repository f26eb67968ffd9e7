// Fetches of stored rows: whole objects, faults, objects in batches, dictionaries, object IDs, or their number.
internal import ObjectGraph
internal import Scenarios
internal import Workloads

extension ObjectGraphSession {
  /// What a fetch gave.
  enum FetchedResult {
    case none
    case objects(FetchResults)
    case dictionaries(DictionaryResults)
    /// As many rows, of which there are no values.
    case rows(Int)
  }

  func fetch(_ condition: RowCondition?) throws {
    var request = FetchRequest(entityName: entityName, predicate: condition?.predicate)
    let names = entity.attributes.map(\.name)
    try context.performAndWait {
      stages?.began(.fetch)
      switch strategy {
      case .objects, .faults, .batched:
        request.includesPropertyValues = strategy != .faults
        if case .count(let rows) = size, strategy == .batched { request.fetchBatchSize = rows }
        let objects = try context.fetch(request)
        stages?.began(.valueReading)
        for object in objects { for name in names { take(object[name]) } }
        fetchedResult = .objects(objects)
      case .dictionaries:
        let rows = try context.fetchDictionaries(request)
        stages?.began(.valueReading)
        for row in rows { for value in row.values { take(value) } }
        fetchedResult = .dictionaries(rows)
      case .objectIDs: fetchedResult = .rows(try context.fetchObjectIDs(request).count)
      case .count: fetchedResult = .rows(try context.count(for: request))
      default: throw SampleError.unsupportedOperation(.fetch)
      }
    }
  }

  func fetched() throws -> FetchedRows {
    context.performAndWait {
      var contents = ObservedContents(of: entity)
      switch fetchedResult {
      case .none: return FetchedRows(rows: 0)
      case .rows(let count): return FetchedRows(rows: count)
      case .objects(let objects): for object in objects { contents.add { object[$0] } }
      case .dictionaries(let rows): for row in rows { contents.add { row[$0] } }
      }
      return FetchedRows(rows: contents.rows, contents: contents)
    }
  }

  /// Reads a value, and keeps whether there was one, so that the reading is not left out.
  private func take(_ value: AttributeValue) {
    if !value.isNull { valuesRead += 1 }
  }
}
