// Corrects references to and from a row that was overwritten by a row of another entity in its hierarchy.
internal import CoreDataModel
internal import SQLiteDriver

/// Prepares rows of related entities for being overwritten by rows of an entity.
///
/// The statement that overwrites a row sets the row's own columns.
struct Reclassification {
  private let layout: EntityLayout
  private let writer: StoreWriter

  /// `nil` if no row of another entity can have the entity's unique values, or if neither relationships nor history
  /// would be affected.
  init?(to layout: EntityLayout, _ writer: StoreWriter) {
    let relatives = writer.model.layouts[writer.model.layouts[layout.rootIndex].family]
    guard layout.sharesTable, !layout.constraints.isEmpty,
      writer.history != nil || relatives.contains(where: \.hasRelationships)
        || writer.model.layouts.contains(where: { !Reclassification.keys(from: $0, to: layout, writer.model).isEmpty })
    else { return nil }
    self.layout = layout
    self.writer = writer
  }

  /// Finds the row that this one will overwrite, and prepares it if it has another entity.
  func prepare(for row: RowSnapshot) throws(SQLiteError) {
    guard let taken = try writer.rowSharingUniqueValues(with: row, layout: layout), let index = taken.entityIndex,
      index != layout.index
    else { return }
    let model = writer.model
    try writer.history?.reclassifying(model.layouts[index], key: taken.key)
    try repoint(key: taken.key)
    // Remove pairs of relationships that the new entity does not have.
    try writer.removePairs(of: model.layouts[index], key: taken.key) {
      !layout.isKind(of: model.layouts[$0.entityIndex])
    }
  }

  /// Updates references to the row to its new entity, or clears those that cannot refer to it.
  func repoint(key: Int64) throws(SQLiteError) {
    let model = writer.model
    for source in model.layouts {
      for toOne in Reclassification.keys(from: source, to: layout, model) where toOne.entityIndex == source.index {
        try repoint(toOne, of: source, key: key)
      }
    }
  }

  /// Stores the number of the new entity next to keys of the row, or clears keys that cannot refer to it.
  private func repoint(_ toOne: ToOneLayout, of source: EntityLayout, key: Int64) throws(SQLiteError) {
    if writer.model.layouts[toOne.destinationIndex].family.contains(layout.index) {
      guard let entityColumn = toOne.entityColumn else { return }
      let number = writer.number(of: layout)
      try run("UPDATE \(source.tableName) SET \(entityColumn) = \(number) WHERE \(toOne.keyColumn) = ?", key)
    } else {
      let columns = [toOne.keyColumn, toOne.entityColumn, toOne.orderColumn].compactMap(\.self)
      try refuseIfRequired(toOne, of: source, key: key)
      try noteEmptied(toOne, of: source, key: key)
      let keys: SQLFragment =
        "SELECT Z_PK FROM \(raw: source.tableName) WHERE \(raw: toOne.keyColumn) = \(bind: .integer(key))"
      try writer.history?.record(.update, rowsOf: source, keys: keys, properties: [toOne.relationship.name])
      try run(
        "UPDATE \(source.tableName) SET \(columns.map { "\($0) = NULL" }.joined(separator: ", ")), "
          + "Z_OPT = \(StoreTables.nextVersion) WHERE \(toOne.keyColumn) = ?", key)
    }
  }

  /// Records the rows that refer to this one, except itself.
  private func noteEmptied(_ toOne: ToOneLayout, of source: EntityLayout, key: Int64) throws(SQLiteError) {
    let statement = try writer.statement("SELECT Z_PK, Z_ENT FROM \(source.tableName) WHERE \(toOne.keyColumn) = ?")
    defer { statement.reset() }
    try statement.bind(key, at: 1)
    while try statement.step() {
      guard let index = Int(exactly: statement.int64(1)).flatMap({ writer.entityIndexes[$0] }),
        source.rootIndex != layout.rootIndex || statement.int64(0) != key
      else { continue }
      writer.noteEmptied(
        ManagedObjectID(store: writer.identity, entityIndex: Int32(index), key: statement.int64(0)))
    }
  }

  /// Refuses to clear a required key: the row then keeps its entity.
  private func refuseIfRequired(_ toOne: ToOneLayout, of source: EntityLayout, key: Int64) throws(SQLiteError) {
    if toOne.relationship.isOptional { return }
    let statement = try writer.statement("SELECT 1 FROM \(source.tableName) WHERE \(toOne.keyColumn) = ?")
    defer { statement.reset() }
    try statement.bind(key, at: 1)
    guard try statement.step() else { return }
    let name = "\(source.entity.name).\(toOne.relationship.name)"
    throw SQLiteError(
      extendedCode: .constraint,
      message: "the row that has these unique values cannot become of \(layout.entity.name): the required relationship "
        + "\(name) leads to it")
  }

  /// The to-one relationships from an entity to another's hierarchy.
  private static func keys(
    from source: EntityLayout, to layout: EntityLayout, _ model: CompiledModel
  ) -> [ToOneLayout] {
    source.slots.compactMap(\.toOne).filter { model.layouts[$0.destinationIndex].rootIndex == layout.rootIndex }
  }

  private func run(_ sql: String, _ key: Int64) throws(SQLiteError) {
    let statement = try writer.statement(sql)
    try statement.bind(key, at: 1)
    try statement.run()
  }
}
