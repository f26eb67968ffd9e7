// Batch inserts in their three styles. Rows bypass the context, and objects set the relationships afterwards.
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

/// A session that stores rows with batch insert requests.
final class BatchInsertSession: StackSession, InsertSession {
  let stack: ObjectGraphStack
  let context: ManagedObjectContext
  let linkEvery: RowCount
  let links: [Link]
  let linkedObjects: [LinkedObjects]
  private let storesRelationships: Bool
  private let style: BatchStyle
  private let requestSize: RowCount
  private let walLimit: Int?
  private(set) var notes: [String] = []

  init(_ setup: StoreSetup, _ cell: Cell, style: BatchStyle) throws {
    stack = try ObjectGraphStack(setup, cell)
    self.style = style
    requestSize = cell[.requestSize]
    walLimit = cell[.walLimit].bytes
    linkEvery = cell[.linkEvery]
    links = setup.links
    linkedObjects = setup.links.map(LinkedObjects.init)
    storesRelationships = cell[.relationships] == .all
    context = stack.makeContext()
  }

  func insert(_ rows: SourceRows) throws {
    let isRelated = storesRelationships && !rows.relationships.isEmpty
    var objectIDs: [[ManagedObjectID]] = []
    for table in rows.tables {
      objectIDs.append(try insert(table, isRelated: isRelated))
    }
    if isRelated { try context.performAndWait { try relate(rows, objectIDs) } }
    if !links.isEmpty, let table = rows.tables.first { try context.performAndWait { try linkStoredRows(table) } }
  }

  /// Stores the rows of one entity.
  ///
  /// - Returns: The IDs of the rows in their order, if they will be related; otherwise none.
  private func insert(_ rows: ColumnarRows, isRelated: Bool) throws -> [ManagedObjectID] {
    let source = RowSource(rows)
    var objectIDs: [ManagedObjectID] = []
    // A handler's request takes all rows, in transactions of the given size; an array contains all rows of its request.
    let step = style == .array ? requestSize.limited(to: rows.count) : max(rows.count, 1)
    for start in stride(from: 0, to: rows.count, by: step) {
      let range = start..<min(start + step, rows.count)
      objectIDs += try context.performAndWait {
        try execute(request(source, of: rows.entityName, range: range), isRelated: isRelated)
      }
    }
    return objectIDs
  }

  private func request(_ source: RowSource, of entityName: String, range: Range<Int>) -> BatchInsertRequest {
    switch style {
    case .array, .storedRows:
      stages?.began(.dictionaryCreation)
      var objects: [RowDictionary] = []
      objects.reserveCapacity(range.count)
      for row in range {
        var values = RowDictionary(minimumCapacity: source.fields.count)
        source.fill(&values, row: row)
        objects.append(values)
      }
      return BatchInsertRequest(entityName: entityName, rows: objects)
    case .dictionaryHandler:
      var row = range.lowerBound
      return BatchInsertRequest(entityName: entityName) { (values: inout [String: AttributeValue]) in
        guard row < range.upperBound else { return true }
        source.fill(&values, row: row)
        row += 1
        return false
      }
    case .objectHandler:
      var row = range.lowerBound
      return BatchInsertRequest(entityName: entityName) { (object: ManagedObject) in
        guard row < range.upperBound else { return true }
        source.fill(object, row: row)
        row += 1
        return false
      }
    }
  }

  /// Performs a request in transactions of the cell's size, and collects changes for the observer.
  ///
  /// - Returns: The IDs of the stored rows, if they will be related.
  private func execute(_ request: BatchInsertRequest, isRelated: Bool) throws -> [ManagedObjectID] {
    var request = request
    // They are set right after the rows are stored, or the cell leaves out all relationships.
    request.leavesRequiredRelationshipsEmpty = true
    if case .rows(let rows) = requestSize { request.transactionSize = rows }
    request.resultType = isRelated ? .objectIDs : stack.resultType
    var report: WriteAheadLogReport?
    if let walLimit {
      request.walSizeLimit = walLimit
      request.walReportHandler = { report = $0 }
    }
    let result = try stack.setup.request { [request] in try context.execute(request, tracer: stages) }
    stages?.began(.release)
    stack.observing?.note(result)
    if let report, report.highWaterBytes > report.limitBytes { notes.append(report.description) }
    if case .objectIDs(let objectIDs) = result { return objectIDs }
    return []
  }
}
