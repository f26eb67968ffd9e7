// Internal state of the library: the row cache, and released objects of a context.
import CoreDataModel
import ObjectGraphFixtures
@testable import ObjectGraph

enum GraphProbes {
  /// Makes the context release unused objects, like it does from time to time.
  static func release(_ context: ManagedObjectContext) { context.releaseUnheldObjects() }

  /// Cached rows equal those of the store and have the same version: every save uses the only coordinator.
  static func compareCache(_ run: GraphRun) throws {
    let coordinator = run.stack.coordinator
    let state = run.model.committed
    for (id, objectID) in run.objectIDs {
      guard let row = coordinator.rowCache.row(objectID)?.row else { continue }
      guard let stored = run.file.rows[id], let record = state.records[id] else {
        throw GraphMismatch("the row of \(id) is cached and not stored")
      }
      if row.version != stored.version {
        throw GraphMismatch("the cached row of \(id) has version \(row.version), the stored one \(stored.version)")
      }
      let layout = coordinator.compiledModel.layouts[Int(objectID.entityIndex)]
      for (key, value) in record.values where layout.slot(named: key).map({ row[$0] }) != value {
        throw GraphMismatch("\(key) of the cached row of \(id) is not \(value)")
      }
      for toOne in GraphSchema.toOnes(of: record.entity) {
        let reference = layout.slot(named: toOne.name).flatMap { row[$0].reference }
        let expected = record.links[toOne.name].flatMap { run.objectIDs[$0] }
        if reference?.key != expected?.key {
          throw GraphMismatch("\(toOne.name) of the cached row of \(id) leads to another row than the stored one")
        }
      }
    }
  }

  /// If no context has objects, no rows are cached.
  static func compareEmptyCache(_ run: GraphRun) throws {
    for context in run.contexts { context.reset() }
    let count = run.stack.coordinator.rowCache.count
    if count != 0 { throw GraphMismatch("\(count) rows are cached though no context has objects") }
  }
}
