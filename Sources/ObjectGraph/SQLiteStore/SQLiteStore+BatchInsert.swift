// A batch insert on its way through transactions: one, unless the request bounds them.
internal import CoreDataModel
internal import SQLiteDriver

extension SQLiteStore {
  func insert(
    _ request: BatchInsertRequest, layout: EntityLayout, mergePolicy: MergePolicy,
    makeObject: (ObjectSeed) -> ManagedObject
  ) throws(ObjectGraphError) -> BatchResult {
    if let tracer = request.tracer {
      return try insert(request, layout, mergePolicy, TracedBatchInsert(tracer: tracer), makeObject)
    }
    return try insert(request, layout, mergePolicy, UntracedBatchInsert(), makeObject)
  }

  private func insert<Stages: BatchInsertStages>(
    _ request: BatchInsertRequest, _ layout: EntityLayout, _ mergePolicy: MergePolicy, _ stages: Stages,
    _ makeObject: (ObjectSeed) -> ManagedObject
  ) throws(ObjectGraphError) -> BatchResult {
    var batch: BatchInsertion<Stages>?
    defer { report(batch?.log?.report, request) }
    do throws(ObjectGraphError) {
      repeat {
        // Each transaction takes the writer anew, so that others may write between two of them.
        try write { (writer) throws(ObjectGraphError) in
          stages.began(.preparation)
          if batch == nil {
            batch = try BatchInsertion(request, layout, writer: writer, mergePolicy: mergePolicy, stages)
          }
          try batch?.emptyLog()
          let action = "inserting a batch of \(layout.entity.name)"
          try writer.transaction(action, by: request.origin) { () throws(ObjectGraphError) in
            try batch?.insertPart(makeObject)
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
