// Runs a batch insert in one transaction, unless the request limits transactions.
internal import CoreDataModel
internal import SQLiteDriver

extension SQLiteStore {
  /// Inserts all of the request's rows or none, unless it asks for several transactions.
  func insert(
    _ request: BatchInsertRequest, layout: EntityLayout, mergePolicy: MergePolicy,
    makeScratchObject: (ManagedObjectID, EntityLayout) -> ManagedObject
  ) throws(ObjectGraphError) -> BatchResult {
    switch request.source {
    case .dictionaries(let dictionaries):
      return try insert(request, DictionaryArrayRows(dictionaries, of: layout), layout, mergePolicy)
    case .rows(let rows):
      return try insert(request, DictionaryArrayRows(rows, of: layout), layout, mergePolicy)
    case .dictionaryHandler(let handler):
      return try insert(request, DictionaryHandlerRows(handler, of: layout), layout, mergePolicy)
    case .managedObjectHandler(let handler):
      let object = makeScratchObject(
        ManagedObjectID(store: identity, entityIndex: Int32(layout.index), key: -1), layout)
      return try insert(request, ManagedObjectHandlerRows(handler, object), layout, mergePolicy)
    }
  }

  private func insert(
    _ request: BatchInsertRequest, _ rows: some BatchRowSource, _ layout: EntityLayout, _ mergePolicy: MergePolicy
  ) throws(ObjectGraphError) -> BatchResult {
    if let tracer = request.tracer {
      return try insert(request, rows, layout, mergePolicy, TracedBatchInsert(tracer: tracer))
    }
    return try insert(request, rows, layout, mergePolicy, UntracedBatchInsert())
  }

  private func insert<Source: BatchRowSource, Stages: BatchInsertStages>(
    _ request: BatchInsertRequest, _ rows: Source, _ layout: EntityLayout, _ mergePolicy: MergePolicy, _ stages: Stages
  ) throws(ObjectGraphError) -> BatchResult {
    var batch: BatchInsertion<Source, Stages>?
    defer { report(batch?.budget?.report, request) }
    do throws(ObjectGraphError) {
      repeat {
        // Acquire the writer for each transaction, so that others may write in between.
        try write { (writer) throws(ObjectGraphError) in
          stages.began(.preparation)
          if batch == nil {
            batch = try BatchInsertion(
              request, of: rows, into: layout, writer: writer, mergePolicy: mergePolicy, stages)
          }
          try batch?.emptyLog()
          let action = "inserting a batch of \(layout.entity.name)"
          try writer.transaction(action, by: request.origin) { () throws(ObjectGraphError) in
            try batch?.insertPart()
          }
          batch?.notePartStored()
        }
      } while batch?.isDone == false
    } catch {
      if let stored = batch?.stored, stored.rows > 0 {
        throw .partlyStored(entity: layout.entity.name, rows: stored.rows, result: stored.result, because: error)
      }
      throw error
    }
    return batch?.stored.result ?? .statusOnly(true)
  }

  private func report(_ report: WriteAheadLogReport?, _ request: BatchInsertRequest) {
    guard let report else { return }
    if report.isStarved { log?.note("\(report)") }
    request.walReportHandler?(report)
  }
}
