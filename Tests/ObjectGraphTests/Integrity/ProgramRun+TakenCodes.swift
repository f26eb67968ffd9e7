// What a save of a random program does with a unique code that another stored row has.
@testable import CoreDataModel
@testable import ObjectGraph

/// An object's attributes before a save: the values that were read, and those to store.
struct PendingUpdate {
  let objectID: ManagedObjectID
  let key: StoredGraph.Key
  let entity: Int
  let version: Int64
  let base: [String: AttributeValue]
  let current: [String: AttributeValue]
  /// Everything that was read and has to be stored, including relationships.
  let slots: Range<Int>
  let baseRow: RowSnapshot
  let currentRow: RowSnapshot
  let isToStore: Bool
  let code: AttributeValue
  let setsCode: Bool

  /// The stored value of an attribute after a save, if no policy decides.
  func expected(_ name: String, stored: AttributeValue?) -> AttributeValue? {
    current[name] == base[name] ? stored : current[name]
  }
}

/// A new object with a code, which may already exist.
struct PendingInsertion {
  let root: Int
  let code: AttributeValue
  let value: AttributeValue
}

/// All changes that a context is about to save.
struct PendingSave {
  let updates: [PendingUpdate]
  let insertions: [PendingInsertion]
  /// The versions of deleted rows when they were read.
  let deletions: [StoredGraph.Key: Int64]
}

extension ProgramRun {
  func pendingSave(_ context: ManagedObjectContext) -> PendingSave {
    PendingSave(
      updates: pendingUpdates(context), insertions: pendingInsertions(context), deletions: pendingDeletions(context))
  }

  private func pendingUpdates(_ context: ManagedObjectContext) -> [PendingUpdate] {
    context.updatedObjects.compactMap { object in
      guard let key = key(object), let row = object.row else { return nil }
      let base = object.committed ?? row
      func values(_ row: RowSnapshot) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        for name in ["value", "note"] { if let slot = object.layout.slot(named: name) { values[name] = row[slot] } }
        // Otherwise delete rules also affect it.
        if kind == .conflicts, context.deletedObjects.isEmpty, schema.isItem(object.layout),
          let slot = object.layout.slot(named: "group")
        {
          values["group"] = row[slot].reference.map { .integer($0.key) } ?? .null
        }
        return values
      }
      let code = object.layout.slot(named: "code")
      return PendingUpdate(
        objectID: object.objectID, key: key, entity: object.layout.index, version: base.version, base: values(base),
        current: values(row), slots: object.layout.slots.indices, baseRow: base, currentRow: row,
        isToStore: object.hasChangesToStore, code: code.map { row[$0] } ?? .null,
        setsCode: code.map { object.changedSlots.contains($0) && object.isOtherwise($0) } ?? false)
    }
  }

  private func pendingDeletions(_ context: ManagedObjectContext) -> [StoredGraph.Key: Int64] {
    var versions: [StoredGraph.Key: Int64] = [:]
    for object in context.deletedObjects {
      if let key = key(object), let row = object.committed ?? object.row { versions[key] = row.version }
    }
    return versions
  }

  private func pendingInsertions(_ context: ManagedObjectContext) -> [PendingInsertion] {
    context.insertedObjects.compactMap { object in
      let code = object["code"]
      return code.isNull ? nil : PendingInsertion(root: object.layout.rootIndex, code: code, value: object["value"])
    }
  }

  /// Gives an object the code of another stored row, and a new value.
  func takeCode(_ index: Int, _ number: UInt32, of other: UInt32, _ value: Int) throws {
    let takers = held[index].filter { $0.state == .stored && !$0.layout.constraints.isEmpty }
    guard !takers.isEmpty else { return }
    let taker = takers[Int(number) % takers.count]
    let holders = stored.rows.filter {
      $0.key.root == taker.layout.rootIndex && $0.key != key(taker) && $0.value.values["code"] != .null
    }
    guard !holders.isEmpty, taker.values != nil else { return }
    let holder = holders.keys.sorted()[Int(other) % holders.count]
    try taker.setValue(stored.rows[holder]?.values["code"] ?? .null, forKey: "code")
    try taker.setValue(.integer(Int64(value)), forKey: "value")
  }

  /// Checks that a conflict only fails a save with a policy that says so.
  func checkFailure(_ error: ObjectGraphError, of index: Int, _ save: PendingSave) throws {
    let policy = contexts[index].mergePolicy.mergeType
    switch error {
    case .optimisticLocking, .constraintConflict:
      tally.conflicts += 1
      if case .optimisticLocking(let conflicts) = error { try checkConflicts(conflicts, of: index, save) }
      if case .constraintConflict(let conflicts) = error { try checkHolders(conflicts, save) }
      if policy != .error { throw ProgramMismatch("a save under \(policy) failed for a conflict: \(error)") }
    case .validation(let failures): try checkDenials(failures, of: index)
    case .missingObject: break
    default: throw ProgramMismatch("a save failed for a reason nobody expected: \(error)")
    }
  }

  /// Whether a save gave the code to an object, even if deleting the row with this code then deleted that object, too.
  func isWanted(_ code: AttributeValue, insteadOf key: StoredGraph.Key, by save: PendingSave) -> Bool {
    !code.isNull
      && (stored.rows.contains { $0.key.root == key.root && $0.value.values["code"] == code }
        || save.updates.contains { $0.key != key && $0.key.root == key.root && $0.setsCode && $0.code == code })
  }

  /// The code that may have caused a row's removal: the one that the save gave to it, which another object of the save
  /// may have wanted too, or else its previous one.
  func code(of key: StoredGraph.Key, _ row: StoredGraph.Row, in save: PendingSave) -> AttributeValue {
    save.updates.first { $0.key == key && $0.setsCode }?.code ?? row.values["code"] ?? .null
  }

  /// Checks that a save is not refused because of a code that it takes from its holder itself.
  private func checkHolders(_ conflicts: [ConstraintConflict], _ save: PendingSave) throws {
    for conflict in conflicts {
      guard let holder = conflict.databaseObjectID.flatMap(key) else { continue }
      // The holder keeps its code if it cannot get another one's.
      if conflicts.contains(where: { $0.conflictingObjectIDs.contains { key($0) == holder } }) { continue }
      if let update = save.updates.first(where: { $0.key == holder && $0.setsCode }),
        update.code != conflict.constraintValues.first
      {
        throw ProgramMismatch(
          "a save was refused for \(conflict.constraintValues) of \(holder), which it gave the code \(update.code)")
      }
    }
  }

  /// Checks who has a code that an update wanted and another row had, and which parts of the update are stored.
  func checkTakenCodes(_ save: PendingSave, _ policy: MergePolicy.MergeType, from old: StoredGraph) throws {
    guard model.isUnique else { return }
    for update in save.updates where update.setsCode && !update.code.isNull {
      guard let before = old.rows[update.key], let after = stored.rows[update.key],
        let holder = holder(of: update.code, wantedBy: update, in: save, old)
      else { continue }
      tally.takenCodes += 1
      let keeps = policy == .storeTrump || policy == .rollback
      if policy == .error { throw ProgramMismatch("\(update.code) of \(holder) is saved for \(update.key) too") }
      let code = keeps ? before.values["code"] : update.code
      if after.values["code"] != code || (stored.rows[holder] == nil) != !keeps {
        throw ProgramMismatch(
          "\(update.key) wanted \(update.code) of \(holder) under \(policy), and has \(after.values["code"] ?? .null); "
            + "the other row is \(stored.rows[holder] == nil ? "gone" : "there")")
      }
      for name in update.base.keys {
        let there = before.values[name]
        let expected = policy == .rollback ? there : update.expected(name, stored: there)
        if after.values[name] != expected {
          throw ProgramMismatch(
            "\(name) of \(update.key), which wanted \(update.code) of \(holder), is \(after.values[name] ?? .null) after "
              + "a save under \(policy), expected \(expected ?? .null)")
        }
      }
    }
  }

  /// The stored row with the code that the update sets; nil also if another change of the save may decide.
  private func holder(
    of code: AttributeValue, wantedBy update: PendingUpdate, in save: PendingSave, _ old: StoredGraph
  ) -> StoredGraph.Key? {
    let root = update.key.root
    guard schema.model.layouts[root].constraints.count == 1, let before = old.rows[update.key],
      // Its row has another version or entity by now, so a policy decides about its values first.
      before.version == update.version, before.entity == update.entity,
      let holder = old.rows.first(where: {
        $0.key.root == root && $0.key != update.key && $0.value.values["code"] == code
      })?.key,
      save.deletions[holder] == nil,
      !save.insertions.contains(where: {
        $0.root == root && ($0.code == code || $0.code == before.values["code"])
      }),
      !save.updates.contains(where: {
        $0.key.root == root && $0.key != update.key && $0.setsCode && ($0.key == holder || $0.code == code)
      })
    else { return nil }
    return holder
  }
}
