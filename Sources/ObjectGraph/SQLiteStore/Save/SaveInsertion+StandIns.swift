// Stored rows that replace new ones and have new relationships. Their versions are incremented, like those of all rows
// that gain an object, so that a concurrent deletion gets a conflict and checks again.
internal import CoreDataModel
internal import SQLiteDriver

extension SaveInsertion {
  /// Increments the version of every older row that replaces a new one and that a row of the save refers to or joins.
  ///
  /// A row that the save updates already has a new version.
  mutating func raiseRelatedStandIns() throws(SQLiteError) {
    if outcomes.standIns.isEmpty || resolution != .keepStored { return }
    let related = relatedStandIns()
    for (row, relationships) in related.sorted(by: {
      ($0.key.entityIndex, $0.key.key) < ($1.key.entityIndex, $1.key.key)
    }) {
      let layout = writer.model.layouts[Int(row.entityIndex)]
      let raise = try writer.statement(
        "UPDATE \(layout.tableName) SET Z_OPT = \(StoreTables.nextVersion) WHERE Z_PK = ?")
      try raise.bind(row.key, at: 1)
      try raise.run()
      try writer.history?.updated(
        layout, key: row.key, ChangedProperties(slots: layout.slotsDerivedOverRelationships, toMany: relationships))
      let version = try writer.statement("SELECT Z_OPT FROM \(layout.tableName) WHERE Z_PK = ?")
      defer { version.reset() }
      try version.bind(row.key, at: 1)
      guard try version.step() else { continue }
      let objectID = ManagedObjectID(store: writer.identity, entityIndex: row.entityIndex, key: row.key)
      outcomes.raised[objectID] = version.int64(0)
    }
  }

  /// Removes pairs of rows that do not have the entity for which the pairs were made, if their own entity does not have
  /// the relationship.
  ///
  /// Pairs are written by the keys of objects, whether their rows were inserted or replaced.
  func removePairsOfOthers() throws(SQLiteError) {
    if request.joins.isEmpty || reclassified.isEmpty && outcomes.standIns.isEmpty { return }
    let model = writer.model
    var rows = reclassified
    for (index, standIn) in outcomes.standIns {
      let layout = request.insertions[index].layout
      if Int(standIn.entityIndex) == layout.index { continue }
      rows[StoredRow(root: layout.rootIndex, key: standIn.key)] = model.layouts[Int(standIn.entityIndex)]
    }
    for (row, layout) in rows {
      for member in model.layouts[model.layouts[row.root].family] where !layout.isKind(of: member) {
        try writer.removePairs(of: member, key: row.key) { $0.entityIndex == member.index }
      }
    }
  }

  /// The older rows that replace new ones, with their to-many relationships that gain an object.
  private func relatedStandIns() -> [ObjectReference: SlotMask] {
    let standIns = olderStandIns()
    if standIns.isEmpty { return [:] }
    var related: [ObjectReference: SlotMask] = [:]
    /// Records the first relationship of a row that matches the condition.
    func note(_ key: Int64, where isRelated: (ToManyLayout) -> Bool) {
      guard let row = standIns[key],
        let index = writer.model.layouts[Int(row.entityIndex)].toManyRelationships.firstIndex(where: isRelated)
      else { return }
      related[row, default: SlotMask()].insert(index)
    }
    func noteKeys(of layout: EntityLayout, _ row: RowSnapshot) {
      guard layout.hasToOneSlots else { return }
      for slot in layout.slots.indices {
        guard let reference = row[slot].reference, reference.key < 0, let inverse = layout.slots[slot].toOne?.inverse
        else { continue }
        note(reference.key) { $0.relationship.name == inverse.name }
      }
    }
    for row in request.updates { noteKeys(of: row.layout, row.snapshot) }
    for (index, row) in request.insertions.enumerated() where outcomes.keys[index] != 0 {
      noteKeys(of: row.layout, row.snapshot)
    }
    for join in request.joins {
      guard case .add = join.kind else { continue }
      note(join.source) { toMany in
        if case .join(let ends) = toMany.storage { ends == join.ends } else { false }
      }
      note(join.destination) { toMany in
        guard case .join(let ends) = toMany.storage else { return false }
        return ends.table == join.ends.table && ends.sourceColumn == join.ends.destinationColumn
          || ends == join.ends && ends.isReflexive
      }
    }
    return related
  }

  /// The rows that replace new ones, by the new ones' temporary keys, excluding rows that the save inserts or updates.
  private func olderStandIns() -> [Int64: ObjectReference] {
    let written = writtenRows()
    var standIns: [Int64: ObjectReference] = [:]
    for (index, standIn) in outcomes.standIns where outcomes.keys[index] == 0 {
      let row = request.insertions[index]
      if written.contains(StoredRow(root: row.layout.rootIndex, key: standIn.key)) { continue }
      standIns[row.temporaryKey] = standIn
    }
    return standIns
  }
  /// The rows that the save updates or inserts.
  func writtenRows() -> Set<StoredRow> {
    var written = Set(request.updates.map { StoredRow(root: $0.layout.rootIndex, key: $0.objectID.key) })
    for (index, row) in request.insertions.enumerated() where outcomes.keys[index] != 0 {
      written.insert(StoredRow(root: row.layout.rootIndex, key: outcomes.keys[index]))
    }
    return written
  }
}
