// Saves and batch requests of a random program, and the contents of the file after each.
@testable import CoreDataModel
@testable import ObjectGraph

extension ProgramRun {
  // MARK: Saves

  func save(_ index: Int, _ isThorough: Bool) throws {
    let context = contexts[index]
    if !isUpToDate(index) { isBlind[index] = true }
    context.processPendingChanges()
    // The save begins with this: an object that gets its old position back has nothing to store.
    try? context.assignPositions()
    // Twice: other contexts' changes that are found by reading affect the delete rules, which read others in turn.
    for _ in 0..<2 {
      if isThorough { _ = try ContextImage(context) }
      // A save applies delete rules again, because others may have related objects in the meantime.
      context.unpropagated += context.pendingDeletions
      context.processPendingChanges()
    }
    let pending = pendingSave(context)
    let before = isThorough ? try ContextImage(context) : nil
    let parentBefore = isThorough ? try imageOfParent(index) : nil
    let names = countNames(below: index)
    let parentRows = kind == .conflicts ? try rowsOfParent(index, pending.updates) : [:]
    let (orders, handover) = (try pendingOrders(index), try pendingHandover(index))
    _ = lastSave(index)
    do {
      try context.save()
    } catch {
      tally.failedSaves += 1
      try checkFailure(error, of: index, pending)
      let now = try reader.read()
      if now != stored { throw ProgramMismatch("a save that failed (\(error)) has written") }
      if let before, let difference = try before.difference(from: ContextImage(context)) {
        throw ProgramMismatch("a save that failed (\(error)) left the context otherwise: \(difference)")
      }
      if let parentBefore { try checkParent(of: index, parentBefore, after: error) }
      countRefusals(error, pending)
      return
    }
    tally.saves += 1
    if context.hasChanges { throw ProgramMismatch("changes are left after a save") }
    if case .child(let parent) = kinds[index] {
      if kind == .conflicts {
        try checkParent(index, pending.updates, context.mergePolicy.mergeType, from: parentRows)
      }
      try checkOrders(orders, ofParent: contexts[parent])
      try check(handover, in: contexts[parent])
      tally.handedOver += handover.count
      edited[parent].formUnion(edited[index])
      edited[index] = []
      handDeletions(of: index, to: parent)
      return
    }
    tally.namesSettled += names
    let old = stored
    stored = try reader.read()
    let policy = context.mergePolicy.mergeType
    try checkRules(from: old)
    // A row that is written completely has the destinations that the context knows, even if only a delete rule changed
    // it.
    let (writesWhole, wasBlind) = (policy == .overwrite, isBlind[index])
    let touched = keys(edited[index], index)
    try checkDeletions(from: old) { member in
      touched.contains(member)
        || writesWhole
          && (pending.updates.contains { $0.key == member }
            || wasBlind && stored.rows[member]?.version != old.rows[member]?.version)
    }
    try checkReasons(index, pending, policy, from: old)
    try check(pending.updates, pending.insertions, policy, from: old)
    try checkTakenCodes(pending, policy, from: old)
    if policy != .rollback { try checkOrders(orders) }
    // Otherwise a row may become one of another entity, so that nothing deletes it.
    if kind == .conflicts { try checkConflict(over: pending.deletions, policy, from: old) }
    let news = lastSave(index)
    let changes = ChangedObjectIDs(
      inserted: news?.inserted ?? [], updated: news?.updated ?? [], deleted: news?.deleted ?? [])
    try check(changes, "a save", from: old)
    try checkHistory(from: old)
    edited[index] = []
    asked[index] = []
    isBlind[index] = false
    announce(changes, by: index)
  }

  /// Checks what policies do with values that others changed, and with codes that already exist.
  private func check(
    _ updates: [PendingUpdate], _ insertions: [PendingInsertion], _ policy: MergePolicy.MergeType, from old: StoredGraph
  ) throws {
    for update in updates {
      guard let before = old.rows[update.key], let after = stored.rows[update.key] else {
        if old.rows[update.key] == nil, stored.rows[update.key] != nil {
          throw ProgramMismatch("a save brought back \(update.key), which others had deleted")
        }
        continue
      }
      // It was overwritten by a new object, or reverted because of its code.
      if model.isUnique,
        update.setsCode
          || insertions.contains(where: { $0.code == before.values["code"] || $0.code == after.values["code"] })
      {
        continue
      }
      // Its row now belongs to another entity and is no longer this object's.
      if before.entity != update.entity { continue }
      let isConflict = before.version != update.version && update.isToStore
      if isConflict && policy == .error { throw ProgramMismatch("a conflict over \(update.key) was saved over") }
      // Objects that others related to a completely written row are separated from it, and may be written completely,
      // too.
      let mayBeWhole = policy == .overwrite && before.version != update.version && !update.isToStore
      try check(
        update, isConflict ? policy : nil, before: before, after: after, known: old, mayBeWhole: mayBeWhole)
    }
    guard model.isUnique else { return }
    for insertion in insertions {
      guard insertions.count(where: { $0.root == insertion.root && $0.code == insertion.code }) == 1,
        schema.model.layouts[insertion.root].constraints.count == 1,
        let (key, before) = old.rows.first(where: {
          $0.key.root == insertion.root && $0.value.values["code"] == insertion.code
        }), !updates.contains(where: { $0.key == key || $0.setsCode }), stored.rows[key] != nil
      else { continue }
      if policy == .error { throw ProgramMismatch("the code \(insertion.code) was taken, and is saved a second time") }
      let keepsStored = policy == .storeTrump || policy == .rollback
      let expected = keepsStored ? before.values["value"] : insertion.value
      let found = stored.rows.filter { $0.key.root == insertion.root && $0.value.values["code"] == insertion.code }
      if found.count != 1 || found.first?.value.values["value"] != expected {
        throw ProgramMismatch(
          "\(insertion.code) is of \(found.map { ($0.key, $0.value.values["value"] ?? .null) }) after a save under "
            + "\(policy), expected the value \(expected ?? .null)")
      }
    }
  }

  /// Checks which of a row's values exist after a save.
  ///
  /// The policy is nil without a conflict. `known` is the file before it, which a parent may not know, and `above` is
  /// what a parent finds if it reads the row again. A row that may be written completely has either the values of its
  /// object or its previous ones.
  private func check(
    _ update: PendingUpdate, _ policy: MergePolicy.MergeType?, before: StoredGraph.Row, after: StoredGraph.Row,
    known: StoredGraph? = nil, above: StoredGraph.Row? = nil, mayBeWhole: Bool = false
  ) throws {
    for (name, base) in update.base {
      guard let here = update.current[name] else { continue }
      let there = before[name] ?? .null
      let isChangedHere = here != base
      var expected: AttributeValue
      switch policy {
      case nil, .objectTrump: expected = isChangedHere ? here : there
      case .error, .rollback: expected = there
      case .storeTrump: expected = there != base ? there : here
      case .overwrite: expected = here
      }
      if policy != nil, here != there, there != base { tally.decided += 1 }
      // No key refers to a row that others deleted.
      if case .integer(let key) = expected, let known,
        let link = schema.relationships(of: update.key.root).first(where: { $0.name == name }),
        known.rows[StoredGraph.Key(root: link.destinationRoot, key: key)] == nil
      {
        expected = .null
      }
      if !isChangedHere, let above, after[name] ?? .null == above[name] ?? .null { continue }
      if mayBeWhole, after[name] ?? .null == here { continue }
      if after[name] ?? .null != expected {
        throw ProgramMismatch(
          "\(name) of \(update.key) is \(after[name] ?? .null) after a save under \(policy?.rawValue ?? "any policy"), "
            + "expected \(expected): read as \(base), stored as \(there), here \(here)")
      }
    }
  }

  /// Checks what a policy does with the deletion of a row that others changed; one of several deletions may include
  /// another.
  private func checkConflict(
    over deletions: [StoredGraph.Key: Int64], _ policy: MergePolicy.MergeType, from old: StoredGraph
  ) throws {
    guard deletions.count == 1, let (key, version) = deletions.first, let before = old.rows[key],
      before.version != version
    else { return }
    tally.decided += 1
    let staysDeleted = policy == .objectTrump || policy == .overwrite
    if policy == .error || staysDeleted != (stored.rows[key] == nil) {
      throw ProgramMismatch(
        "\(key), to be deleted in version \(version) and stored in version \(before.version), is "
          + "\(stored.rows[key] == nil ? "gone" : "there") after a save under \(policy)")
    }
  }

  // MARK: Parents

  /// A parent's state of an object that its child is about to save.
  private struct ParentRow {
    var row: StoredGraph.Row
    /// The values in the parent.
    let values: RowSnapshot
    let layout: EntityLayout

    /// Whether the parent's value differs from the one that the child read and the child also has a value; links must
    /// also differ from each other.
    func conflicts(with update: PendingUpdate) -> Bool {
      row.version > update.version
        && update.slots.contains {
          update.currentRow[$0] != update.baseRow[$0] && values[$0] != update.baseRow[$0]
            && !(layout.isToOne($0) && values[$0] == update.currentRow[$0])
        }
    }
  }

  private func rowsOfParent(_ index: Int, _ updates: [PendingUpdate]) throws -> [StoredGraph.Key: ParentRow] {
    guard case .child(let parent) = kinds[index] else { return [:] }
    var rows: [StoredGraph.Key: ParentRow] = [:]
    for update in updates {
      // The parent may have deleted it.
      guard let object = try? contexts[parent].existingObject(with: update.objectID), let values = object.row else {
        continue
      }
      var row = StoredGraph.Row(entity: object.layout.index, version: values.version)
      for name in update.base.keys {
        if let group = name == "group" ? try object.object(forKey: name) : nil {
          row.links[name] = key(group)
        } else if name != "group" {
          row.values[name] = object[name]
        }
      }
      rows[update.key] = ParentRow(row: row, values: values, layout: object.layout)
    }
    return rows
  }

  /// Checks what a child's policy does with values of its parent that differ from those that the child read.
  private func checkParent(
    _ index: Int, _ updates: [PendingUpdate], _ policy: MergePolicy.MergeType,
    from old: [StoredGraph.Key: ParentRow]
  ) throws {
    let new = try rowsOfParent(index, updates)
    guard case .child(let parent) = kinds[index] else { return }
    let above = try rowsOfParent(parent, updates)
    for update in updates {
      guard let before = old[update.key], let after = new[update.key] else { continue }
      let isConflict = before.conflicts(with: update)
      if isConflict && policy == .error { throw ProgramMismatch("a conflict over \(update.key) was saved over") }
      try check(
        update, isConflict ? policy : nil, before: before.row, after: after.row,
        above: above[update.key]?.row ?? stored.rows[update.key])
    }
  }

  // MARK: Batch requests

  func batch(_ index: Int, _ action: ProgramStep.Action) throws {
    let context = contexts[root(of: index)]
    tally.batches += 1
    var deleted: ManagedObject?
    let result: BatchResult
    do {
      switch action {
      case .batchInsert(let entity, let codes, let value):
        var request = BatchInsertRequest(
          entityName: entity,
          objects: codes.map { ["code": .string("code \($0)"), "value": .integer(Int64(value))] })
        request.resultType = .changes
        result = try context.execute(request)
      case .batchUpdate(let entity, let below, let value):
        var request = BatchUpdateRequest(
          entityName: entity, propertiesToUpdate: ["value": .integer(Int64(value))],
          predicate: try FetchPredicate(format: "value < %@", arguments: [below]))
        request.resultType = .changes
        result = try context.execute(request)
      case .batchDelete(let entity, let below):
        var fetch = FetchRequest(entityName: entity)
        fetch.predicate = try FetchPredicate(format: "value < %@", arguments: [below])
        fetch.fetchLimit = 2
        var request = BatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .changes
        result = try context.execute(request)
      case .batchDeleteObject(let number):
        let living = held[root(of: index)].filter { $0.state == .stored }
        guard !living.isEmpty else { return }
        let object = living[Int(number) % living.count]
        deleted = object
        var request = BatchDeleteRequest(objectIDs: [object.objectID])
        request.resultType = .changes
        result = try context.execute(request)
      default: return
      }
    } catch let error as ObjectGraphError {
      tally.refusedBatches += 1
      switch error {
      case .deletionRefused: try checkRefusal(of: action, error, object: deleted)
      case .uniqueValuesTaken, .missingValue: break
      default: throw ProgramMismatch("a batch request failed for a reason nobody expected: \(error)")
      }
      if try reader.read() != stored { throw ProgramMismatch("a batch request that failed (\(error)) has written") }
      return
    }
    let old = stored
    stored = try reader.read()
    try checkRules(from: old)
    try checkDeletions(from: old) { _ in false }
    try checkReasons(of: action, held[root(of: index)], from: old)
    if case .batchInsert(let entity, let codes, let value) = action {
      try checkInserted(entity, codes, .integer(Int64(value)), context.mergePolicy.mergeType, from: old)
    }
    guard let changes = result.changes else { throw ProgramMismatch("a batch request does not say what it changed") }
    try check(changes, "a batch request", from: old)
    try checkHistory(from: old)
    announce(changes, by: nil)
  }

  /// Checks that a batch insert overwrites or keeps the rows with its codes, depending on the policy, and inserts the
  /// others.
  private func checkInserted(
    _ entity: String, _ codes: [Int], _ value: AttributeValue, _ policy: MergePolicy.MergeType, from old: StoredGraph
  ) throws {
    guard let layout = schema.model.layouts.first(where: { $0.entity.name == entity }), !layout.constraints.isEmpty
    else { return }
    for number in Set(codes) {
      let code = AttributeValue.string("code \(number)")
      func hasCode(_ entry: (key: StoredGraph.Key, value: StoredGraph.Row)) -> Bool {
        entry.key.root == layout.rootIndex && entry.value.values["code"] == code
      }
      let holder = old.rows.first(where: hasCode)
      let keepsStored = policy != .objectTrump && policy != .overwrite
      let expected = keepsStored ? holder?.value.values["value"] ?? value : value
      let found = stored.rows.filter(hasCode)
      let isInPlace = holder.map { found[$0.key] != nil } ?? true
      if found.count != 1 || found.first?.value.values["value"] != expected || !isInPlace {
        throw ProgramMismatch(
          "\(code) is of \(found.map { ($0.key, $0.value.values["value"] ?? .null) }) after a batch insert under "
            + "\(policy), expected the value \(expected) of \(holder.map { "\($0.key)" } ?? "a new row")")
      }
    }
  }

  // MARK: The file

  private func checkRules(from old: StoredGraph) throws {
    tally.rowsChecked += stored.rows.count
    try checkVersions(from: old)
    try checkCache()
    let breaches = stored.breaches(schema)
    if breaches.isEmpty { return }
    let written = Set(old.rows.keys).union(stored.rows.keys).filter { old.rows[$0] != stored.rows[$0] }.sorted()
      .map { "\($0): \(old.show($0)) -> \(stored.show($0))" }
    throw ProgramMismatch(
      "the file breaks rules: \(breaches.joined(separator: "; ")); written were \(written.joined(separator: "; "))")
  }

  /// Checks that a changed row has a later version, so that other contexts get a conflict.
  private func checkVersions(from old: StoredGraph) throws {
    for (key, row) in stored.rows {
      guard let before = old.rows[key] else { continue }
      let isOther = before.values != row.values || before.links != row.links || before.entity != row.entity
      if row.version < before.version || isOther && row.version == before.version {
        throw ProgramMismatch("\(key) was \(old.show(key)) and is \(stored.show(key)), in no later version")
      }
    }
    for (key, row) in stored.rows {
      for relationship in schema.relationships(of: key.root) {
        guard case .toOne(oneToOne: nil) = relationship.kind, let target = row.links[relationship.name],
          old.rows[key]?.links[relationship.name] != target
        else { continue }
        try checkGain(by: target, from: old, key)
      }
    }
    for pair in stored.pairs.subtracting(old.pairs) {
      let table = schema.model.joinTables[pair.table]
      let source = StoredGraph.Key(root: schema.root(table.owner.entityIndex), key: pair.inverse)
      let destination = StoredGraph.Key(root: schema.root(table.inverse.entityIndex), key: pair.owner)
      try checkGain(by: source, from: old, destination)
      try checkGain(by: destination, from: old, source)
    }
  }

  /// Checks that a row that gains an object has a later version, so that deletions by others get a conflict.
  private func checkGain(by key: StoredGraph.Key, from old: StoredGraph, _ other: StoredGraph.Key) throws {
    guard let before = old.rows[key], let after = stored.rows[key], before.version == after.version else { return }
    throw ProgramMismatch("\(key) is related with \(other) now, and still of version \(after.version)")
  }

  /// Checks that the row cache gives stored values to faults; it learns of another coordinator's writes by merging.
  private func checkCache() throws {
    guard coordinators.count == 1 else { return }
    for objectID in Set(held.joined().map(\.objectID)) {
      guard let key = key(objectID), let cached = coordinators[0].rowCache.row(objectID)?.row else { continue }
      let layout = schema.model.layouts[Int(objectID.entityIndex)]
      let row = stored.rows[key]
      for (slot, property) in layout.slots.enumerated()
      where property.toOne != nil || ProgramSchema.attributes.contains(property.name) {
        let value = cached[slot].reference.map { .integer($0.key) } ?? cached[slot]
        if row?.entity == layout.index, value == row?[property.name] ?? .null { continue }
        throw ProgramMismatch(
          "the row cache has \(value) as \(property.name) of \(key), stored is \(row?[property.name] ?? .null)")
      }
    }
  }

  /// Checks that the announced changes are complete.
  private func check(_ changes: ChangedObjectIDs, _ what: String, from old: StoredGraph) throws {
    func key(_ objectID: ManagedObjectID) -> StoredGraph.Key {
      StoredGraph.Key(root: schema.root(Int(objectID.entityIndex)), key: objectID.key)
    }
    func keys(_ objectIDs: [ManagedObjectID]) -> Set<StoredGraph.Key> { Set(objectIDs.map(key)) }
    let (inserted, updated, deleted) = (keys(changes.inserted), keys(changes.updated), keys(changes.deleted))
    for key in Set(old.rows.keys).union(stored.rows.keys).sorted() {
      let (before, after) = (old.rows[key], stored.rows[key])
      if before == after { continue }
      let isNamed =
        before == nil
        ? inserted.contains(key)
        : after == nil
          ? deleted.contains(key)
          : updated.contains(key) || inserted.contains(key)
      if !isNamed {
        let change = before == nil ? "inserted" : after == nil ? "deleted" : "changed"
        throw ProgramMismatch("\(what) \(change) \(key), and does not say so")
      }
    }
    // A row that changed its entity exists, and the former object is deleted.
    if let wrong = changes.deleted.first(where: { stored.rows[key($0)]?.entity == Int($0.entityIndex) }) {
      throw ProgramMismatch("\(what) says that \(key(wrong)) is gone, and it is there")
    }
  }
}
