// The to-one relationships that a save wrote, before it is committed: they lead to rows, and both ends of a one-to-one agree.
internal import CoreDataModel
internal import SQLiteDriver

/// Looks at the keys that one save has written.
///
/// A context keeps both ends of a relationship in step, as far as it knows the other end. Rows that it has not read, that
/// others deleted, or that its new rows were written over are known to the store alone.
struct RelationshipCheck {
  private struct Row: Hashable {
    let root: Int
    let key: Int64
  }

  private let writer: StoreWriter
  private let request: SaveChangesRequest
  private let outcomes: InsertionOutcomes
  private let references: StoredReferences
  /// Rows whose versions the save has checked, so that they are there.
  private let updated: Set<Row>
  /// The places of new rows by their keys.
  private let places: [Row: Int]
  /// Rows that new rows were written over.
  private let overwritten: Set<Row>
  private let keepsStored: Bool
  private var lastFound: Row?
  /// What the save's context must put right first.
  private(set) var found: [StaleRow] = []

  init(
    _ writer: StoreWriter, _ request: SaveChangesRequest, _ outcomes: InsertionOutcomes, _ references: StoredReferences
  ) {
    self.writer = writer
    self.request = request
    self.outcomes = outcomes
    self.references = references
    updated = Set(request.updates.map { Row(root: $0.layout.rootIndex, key: $0.objectID.key) })
    keepsStored = ConflictResolution(saveUnder: request.mergePolicy) == .keepStored
    let hasOneToOne = request.insertions.contains { $0.layout.hasOneToOne }
    var places: [Row: Int] = [:]
    var overwritten: Set<Row> = []
    if hasOneToOne || !outcomes.versions.isEmpty {
      for (index, row) in request.insertions.enumerated() where outcomes.keys[index] != 0 {
        let key = Row(root: row.layout.rootIndex, key: outcomes.keys[index])
        if outcomes.versions[index] == nil { places[key] = index } else { overwritten.insert(key) }
      }
    }
    self.places = places
    self.overwritten = overwritten
  }

  mutating func run() throws(SQLiteError) {
    for (index, row) in request.updates.enumerated() where row.layout.hasToOneSlots {
      // What a new row wrote over an updated one is checked with the new row.
      if overwritten.contains(Row(root: row.layout.rootIndex, key: row.objectID.key)) { continue }
      for slot in row.layout.slots.indices where row.changedSlots.contains(slot) {
        guard let toOne = row.layout.slots[slot].toOne else { continue }
        try check(toOne, slot, row.snapshot, key: row.objectID.key, .update(index), mayHaveOthers: true)
      }
    }
    for (index, row) in request.insertions.enumerated() where row.layout.hasToOneSlots && outcomes.keys[index] != 0 {
      for slot in row.layout.slots.indices {
        guard let toOne = row.layout.slots[slot].toOne else { continue }
        try check(
          toOne, slot, row.snapshot, key: outcomes.keys[index], .insertion(index),
          mayHaveOthers: outcomes.versions[index] != nil)
      }
    }
  }

  private mutating func check(
    _ toOne: ToOneLayout, _ slot: Int, _ row: RowSnapshot, key: Int64, _ position: StaleRow.Position,
    mayHaveOthers: Bool
  ) throws(SQLiteError) {
    let destination = writer.model.layouts[toOne.destinationIndex]
    let reference = row[slot].reference
    let target = reference.flatMap { references.key($0) }
    guard let inverse = toOne.inverse, !inverse.isToMany,
      let back = destination.toOneSlot(named: inverse.name).flatMap({ destination.slots[$0].columnName })
    else {
      if let reference, reference.key > 0 { try checkIsThere(reference, destination) }
      return
    }
    if let reference, let target {
      try checkPartner(reference, target, destination, back, slot, key: key, position)
    }
    if mayHaveOthers { try checkOthers(target, destination, back, inverse.name, slot, key: key, position) }
  }

  private mutating func checkIsThere(_ reference: ObjectReference, _ destination: EntityLayout) throws(SQLiteError) {
    let row = Row(root: destination.rootIndex, key: reference.key)
    // New rows often lead to the same one.
    if row == lastFound || updated.contains(row) { return }
    let statement = try writer.statement("SELECT 1 FROM \(destination.tableName) WHERE Z_PK = ?")
    defer { statement.reset() }
    try statement.bind(reference.key, at: 1)
    if try statement.step() { lastFound = row } else { noteMissing(reference) }
  }

  /// The row that this one leads to leads back.
  private mutating func checkPartner(
    _ reference: ObjectReference, _ target: Int64, _ destination: EntityLayout, _ back: String, _ slot: Int, key: Int64,
    _ position: StaleRow.Position
  ) throws(SQLiteError) {
    let row = Row(root: destination.rootIndex, key: target)
    let statement = try writer.statement("SELECT \(back), Z_ENT FROM \(destination.tableName) WHERE Z_PK = ?")
    defer { statement.reset() }
    try statement.bind(target, at: 1)
    guard try statement.step() else { return noteMissing(reference) }
    if statement.int64(0) == key { return }
    // A row that stands for a new one, or that a new one was written over, has the partner it has.
    let mayRegain = reference.key > 0 && !overwritten.contains(row) && !keepsStored
    guard let other = objectID(key: target, number: statement.int64(1)) else { return }
    found.append(.partner(position, slot: slot, other: other, mayRegain ? .regain : .giveUp))
  }

  /// No other row leads to this one.
  private mutating func checkOthers(
    _ target: Int64?, _ destination: EntityLayout, _ back: String, _ inverse: String, _ slot: Int, key: Int64,
    _ position: StaleRow.Position
  ) throws(SQLiteError) {
    let statement = try writer.statement(
      "SELECT Z_PK, Z_ENT FROM \(destination.tableName) WHERE \(back) = ? AND Z_PK IS NOT ?")
    defer { statement.reset() }
    try statement.bind(key, at: 1)
    try statement.bind(optional: target, at: 2)
    while try statement.step() {
      guard let other = objectID(key: statement.int64(0), number: statement.int64(1)) else { continue }
      guard let place = places[Row(root: destination.rootIndex, key: other.key)] else {
        found.append(.partner(position, slot: slot, other: other, .release))
        continue
      }
      // It is new too, and led to an object that was given up for this row.
      let layout = request.insertions[place].layout
      guard let backSlot = layout.toOneSlot(named: inverse) else { continue }
      found.append(.partner(.insertion(place), slot: backSlot, other: other, .giveUp))
    }
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
  /// Whether a to-one relationship's inverse is one too.
  fileprivate var hasOneToOne: Bool { hasToOneSlots && slots.contains { $0.toOne?.inverse?.isToMany == false } }
}
