// Checks whether a store's tables form a valid object graph, with one scan for each relationship.
package import CoreDataModel
package import SQLiteDriver

extension SQLiteReader {
  /// Checks all relationships in one snapshot of the store.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)``.
  func integrity() throws(ObjectGraphError) -> StoreIntegrity {
    try read { (reader) throws(ObjectGraphError) in
      try during("checking the integrity of \(identity.path)") { () throws(SQLiteError) in
        // Use one snapshot: a row that is deleted between two queries would seem to be missing.
        let isOwnTransaction = !reader.connection.isInTransaction
        if isOwnTransaction { try reader.connection.begin(.deferred) }
        defer { if isOwnTransaction { reader.connection.rollback() } }
        var check = IntegrityCheck(
          connection: reader.connection, model: schema.model, entities: identity.entities,
          numbers: schema.model.layouts.map { entityNumber(of: $0) }, uuid: identity.uuid)
        try check.run()
        return check.integrity
      }
    }
  }
}

extension StoreIntegrity {
  /// Checks a store, written by any program, that has all entities of the model in tables with the model's names.
  ///
  /// - Parameters:
  ///   - connection: A connection to the store, which must not change during the check.
  ///   - model: The store's model.
  /// - Throws: SQLite's error if the store cannot be read.
  package init(reading connection: Connection, model: ManagedObjectModel) throws(SQLiteError) {
    let numbers = try FileEntities(connection).numbers(of: model.hierarchy, metadataNames: [])
    let uuid = try connection.texts("SELECT Z_UUID FROM Z_METADATA WHERE Z_UUID NOT NULL").first
    var check = IntegrityCheck(
      connection: connection, model: CompiledModel(model), entities: .all, numbers: numbers, uuid: uuid ?? "")
    try check.run()
    self = check.integrity
  }
}

/// One check of a store.
private struct IntegrityCheck {
  let connection: Connection
  let model: CompiledModel
  /// The entities that the store has.
  let entities: StoreEntities
  /// The store's number of each entity, by its index in the model; 0 for an entity that the store does not have.
  let numbers: [Int]
  let uuid: String
  var integrity = StoreIntegrity()
  private static let rules: [StoreIntegrity.Rule] = [.keyLeadsToRow, .keyLeadsToEntity, .entityNumberOfKey, .bothEnds]
  private static let exampleLimit = 3

  mutating func run() throws(SQLiteError) {
    for layout in model.layouts where entities.contains(layout.index) {
      for slot in layout.slots {
        guard let toOne = slot.toOne, toOne.entityIndex == layout.index else { continue }
        try check(toOne, of: layout)
      }
    }
    for table in model.joinTables where entities.contains(table) { try check(table) }
  }

  private func numbers(_ family: Range<Int>) -> String {
    family.map { numbers[$0] }.filter { $0 > 0 }.map(String.init).joined(separator: ", ")
  }

  /// A condition for a row that has another entity or none.
  private func isOutside(_ row: String, _ layout: EntityLayout) -> String {
    "(\(row).Z_ENT IS NULL OR \(row).Z_ENT NOT IN (\(numbers(layout.family))))"
  }

  // MARK: To-one relationships

  private mutating func check(_ toOne: ToOneLayout, of layout: EntityLayout) throws(SQLiteError) {
    let destination = model.layouts[toOne.destinationIndex]
    var cases = [
      "WHEN d.Z_PK IS NULL THEN 0", "WHEN \(isOutside("d", destination)) THEN 1",
    ]
    if let column = toOne.entityColumn { cases.append("WHEN s.\(column) <> d.Z_ENT THEN 2") }
    if let inverse = toOne.inverse, !inverse.isToMany,
      let back = destination.toOneSlot(named: inverse.name).flatMap({ destination.slots[$0].columnName })
    {
      cases.append("WHEN d.\(back) IS NOT s.Z_PK THEN 3")
    }
    let table = layout.tableName
    integrity.relationships += 1
    integrity.keys += Int(try connection.scalar("SELECT count(\(toOne.keyColumn)) FROM \(table)") ?? 0)
    try note(
      """
      SELECT s.Z_PK, s.Z_ENT, CASE \(cases.joined(separator: " ")) END AS breach FROM \(table) s \
      LEFT JOIN \(destination.tableName) d ON d.Z_PK = s.\(toOne.keyColumn) \
      WHERE s.\(toOne.keyColumn) NOT NULL AND breach NOT NULL ORDER BY s.Z_PK
      """, layout, toOne.relationship.name)
    if toOne.relationship.isOptional { return }
    let family = layout.sharesTable ? "Z_ENT IN (\(numbers(layout.family))) AND " : ""
    try note(
      "SELECT Z_PK, Z_ENT, NULL FROM \(table) WHERE \(family)\(toOne.keyColumn) IS NULL ORDER BY Z_PK",
      layout, toOne.relationship.name)
  }

  // MARK: Many-to-many relationships

  private mutating func check(_ table: JoinTable) throws(SQLiteError) {
    let (source, destination) = (model.layouts[table.owner.entityIndex], model.layouts[table.inverse.entityIndex])
    let (forth, back) = (table.owner.column, table.inverse.column)
    var cases = [
      "WHEN s.Z_PK IS NULL OR d.Z_PK IS NULL THEN 0",
      "WHEN \(isOutside("s", source)) OR \(isOutside("d", destination)) THEN 1",
    ]
    if table.isReflexive {
      cases.append(
        "WHEN NOT EXISTS (SELECT 1 FROM \(table.name) m WHERE m.\(forth) = j.\(back) AND m.\(back) = j.\(forth)) THEN 3"
      )
    }
    integrity.relationships += 1
    integrity.pairs += Int(try connection.scalar("SELECT count(*) FROM \(table.name)") ?? 0)
    try note(
      """
      SELECT coalesce(s.Z_PK, d.Z_PK), iif(s.Z_PK NOT NULL, s.Z_ENT, d.Z_ENT), \
      CASE \(cases.joined(separator: " ")) END AS breach \
      FROM \(table.name) j LEFT JOIN \(source.tableName) s ON s.Z_PK = j.\(back) \
      LEFT JOIN \(destination.tableName) d ON d.Z_PK = j.\(forth) WHERE breach NOT NULL ORDER BY 1
      """, source, table.owner.relationship)
  }

  // MARK: Breaches

  /// Records the rows that a query finds: a key, an entity number, and the broken rule; null means the rule for
  /// required objects.
  private mutating func note(
    _ sql: String, _ layout: EntityLayout, _ relationship: String
  ) throws(SQLiteError) {
    var found: [StoreIntegrity.Rule: StoreIntegrity.Breach] = [:]
    let statement = try connection.prepare(sql, isPersistent: false)
    defer { statement.reset() }
    while try statement.step() {
      let rule = statement.isNull(2) ? .requiredObject : IntegrityCheck.rules[Int(statement.int64(2))]
      var breach =
        found[rule]
        ?? StoreIntegrity.Breach(
          rule: rule, entity: layout.entity.name, relationship: relationship, count: 0, examples: [])
      breach.count += 1
      if breach.examples.count < IntegrityCheck.exampleLimit, !statement.isNull(0) {
        breach.examples.append(uri(key: statement.int64(0), number: statement.int64(1)))
      }
      found[rule] = breach
    }
    integrity.breaches += StoreIntegrity.Rule.allCases.compactMap { found[$0] }
  }

  private func uri(key: Int64, number: Int64) -> String {
    let name =
      numbers.firstIndex { $0 > 0 && Int64($0) == number }.map { model.layouts[$0].entity.name } ?? "\(number)"
    return "x-coredata://\(uuid)/\(name)/p\(key)"
  }
}
