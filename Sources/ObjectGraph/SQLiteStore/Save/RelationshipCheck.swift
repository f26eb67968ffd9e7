// Checks the keys of relationships after a save's rows are written and before they are committed: each must refer to a
// row of the right entity, both ends of a one-to-one must agree, and none may refer to a deleted row.
internal import CoreDataModel
internal import SQLiteDriver

/// Checks the keys that a save has written.
///
/// A context keeps both ends of a relationship consistent, as far as it knows the other end. Only the store knows rows
/// that the context has not read, that others deleted, or that its new rows have overwritten.
struct RelationshipCheck {
  private struct Row: Hashable {
    let root: Int
    let key: Int64
  }

  /// What to check for a to-one relationship, extracted from the layout once for all rows of an entity.
  struct Relationship {
    let slot: Int
    let destination: EntityLayout
    /// The name and the column of the inverse, if that is also a to-one relationship.
    let back: (name: String, column: String)?
    /// Whether rows may keep referring to a deleted row, because the delete rule is "no action".
    let keepsKey: Bool

    init?(_ slot: Int, of layout: EntityLayout, _ model: CompiledModel) {
      guard let toOne = layout.slots[slot].toOne else { return nil }
      self.slot = slot
      keepsKey = toOne.relationship.deleteRule == .noAction
      let destination = model.layouts[toOne.destinationIndex]
      self.destination = destination
      back = toOne.inverse.flatMap { inverse in
        guard !inverse.isToMany, let slot = destination.toOneSlot(named: inverse.name),
          let column = destination.slots[slot].columnName
        else { return nil }
        return (inverse.name, column)
      }
    }
  }

  let writer: StoreWriter
  let request: SaveChangesRequest
  private let outcomes: InsertionOutcomes
  private let references: StoredReferences
  /// The entities of rows with checked versions, which therefore exist.
  private let updated: [Row: Int32]
  /// The indexes of new rows by key, including those that have overwritten others.
  private let places: [Row: Int]
  /// Rows that new rows have overwritten.
  private let overwritten: Set<Row>
  private let keepsStored: Bool
  private var lastFound: (row: Row, entityIndex: Int32)?
  /// The to-one relationships of the last row's entity: rows of one entity are usually consecutive.
  var relationships: (layout: Int, all: [Relationship]) = (-1, [])
  /// What the save's context must correct first.
  var found: [StaleRow] = []

  init(
    _ writer: StoreWriter, _ request: SaveChangesRequest, _ outcomes: InsertionOutcomes, _ references: StoredReferences
  ) {
    self.writer = writer
    self.request = request
    self.outcomes = outcomes
    self.references = references
    updated = Dictionary(
      request.updates.map { (Row(root: $0.layout.rootIndex, key: $0.objectID.key), Int32($0.layout.index)) }
    ) { _, last in last }
    keepsStored = ConflictResolution(saveUnder: request.mergePolicy) == .keepStored
    let hasOneToOne = writer.model.layouts.contains { $0.hasOneToOne }
    var places: [Row: Int] = [:]
    var overwritten: Set<Row> = []
    if hasOneToOne || !outcomes.versions.isEmpty {
      for (index, row) in request.insertions.enumerated() where outcomes.keys[index] != 0 {
        let key = Row(root: row.layout.rootIndex, key: outcomes.keys[index])
        places[key] = index
        if outcomes.versions[index] != nil { overwritten.insert(key) }
      }
    }
    self.places = places
    self.overwritten = overwritten
  }

  mutating func run() throws(SQLiteError) {
    for (index, row) in request.updates.enumerated() where row.layout.hasToOneSlots {
      // If a new row has overwritten an updated one, the result is checked with the new row.
      if overwritten.contains(Row(root: row.layout.rootIndex, key: row.objectID.key)) { continue }
      lookUpRelationships(of: row.layout)
      for relationship in relationships.all where row.changedSlots.contains(relationship.slot) {
        try check(relationship, row.snapshot, key: row.objectID.key, .update(index), mayHaveOthers: true)
      }
    }
    for (index, row) in request.insertions.enumerated() where row.layout.hasToOneSlots {
      let key = outcomes.keys[index]
      if key == 0 { continue }
      lookUpRelationships(of: row.layout)
      let isWrittenOver = !outcomes.versions.isEmpty && outcomes.versions[index] != nil
      for relationship in relationships.all {
        try check(relationship, row.snapshot, key: key, .insertion(index), mayHaveOthers: isWrittenOver)
      }
    }
    try checkPartnersOfDeletions()
    try checkMembersOfDeletions()
  }

  @inline(__always)
  mutating func lookUpRelationships(of layout: EntityLayout) {
    if relationships.layout == layout.index { return }
    relationships = (
      layout.index, layout.slots.indices.compactMap { Relationship($0, of: layout, writer.model) }
    )
  }

  @inline(__always)
  private mutating func check(
    _ relationship: Relationship, _ row: RowSnapshot, key: Int64, _ position: StaleRow.Position, mayHaveOthers: Bool
  ) throws(SQLiteError) {
    let reference = row[relationship.slot].reference
    guard let back = relationship.back else {
      guard let reference else { return }
      if reference.key > 0 { return try checkIsThere(reference, relationship.destination) }
      return checkStandIn(reference, relationship, position)
    }
    let target = reference.flatMap { references.key($0) }
    if let reference, let target {
      try checkPartner(
        reference, target, relationship.destination, back.column, relationship.slot, key: key, position)
    }
    if mayHaveOthers {
      try checkOthers(
        target, relationship.destination, back.column, back.name, relationship.slot, key: key, position)
    }
  }

  /// Checks whether a stored row that replaces a new object has an entity that is not a destination of the
  /// relationship.
  ///
  /// Any other new object's row was just stored with its own entity.
  @inline(__always)
  private mutating func checkStandIn(
    _ reference: ObjectReference, _ relationship: Relationship, _ position: StaleRow.Position
  ) {
    guard let entity = references.entities[reference.key], let key = references.key(reference),
      !relationship.destination.family.contains(Int(entity))
    else { return }
    let other = ManagedObjectID(store: writer.identity, entityIndex: entity, key: key)
    found.append(.partner(position, slot: relationship.slot, other: other, .giveUp))
  }

  private mutating func checkIsThere(_ reference: ObjectReference, _ destination: EntityLayout) throws(SQLiteError) {
    let row = Row(root: destination.rootIndex, key: reference.key)
    // New rows often refer to the same row.
    if let lastFound, lastFound == (row, reference.entityIndex) { return }
    if updated[row] == reference.entityIndex { return }
    let statement = try writer.statement("SELECT Z_ENT FROM \(destination.tableName) WHERE Z_PK = ?")
    defer { statement.reset() }
    try statement.bind(reference.key, at: 1)
    guard try statement.step(), !isOutdated(reference, row, number: statement.int64(0)) else {
      return noteMissing(reference)
    }
    lastFound = (row, reference.entityIndex)
  }

  /// Whether the reference has a former entity of its row.
  ///
  /// References to an overwritten row already have its new entity.
  private func isOutdated(_ reference: ObjectReference, _ row: Row, number: Int64) -> Bool {
    reference.key > 0 && number != references.entityNumber(reference) && !overwritten.contains(row)
      && Int(exactly: number).flatMap { writer.entityIndexes[$0] } != nil
  }

  /// Checks that the referenced row refers back to this one.
  private mutating func checkPartner(
    _ reference: ObjectReference, _ target: Int64, _ destination: EntityLayout, _ back: String, _ slot: Int, key: Int64,
    _ position: StaleRow.Position
  ) throws(SQLiteError) {
    let row = Row(root: destination.rootIndex, key: target)
    let statement = try writer.statement("SELECT \(back), Z_ENT FROM \(destination.tableName) WHERE Z_PK = ?")
    defer { statement.reset() }
    try statement.bind(target, at: 1)
    guard try statement.step(), !isOutdated(reference, row, number: statement.int64(1)) else {
      return noteMissing(reference)
    }
    if statement.int64(0) == key { return }
    // A row that replaces a new one, or that a new one has overwritten, keeps its partner.
    let mayRegain = reference.key > 0 && !overwritten.contains(row) && !keepsStored
    guard let other = objectID(key: target, number: statement.int64(1)) else { return }
    found.append(.partner(position, slot: slot, other: other, mayRegain ? .regain : .giveUp))
  }

  /// Checks that no other row refers to this one.
  private mutating func checkOthers(
    _ target: Int64?, _ destination: EntityLayout, _ back: String, _ inverse: String, _ slot: Int, key: Int64,
    _ position: StaleRow.Position
  ) throws(SQLiteError) {
    for other in try rows(of: destination, referringBy: back, to: key, besides: target) {
      guard let place = places[Row(root: destination.rootIndex, key: other.key)] else {
        found.append(.partner(position, slot: slot, other: other, .release))
        continue
      }
      // The other row is also new, and referred to an object that was dropped for this row or lost its row to another
      // one.
      let layout = request.insertions[place].layout
      guard let backSlot = layout.toOneSlot(named: inverse) else { continue }
      found.append(.partner(.insertion(place), slot: backSlot, other: other, .giveUp))
    }
  }

  /// The rows, except `target`, that have the key in this column.
  func rows(
    of destination: EntityLayout, referringBy column: String, to key: Int64, besides target: Int64? = nil
  ) throws(SQLiteError) -> [ManagedObjectID] {
    let statement = try writer.statement(
      "SELECT Z_PK, Z_ENT FROM \(destination.tableName) WHERE \(column) = ? AND Z_PK IS NOT ?")
    defer { statement.reset() }
    try statement.bind(key, at: 1)
    try statement.bind(optional: target, at: 2)
    var found: [ManagedObjectID] = []
    while try statement.step() {
      if let row = objectID(key: statement.int64(0), number: statement.int64(1)) { found.append(row) }
    }
    return found
  }

  private mutating func noteMissing(_ reference: ObjectReference) {
    if reference.key < 0 { return }
    found.append(
      .missing(ManagedObjectID(store: writer.identity, entityIndex: reference.entityIndex, key: reference.key)))
  }

  private func objectID(key: Int64, number: Int64) -> ManagedObjectID? {
    Int(exactly: number).flatMap { writer.entityIndexes[$0] }.map {
      ManagedObjectID(store: writer.identity, entityIndex: Int32($0), key: key)
    }
  }
}

extension EntityLayout {
  /// Whether the inverse of a to-one relationship is also a to-one relationship.
  fileprivate var hasOneToOne: Bool { hasToOneSlots && slots.contains { $0.toOne?.inverse?.isToMany == false } }
}
