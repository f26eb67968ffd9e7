// A save: all of its insertions, updates and deletions in one transaction.
internal import CoreDataModel
internal import SQLiteDriver
internal import Support
internal import Synchronization

extension SQLiteStore {
  /// Writes the whole request or nothing.
  ///
  /// - Parameters:
  ///   - request: The save.
  ///   - mayCommit: Called when everything is written but nothing is committed. If it returns false, nothing is stored,
  ///     and the reply has no conflicts.
  /// - Returns: What was stored, or the conflicts that prevented it.
  /// - Throws: ``ObjectGraphError``.
  func save(
    _ request: SaveChangesRequest, mayCommit: () throws(ObjectGraphError) -> Bool
  ) throws(ObjectGraphError) -> SaveReply {
    try write { (writer) throws(ObjectGraphError) in
      try writer.begin("saving", by: request.origin)
      do throws(ObjectGraphError) {
        let reply = try writer.save(request)
        guard case .saved(var outcome) = reply else {
          writer.rollback()
          return reply
        }
        let metadata = pendingMetadata.withLock { $0 }
        if let metadata { try writer.writeMetadata(metadata) }
        if writer.history != nil { request.tracer?.began(.history) }
        // Do this before other stores commit, so that only the commit is left.
        outcome.historyToken = try writer.finishHistory("saving")
        guard try mayCommit() else {
          writer.rollback()
          return .conflicts([])
        }
        request.tracer?.began(.commit)
        try writer.commit("saving")
        if let metadata { metadataWasSaved(metadata) }
        return .saved(outcome)
      } catch {
        writer.rollback()
        throw error
      }
    }
  }

  /// Reserves keys for new rows in the entity's table, which no other row uses from then on.
  ///
  /// - Returns: The first key; the others follow it.
  func reserveKeys(_ count: Int, of layout: EntityLayout) throws(ObjectGraphError) -> Int64 {
    let action = "reserving keys of \(layout.entity.name)"
    return try write { (writer) throws(ObjectGraphError) in
      try writer.transaction(action) { () throws(ObjectGraphError) in
        let lastKey = try writer.lastKey(of: layout)
        try during(action) { () throws(SQLiteError) in
          try writer.setLastKey(of: layout, to: lastKey + Int64(count))
        }
        return lastKey + 1
      }
    }
  }
}

extension StoreWriter {
  /// Deletions come first, so that their unique values are free for updates and insertions.
  fileprivate func save(_ request: SaveChangesRequest) throws(ObjectGraphError) -> SaveReply {
    let tracer = request.tracer
    tracer?.began(.keyReservation)
    var insertion = try SaveInsertion(self, request)
    var changes = SaveUpdates(self, references: insertion.references, updates: request.updates)
    if !request.deletions.isEmpty { tracer?.began(.deletions) }
    for (index, row) in request.deletions.enumerated() {
      try during("deleting \(row.layout.entity.name)") { () throws(SQLiteError) in
        try changes.delete(row, index: index)
      }
    }
    if !request.updates.isEmpty { tracer?.began(.updates) }
    for (index, row) in request.updates.enumerated() {
      try during("updating \(row.layout.entity.name)") { () throws(SQLiteError) in
        try changes.update(row, index: index)
      }
    }
    if let row = changes.unknownVersion {
      throw .unknownVersion(row.objectID, found: row.found, path: connection.path)
    }
    if !changes.stale.isEmpty { return .conflicts(changes.stale) }
    if !changes.clashes.isEmpty {
      if insertion.resolution == .fail {
        throw .constraintConflict(changes.conflicts.described(request, keys: insertion.outcomes.keys))
      }
      return .conflicts(changes.clashes)
    }
    var outcome = SaveOutcome(updates: changes.versions)
    if !request.insertions.isEmpty { tracer?.began(.insertions) }
    try insertion.run()
    outcome.insertions = insertion.outcomes
    if !request.joins.isEmpty { tracer?.began(.linking) }
    try during("linking") { () throws(SQLiteError) in
      try apply(request.joins, insertion.references)
      try insertion.removePairsOfOthers()
    }
    if request.hasRelationships {
      var check = RelationshipCheck(self, request, outcome.insertions, insertion.references)
      try during("checking relationships") { () throws(SQLiteError) in try check.run() }
      if !check.found.isEmpty { return .conflicts(check.found) }
    }
    if model.hasDerivations {
      try during("deriving values") { () throws(SQLiteError) in try insertion.deriveAgain() }
      outcome.insertions = insertion.outcomes
    }
    return .saved(outcome)
  }
}
