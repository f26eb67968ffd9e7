// Checks keys that still refer to rows deleted by a save.
internal import CoreDataModel
internal import SQLiteDriver

extension RelationshipCheck {
  /// Checks that no other row refers to a deleted one as its owner: batches and merges relate rows that are missing
  /// from a deleting context's list.
  ///
  /// It uses one statement for each to-many relationship, because a cascade may delete very many rows.
  mutating func checkMembersOfDeletions() throws(SQLiteError) {
    var deletions: [Int: [Int]] = [:]
    for (index, row) in request.deletions.enumerated() { deletions[row.layout.index, default: []].append(index) }
    for (layout, indexes) in deletions.sorted(by: { $0.key < $1.key }) {
      for toMany in writer.model.layouts[layout].toManyRelationships where toMany.relationship.deleteRule != .noAction {
        guard case .inverseKey(let inverse) = toMany.storage else { continue }
        let statement = try writer.statement(
          "SELECT DISTINCT k.key FROM json_each(?) k CROSS JOIN \(inverse.table) t ON t.\(inverse.keyColumn) = k.value")
        defer { statement.reset() }
        try statement.bind(text: indexes.map { request.deletions[$0].objectID.key }.jsonArray, at: 1)
        while try statement.step() { found.append(.members(deletion: indexes[Int(statement.int64(0))])) }
      }
    }
  }

  /// Checks that no other row has a one-to-one reference to a deleted row, which its context may not have known.
  mutating func checkPartnersOfDeletions() throws(SQLiteError) {
    for (index, row) in request.deletions.enumerated() where row.layout.hasToOneSlots {
      lookUpRelationships(of: row.layout)
      for relationship in relationships.all where !relationship.keepsKey {
        guard let back = relationship.back else { continue }
        for other in try rows(of: relationship.destination, referringBy: back.column, to: row.objectID.key) {
          found.append(.partner(.deletion(index), slot: relationship.slot, other: other, .applyRule))
        }
      }
    }
  }
}
