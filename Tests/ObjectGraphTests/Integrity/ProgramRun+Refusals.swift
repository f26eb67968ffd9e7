// Checks that a random program's requests are only refused for true reasons.
@testable import CoreDataModel
@testable import ObjectGraph

extension ProgramRun {
  /// Checks that a batch delete is only refused if a rule denies it or an object would lose a required one.
  func checkRefusal(of action: ProgramStep.Action, _ error: ObjectGraphError, object: ManagedObject?) throws {
    guard case .deletionRefused = error else { return }
    var gone: Set<StoredGraph.Key>
    switch action {
    case .batchDelete(let entity, let below):
      let family = schema.model.layouts.first { $0.entity.name == entity }?.family ?? 0..<0
      let rows = stored.rows.filter { row in
        guard family.contains(row.value.entity), case .integer(let value)? = row.value.values["value"] else {
          return false
        }
        return value < below
      }
      gone = Set(rows.keys.sorted().prefix(2))
    case .batchDeleteObject: gone = Set([object.flatMap(key)].compactMap(\.self))
    default: throw ProgramMismatch("a request that deletes nothing was refused: \(error)")
    }
    var next = Array(gone)
    while let key = next.popLast() {
      for relationship in schema.relationships(of: key.root) where relationship.rule == .cascade {
        for member in stored.members(of: key, relationship) where gone.insert(member).inserted { next.append(member) }
      }
    }
    for key in gone {
      for relationship in schema.relationships(of: key.root) {
        let isReason =
          relationship.rule == .deny
          || relationship.rule == .nullify
            && schema.relationships(of: relationship.destinationRoot).contains {
              $0.name == relationship.inverse && $0.isRequired
            }
        if isReason, stored.members(of: key, relationship).contains(where: { !gone.contains($0) }) { return }
      }
    }
    throw ProgramMismatch("a batch delete of \(gone.sorted()) was refused for no reason: \(error)")
  }

  /// Checks that a save is only refused because of rows that others have changed or deleted.
  func checkConflicts(_ conflicts: [MergeConflict], of index: Int, _ save: PendingSave) throws {
    if case .child = kinds[index] {
      if isUpToDate(index) {
        throw ProgramMismatch(
          "a save was refused for \(conflicts.map(\.objectID)), which its parent has as it read them")
      }
      return
    }
    for conflict in conflicts {
      guard let key = key(conflict.objectID), let row = stored.rows[key] else { continue }
      let read = save.updates.first { $0.key == key }?.version ?? save.deletions[key]
      if let read, read == row.version, row.entity == Int(conflict.objectID.entityIndex) {
        throw ProgramMismatch("a save was refused for \(key), which is stored in the version \(read) that was read")
      }
    }
  }
}
