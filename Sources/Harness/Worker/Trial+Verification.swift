// The checks of a trial: what another connection sees while the store is open, and everything once it is closed.
internal import BatchmarkEngine
internal import CoreDataModel
internal import Instruments
internal import ObjectGraph
internal import SQLiteDriver
internal import Scenarios

extension Trial {
  /// Whether the cell stores its rows after the phase by design, because it measures the harness itself.
  private var isHarnessCost: Bool { cell.role == .harnessCost }

  /// Whether the scenario makes the engine lock out all other connections.
  var isExclusive: Bool {
    scenario.pragmas.contains { $0.name == "locking_mode" && $0.value.lowercased() == "exclusive" }
  }

  /// Whether rows that are ingested again must be written again: their unique values exist, and the new rows win.
  var updatesKnownRows: Bool {
    let winning: [MergePolicy.MergeType] = [.objectTrump, .overwrite]
    return !isHarnessCost && winning.contains(scenario.mergePolicy?.mergeType ?? .error)
  }

  /// Checks that the tables are empty before the measured phase.
  ///
  /// - Returns: The connection that was used; `nil` if the store is locked exclusively.
  /// - Throws: ``VerificationError/untrue(_:)`` if a table has rows.
  func refuseRowsWhileOpening(_ setup: StoreSetup) throws -> Connection? {
    guard !isExclusive else { return nil }
    let connection = try Connection(path: path, access: .unnoticed)
    let stored = Set(scenario.entityNames)
    let tables = Set(setup.storedEntities.filter { stored.contains($0.name) }.map(\.tableName)).sorted()
    if let table = try connection.firstFilled(of: tables) {
      throw VerificationError.untrue(.rowsWhileOpening(table: table))
    }
    return connection
  }

  /// The notes of a sample about its verification.
  var verificationNotes: [String] {
    isExclusive && !isHarnessCost
      ? [
        "locking_mode is exclusive: the rows were checked after the store was closed, so that work put off to the "
          + "checkpoint or the close would not be seen"
      ] : []
  }

  /// Reads what the phase has stored, over another connection; `nil` if there is nothing to see or no way to see it.
  func workSnapshot(after phase: Phase, _ setup: StoreSetup) -> WorkSnapshot? {
    guard !isHarnessCost, !isExclusive, scenario.operation.kind != .fetch else { return nil }
    return WorkSnapshot(after: phase, ofStoreAt: path) { connection in
      var seen = CommittedContents(contents: try contents(connection, links: [], relationshipsToo: false))
      for link in try setup.linkColumns {
        let count = try connection.scalar("SELECT count(\(link.key)) FROM \(entity.tableName)")
        seen.linkedRows[link.link.relationship] = Int(count ?? 0)
      }
      if let trees = setup.treeColumn {
        let count = try connection.scalar("SELECT count(\(trees.key)) FROM \(entity.tableName)")
        seen.linkedRows["\(entity.name).\(trees.relationship.parent.name)"] = Int(count ?? 0)
      }
      guard scenario.isReplay, isRelated else { return seen }
      for entity in scenario.storedEntities {
        for relationship in entity.relationships {
          seen.linkedRows["\(entity.name).\(relationship.name)"] = try connection.pairs(of: relationship, from: entity)
        }
      }
      return seen
    }
  }

  /// Checks the closed store as a store of the model, and reads its rows.
  ///
  /// - Parameters:
  ///   - setup: The store.
  ///   - integrity: SQLite's own check, which may be running.
  ///   - answers: The session's answers for pragmas.
  /// - Returns: The contents of the store.
  /// - Throws: ``VerificationError`` if the store is damaged or does not match the model, or SQLite's error.
  func storedContents(
    _ setup: StoreSetup, _ integrity: IntegrityCheck, answers: [StorePragma]
  ) throws -> StoredContents {
    let (complaints, contents) = try integrity.complaints { try readContents(setup, answers) }
    // In a damaged store, all other errors are consequences of the damage.
    if !complaints.isEmpty { throw VerificationError.notIntact(complaints) }
    return try contents.get()
  }

  private func readContents(_ setup: StoreSetup, _ answers: [StorePragma]) throws -> StoredContents {
    let connection = try Connection(path: path, access: .readOnly)
    try connection.mapFile()
    if let fault = try connection.contradiction(of: answers, set: scenario.pragmas) {
      throw VerificationError.untrue(fault)
    }
    let indexes = try StoreCheck(
      model: scenario.model, stored: Set(scenario.entityNames + scenario.links.map(\.destinationEntityName)),
      former: formerModel, mayWait: cell[.removal] == .deferred
    ).check(connection)
    if let breach = try brokenRule(connection) { throw VerificationError.brokenRule(breach) }
    var contents = try contents(connection, links: setup.linkColumns, relationshipsToo: isRelated)
    contents.indexes = indexes
    if let trees = setup.treeColumn {
      contents.links = [try StoredTrees(reading: connection, entity: entity, trees: trees).links]
    }
    try connection.close()
    return contents
  }

  /// The first rule of object graphs that the store breaks.
  ///
  /// Rows are named as `Quake/p7`, which is the same in every sample.
  private func brokenRule(_ connection: Connection) throws -> StoreIntegrity.Breach? {
    let integrity = try StoreIntegrity(reading: connection, model: scenario.model)
    guard var breach = integrity.breaches.first(where: { !isByDesign($0) }) else { return nil }
    breach.examples = breach.examples.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }
    return breach
  }

  /// Whether a correct store may break the rule here: the source leaves rows unrelated, the cell relates none, or no
  /// delete rule clears the key of a deleted row.
  private func isByDesign(_ breach: StoreIntegrity.Breach) -> Bool {
    guard let relationship = scenario.model.relationship(breach.relationship, of: breach.entity) else { return false }
    switch breach.rule {
    case .keyLeadsToEntity, .entityNumberOfKey, .bothEnds: return false
    case .requiredObject:
      let related = rows.relationships.filter { $0.relationship == relationship }
      return !isRelated || related.isEmpty || related.contains { $0.pairs.count < rows.tables[$0.table].count }
    case .keyLeadsToRow:
      guard let name = relationship.inverseName,
        let inverse = scenario.model.relationship(name, of: relationship.destinationEntityName)
      else { return true }
      return inverse.deleteRule == .noAction || relationship.isToMany && relationship.deleteRule == .noAction
    }
  }

  private func contents(
    _ connection: Connection, links: [LinkColumns], relationshipsToo: Bool
  ) throws -> StoredContents {
    scenario.isReplay
      ? try StoredContents(
        reading: connection, entities: scenario.storedEntities, relationshipsToo: relationshipsToo)
      : try StoredContents(reading: connection, entity: entity, links: links)
  }

  /// Compares the contents of the store, and the snapshots taken on the way, with the expected contents.
  ///
  /// - Throws: ``VerificationError`` with the row that differs, if there is one.
  func check(
    _ contents: StoredContents, against right: ExpectedContents, seen: [WorkSnapshot], _ setup: StoreSetup
  ) throws {
    let versionsToo = scenario.operation != .insert
    do {
      try right.check(contents, versionsToo: versionsToo)
    } catch {
      throw locating(error, versionsToo: versionsToo, setup)
    }
    for work in seen {
      // Rows that are ingested again later may still change.
      let then = work.phase == .ingest && scenario.repeats > 1 ? expectedContents(repeats: 1) : right
      try work.check(against: then, versionsToo: versionsToo)
    }
  }

  /// The error with the first row that differs, which is searched for only on failure.
  private func locating(
    _ error: VerificationError, versionsToo: Bool, _ setup: StoreSetup
  ) -> VerificationError {
    func difference() -> RowDifference? {
      let search = RowSearch(
        expected: ExpectedRows.all(of: rows, in: scenario),
        entities: scenario.isReplay ? scenario.storedEntities : [StoredEntity(entity)], versionsToo: versionsToo)
      // The known failure matters more than the reason why the row was not found.
      guard let connection = try? Connection(path: path, access: .readOnly) else { return nil }
      return try? search.firstDifference(connection)
    }
    func linkDifference() -> RowDifference? {
      guard let trees = setup.treeColumn, let expected = ExpectedRows.all(of: rows, in: scenario).first,
        let connection = try? Connection(path: path, access: .readOnly)
      else { return nil }
      return try? StoredTrees(reading: connection, entity: entity, trees: trees).firstDifference(from: expected)
    }
    switch error {
    case .wrongLinks(let found, let expected, _):
      return .wrongLinks(found: found, expected: expected, difference: linkDifference())
    case .wrongContents(let foundRows, let foundHash, let expectedRows, let expectedHash, _):
      return .wrongContents(
        foundRows: foundRows, foundHash: foundHash, expectedRows: expectedRows, expectedHash: expectedHash,
        difference: difference())
    case .wrongVersions(let found, let expected, _):
      return .wrongVersions(found: found, expected: expected, difference: difference())
    default: return error
    }
  }
}

extension ManagedObjectModel {
  fileprivate func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
    relationships(of: entity).first { $0.name == name }
  }
}
