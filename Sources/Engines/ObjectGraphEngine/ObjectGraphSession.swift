// One store of the ObjectGraph engine: a stack, a context, and how each strategy feeds it.
internal import ObjectGraph
internal import Scenarios
internal import Workloads

/// A session of the `objectgraph` engine.
final class ObjectGraphSession: EngineSession {
  /// What becomes of a context once it has saved.
  private enum AfterSave: String {
    case keep, reset
    case newContext = "new_context"
  }

  let strategy: ObjectGraphEngine.StrategyName
  let size: ParameterValue
  let entityName: String
  let entity: EntityDescription
  /// What a fetch gave, held as a list on a screen holds it.
  var fetchedResult = FetchedResult.none
  /// Values that a fetch has looked at and found.
  var valuesRead = 0
  let observing: ObservingContext?
  /// What rows are linked to; empty for rows that stand alone.
  let links: [Link]
  /// The objects at the other end of each link.
  let linkedObjects: [LinkedObjects]
  /// Rows that are linked between two saves, where they are linked after they were stored.
  let linkEvery: ParameterValue
  private(set) var context: ManagedObjectContext
  private let coordinator: PersistentStoreCoordinator
  private let mergePolicy: MergePolicy
  private let afterSave: AfterSave
  /// Bytes that a batch insert may make the log grow to; nil for any.
  private let walLimit: Int?
  /// Who is told of stages; nil but in a profile.
  let stages: StageRecorder?
  private(set) var notes: [String] = []

  init(_ setup: StoreSetup, strategy: ObjectGraphEngine.StrategyName, cell: Cell) throws {
    let entity = try setup.entity
    self.strategy = strategy
    self.entity = entity
    let sizes = ["save_every", "request_size", "batch_size"]
    size = sizes.lazy.compactMap { cell.parameters[$0] }.first ?? .all
    entityName = setup.entityName
    links = setup.links
    linkedObjects = setup.links.map(LinkedObjects.init)
    let every = Cell.linkEveryParameter
    linkEvery = cell.parameters[every.name] ?? every.parameter.standard
    mergePolicy = setup.mergePolicy
    stages = setup.stages
    afterSave = cell.word("after_save").flatMap(AfterSave.init(rawValue:)) ?? .keep
    walLimit = if case .bytes(let bytes) = cell.parameters["wal_limit"] { bytes } else { nil }
    let mergeMode = cell.word("merge").flatMap(ObservingContext.MergeMode.init(rawValue:))
    var store = setup.storeDescription
    store.tracksPersistentHistory = cell.word("history") == "on" || mergeMode == .history
    coordinator = PersistentStoreCoordinator(managedObjectModel: setup.model)
    try coordinator.addPersistentStore(store)
    observing = try mergeMode.map { [coordinator] in try ObservingContext($0, coordinator: coordinator, setup) }
    context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    prepareContext()
  }

  var observer: (any SessionObserver)? { observing }

  func ingest(_ source: SourceRows) throws {
    if source.tables.count == 1, source.relationships.isEmpty { return try ingest(source.tables[0]) }
    if strategy == .save { return try context.performAndWait { try saveGraph(source) } }
    for rows in source.tables where rows.count > 0 { try ingest(rows) }
  }

  func ingest(_ rows: ColumnarRows) throws {
    let entityName = rows.entityName
    let source = RowSource(rows)
    // One request of a handler takes all rows, in transactions of the size; an array is all of its request's rows.
    let isOneRequest = strategy == .batchDictionary || strategy == .batchManagedObject
    let step = isOneRequest ? max(rows.count, 1) : size.rows(of: rows.count)
    for start in stride(from: 0, to: rows.count, by: step) {
      let range = start..<min(start + step, rows.count)
      try context.performAndWait { try store(source, of: entityName, range: range) }
      if afterSave == .newContext, range.upperBound < rows.count {
        stages?.began(.contextRenewal)
        renewContext()
      }
    }
    if strategy != .save, !links.isEmpty { try context.performAndWait { try linkStoredRows(rows) } }
  }

  func checkpoint() throws { try coordinator.checkpoint() }

  func pragma(_ name: String) throws -> String? { try coordinator.pragma(name) }

  func close() throws { try coordinator.close() }

  private func prepareContext() {
    context.performAndWait { context.mergePolicy = mergePolicy }
    observing?.follow(context)
  }

  private func renewContext() {
    context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    prepareContext()
  }

  /// One save or one request.
  private func store(_ source: RowSource, of entityName: String, range: Range<Int>) throws {
    switch strategy {
    case .save:
      stages?.began(.objectCreation)
      for row in range {
        let object = try context.insertNewObject(forEntityName: entityName)
        source.fill(object, row: row)
        if !links.isEmpty { try link(object) }
      }
      try save()
    case .batchObjects:
      stages?.began(.dictionaryCreation)
      var objects: [[String: AttributeValue]] = []
      objects.reserveCapacity(range.count)
      for row in range {
        // Reserving room afterwards would make the dictionary twice.
        var values = [String: AttributeValue](minimumCapacity: source.fields.count)
        source.fill(&values, row: row)
        objects.append(values)
      }
      try execute(BatchInsertRequest(entityName: entityName, objects: objects))
    case .batchDictionary:
      var row = range.lowerBound
      try execute(
        BatchInsertRequest(entityName: entityName) { (values: inout [String: AttributeValue]) in
          guard row < range.upperBound else { return true }
          source.fill(&values, row: row)
          row += 1
          return false
        })
    case .batchManagedObject:
      var row = range.lowerBound
      try execute(
        BatchInsertRequest(entityName: entityName) { (object: ManagedObject) in
          guard row < range.upperBound else { return true }
          source.fill(object, row: row)
          row += 1
          return false
        })
    case .batchUpdate, .batchDelete, .batchDeleteIDs, .objects, .faults, .batched, .dictionaries, .objectIDs, .count:
      throw SampleError.unsupportedOperation(.insert)
    }
  }

  /// Saves the context, and lets go of what it holds where the cell asks for that.
  func save() throws {
    try context.save(tracer: stages)
    if afterSave != .keep { letGoOfDestinations() }
    if afterSave == .reset {
      stages?.began(.contextReset)
      context.reset()
    }
  }

  /// Carries out a request in transactions of the cell's size, and notes what an observer is to be told.
  private func execute(_ request: BatchInsertRequest) throws {
    var request = request
    if case .count(let rows) = size { request.transactionSize = rows }
    request.resultType = resultType
    var report: WriteAheadLogReport?
    if let walLimit {
      request.walSizeLimit = walLimit
      request.walReportHandler = { report = $0 }
    }
    let result = try context.execute(request, tracer: stages)
    stages?.began(.release)
    observing?.note(result)
    if let report, report.highWaterBytes > report.limitBytes { notes.append(report.description) }
  }

  /// What a batch request must answer: nothing, unless somebody is to be told what changed.
  var resultType: BatchResultType { observing?.mergeMode == .changes ? .changes : .statusOnly }
}
