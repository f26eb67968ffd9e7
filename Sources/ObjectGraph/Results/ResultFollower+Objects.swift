// Follows changes object by object: checks only what changed, and finds its position in the order.
internal import CoreDataModel

extension ResultFollower {
  /// An object that a notification mentions.
  private struct Touched {
    let objectID: ManagedObjectID
    /// Its present key, and the key by which the result may know it.
    let key: ResultKey
    let oldKey: ResultKey
    /// `nil` if it was deleted.
    var object: ManagedObject?
    /// Whether to report its change even if it keeps its position.
    var isChanged: Bool
    /// The row to keep for it; `nil` if it is not in the result.
    var row: RowSnapshot?
    var sectionName = ""
    var oldRank: Int?
    var newRank = 0

    init(_ objectID: ManagedObjectID, _ key: ResultKey, oldKey: ResultKey, object: ManagedObject?, isChanged: Bool) {
      self.objectID = objectID
      self.key = key
      self.oldKey = oldKey
      self.object = object
      self.isChanged = isChanged
    }
  }

  /// Processes a notification about k of n objects.
  ///
  /// O(k log n) comparisons, a pass over the blocks of the order and, if objects appear, disappear or move, one over
  /// the sections. One statement reads rows that are not in memory.
  ///
  /// - Throws: ``ResultOutOfStep`` and ``SectionsOutOfOrder`` if the order must be fetched, and errors of reading and
  ///   evaluating.
  func stepByObject(_ news: ContextNotification) throws -> Step {
    var touched = touchedObjects(news)
    try judge(&touched, isSave: news.name == .didSave)
    // Other observers of the notification may have changed some of them again.
    context.expectOutcomes()
    for index in touched.indices {
      guard rows[touched[index].oldKey] != nil else { continue }
      guard let rank = rank(of: touched[index].oldKey) else { throw ResultOutOfStep() }
      touched[index].oldRank = rank
    }
    touched.removeAll { $0.oldRank == nil && $0.row == nil }
    // From here on, the rows have the new state.
    for one in touched where one.row != nil { rows[one.key] = one.row }
    var step = Step(contents: contents, transition: FetchedResultsTransition.none)
    if touched.isEmpty { return step }
    touched.sort { ($0.oldRank ?? .max) < ($1.oldRank ?? .max) }
    let gone = touched.compactMap(\.oldRank)
    step.contents.keys.change(
      removing: gone, inserting: touched.compactMap { $0.row == nil ? nil : $0.key }, by: precedes)
    for index in touched.indices where touched[index].row != nil {
      touched[index].newRank = step.contents.keys.rank { precedes($0, touched[index].key) }
    }
    step.contents.sections = try sections(touched, removing: gone)
    step.transition = transition(touched, removing: gone, to: step.contents)
    for one in touched where one.oldRank != nil && (one.row == nil || one.oldKey != one.key) {
      step.forgotten.append(one.oldKey)
    }
    return step
  }

  // MARK: What changed

  private func touchedObjects(_ news: ContextNotification) -> [Touched] {
    var touched: [Touched] = []
    var known: Set<ResultKey> = []
    let isSave = news.name == .didSave
    if isSave || knownGeneration != context.family.generation {
      knownGeneration = context.family.generation
      // Handle existing objects first: if one of them took over a row, the row's older object is gone, but the row is
      // not.
      let settled = unsaved.filter { $1.isGone || $1.objectID != rows.objectID($0) }
        .sorted { !$0.value.isGone && $1.value.isGone }
      for (key, object) in settled {
        unsaved[key] = nil
        guard known.insert(key).inserted else { continue }
        let now = rows.key(object.objectID)
        let isFirst = now == key || known.insert(now).inserted
        // A new object that took the row of an older one is in the result under both keys.
        if now != key, !isFirst || rows[now] != nil {
          touched.append(Touched(rows.objectID(key), key, oldKey: key, object: nil, isChanged: true))
          guard isFirst else { continue }
          touched.append(Touched(object.objectID, now, oldKey: now, object: object, isChanged: true))
        } else {
          touched.append(Touched(object.objectID, now, oldKey: key, object: object, isChanged: true))
        }
      }
    }
    for (key, objectID) in namedObjects() where known.insert(key).inserted {
      let now = rows.key(objectID)
      // Its row may belong to another entity, or be in the result already.
      guard isSameEntity(objectID, key), rows[now] == nil, known.insert(now).inserted else {
        touched.append(Touched(rows.objectID(key), key, oldKey: key, object: nil, isChanged: true))
        continue
      }
      touched.append(Touched(objectID, now, oldKey: key, object: context.objectOrFault(objectID), isChanged: true))
    }
    func add(_ objectIDs: [ManagedObjectID], areGone: Bool = false) {
      for objectID in objectIDs where plan.scope.isOfFamily(objectID) {
        var objectID = objectID
        if objectID.isTemporaryID {
          let settled = context.settled(objectID)
          // If a row of another entity replaces a new object, it is a different object.
          if settled.entityIndex == objectID.entityIndex { objectID = settled }
        }
        let key = rows.key(objectID)
        guard known.insert(key).inserted else { continue }
        var object = context.knownObject(objectID)
        if object == nil, !areGone, !objectID.isTemporaryID || context.parentSource != nil {
          object = context.objectOrFault(objectID)
        }
        touched.append(Touched(objectID, key, oldKey: key, object: object, isChanged: !isSave))
      }
    }
    for objectIDs in [news.inserted, news.updated, news.refreshed] {
      for objectID in objectIDs {
        for key in listedKeys(ofRow: objectID) where known.insert(key).inserted {
          let older = context.objectOrFault(rows.objectID(key))
          touched.append(Touched(older.objectID, key, oldKey: key, object: older, isChanged: true))
        }
      }
      add(objectIDs)
    }
    add(news.deleted, areGone: true)
    return touched
  }

  /// Decides which of the objects are in the result; reads those that are not in memory.
  private func judge(_ touched: inout [Touched], isSave: Bool) throws {
    try context.fulfil(touched.compactMap(\.object))
    for index in touched.indices {
      let key = touched[index].key
      guard let object = touched[index].object, !object.isDeleted, !object.isGone, let values = object.values,
        plan.isAsked(of: context.storeIdentity(of: object.objectID))
      else {
        unsaved[key] = nil
        continue
      }
      let matches = try plan.matches(object)
      unsaved[key] = object.isInserted || matches && object.hasChanges ? object : nil
      guard matches else { continue }
      touched[index].row = object.hasChanges ? values : object.layout.stored(values)
      touched[index].sectionName = try plan.sectionName(object.objectID, object.layout, values) { object }
    }
    guard isSave else { return }
    // A save usually leaves values as they were reported and only changes versions.
    touched.removeAll { one in
      // In a child, a saved object moves among the objects that no sort descriptor orders.
      guard one.key == one.oldKey, !one.objectID.isTemporaryID, let row = one.row, let old = rows[one.key],
        row.hasValues(of: old)
      else {
        return false
      }
      rows[one.key] = row
      return true
    }
  }

  // MARK: Its new position

  /// Whether one object comes before another, according to their rows.
  private func precedes(_ left: ResultKey, _ right: ResultKey) -> Bool {
    guard let one = rows[left], let other = rows[right] else { return precedesByKey(left, right) }
    switch plan.order.order(one, rows.layout(left), other, rows.layout(right)) {
    case .less: return true
    case .greater: return false
    case .equal: return precedesByKey(left, right)
    }
  }

  /// The order if no descriptor decides.
  ///
  /// For a child, its parents' new objects count as stored and come before its own new ones.
  private func precedesByKey(_ left: ResultKey, _ right: ResultKey) -> Bool {
    if left.key < 0, right.key < 0, context.parentSource != nil {
      let (one, other) = (unsaved[left]?.isInserted == true, unsaved[right]?.isInserted == true)
      if one != other { return other }
    }
    return rows.precedesByKey(left, right)
  }

  /// The rank of an object in the order; `nil` if another object is there.
  func rank(of key: ResultKey) -> Int? {
    let rank = contents.keys.rank { precedes($0, key) }
    return rank < contents.keys.count && contents.keys[rank] == key ? rank : nil
  }

  private func sections(_ touched: [Touched], removing gone: [Int]) throws(SectionsOutOfOrder) -> ResultSections {
    let coming = touched.filter { $0.row != nil }.sorted { $0.newRank < $1.newRank }
    if plan.sectionPath == nil {
      return ResultSections(count: contents.keys.count - gone.count + coming.count)
    }
    return try contents.sections.changed(
      removing: gone, inserting: coming.map { (rank: $0.newRank, name: $0.sectionName) })
  }

  /// The changes of the objects that stay, move, appear and disappear.
  private func transition(
    _ touched: [Touched], removing gone: [Int], to next: ResultContents
  ) -> FetchedResultsTransition {
    let old = contents.sections
    var changes = ResultChanges<ManagedObjectID>(from: old, to: next.sections) { section in
      // A section stays if it has an unchanged object.
      gone.count(below: old.starts[section + 1]) - gone.count(below: old.starts[section]) < old.size(section)
    }
    let come = touched.filter { $0.row != nil }.map(\.newRank).sorted()
    let others = UntouchedRanks(old: gone, new: come)
    var stayers: [(index: Int, newRank: Int)] = []
    for one in touched {
      guard one.row != nil else {
        if let rank = one.oldRank { changes.removed.append((rows.objectID(one.oldKey), rank)) }
        continue
      }
      guard let oldRank = one.oldRank else {
        changes.inserted.append((one.objectID, one.newRank))
        continue
      }
      if others.countBefore(old: oldRank) == others.countBefore(new: one.newRank),
        changes.sharesSection(oldRank, one.newRank)
      {
        stayers.append((changes.kept.count, one.newRank))
      }
      changes.kept.append(
        .init(
          item: one.objectID, former: one.key == one.oldKey ? nil : rows.objectID(one.oldKey), oldRank: oldRank,
          newRank: one.newRank, isChanged: one.isChanged, stays: false))
    }
    // Use their old ranks: the objects are sorted by them.
    let stays = stayers.map(\.newRank).positionsInLongestAscent()
    for (stayer, isIn) in zip(stayers, stays) where isIn { changes.kept[stayer.index].stays = true }
    let fixed = changes.fixed
    if !fixed.isEmpty {
      for number in others.crossed(by: fixed) {
        let (oldRank, newRank) = others.ranks(number)
        changes.kept.append(
          .init(
            item: rows.objectID(contents.keys[oldRank]), oldRank: oldRank, newRank: newRank, isChanged: false,
            stays: true))
      }
      changes.keep(fixed)
    }
    return changes.transition()
  }
}

extension FetchedResultsTransition {
  /// A transition without changes.
  fileprivate static var none: FetchedResultsTransition {
    FetchedResultsTransition(sectionChanges: [], changes: [], starts: ([0], [0]), former: [:])
  }
}

extension RowSnapshot {
  /// Whether both rows of an entity have the same values, ignoring versions.
  fileprivate func hasValues(of other: RowSnapshot) -> Bool {
    for slot in 0..<count where self[slot] != other[slot] { return false }
    return true
  }
}

extension ResultRows {
  /// The same keys without rows, in the order of the stores.
  func emptied(stores: [StoreIdentity]) -> ResultRows {
    var rows = self
    rows.forgetRows(stores: stores)
    return rows
  }
}
