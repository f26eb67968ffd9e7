// Hand-written statements to update or delete rows: one for their keys and one per key, or one for all rows.
package import CoreDataModel
internal import ObjectGraph

/// Plain SQL that changes the rows that match a condition.
package struct ChangeSQL {
  /// What to do with each row.
  package enum Change: Sendable {
    case update([Assignment])
    case delete
  }

  /// The statement before its WHERE; its parameters are ``assigned``.
  package let verb: String
  /// The WHERE clause for the rows; empty for all of them.
  package let rows: String
  /// The values that an update sets, in the order of its parameters; empty for a deletion.
  package let assigned: [StoredValue]
  /// The values of the parameters of ``rows``.
  package let values: [StoredValue]
  /// Reads the keys and versions of the rows, in key order.
  package let find: String
  /// Changes the row with a key; a deletion also compares the version.
  package let byKey: String
  /// Changes all rows.
  package var all: String { verb + rows }

  package init(_ change: Change, where condition: RowCondition?, of entity: EntityDescription) {
    let filter = condition.map { ConditionSQL($0, entity: entity) }
    rows = filter.map { " WHERE " + $0.sql } ?? ""
    values = filter?.parameters ?? []
    find = ChangeSQL.find(entity, rows)
    switch change {
    case .delete:
      verb = "DELETE FROM \(entity.tableName)"
      byKey = verb + " WHERE Z_PK = ? AND Z_OPT = ?"
      assigned = []
    case .update(let assignments):
      let known = assignments.compactMap { assignment in
        entity.attribute(named: assignment.attribute).map { (attribute: $0, value: assignment.value) }
      }
      let columns = known.map { "\($0.attribute.columnName) = ?, " }.joined()
      verb = "UPDATE \(entity.tableName) SET \(columns)Z_OPT = Z_OPT + 1"
      byKey = verb + " WHERE Z_PK = ?"
      assigned = known.map { StoredValue($0.value, type: $0.attribute.type) }
    }
  }

  /// Reads the keys and versions of some rows, in key order.
  package static func find(_ entity: EntityDescription, _ rows: String, descending: Bool = false) -> String {
    "SELECT Z_PK, Z_OPT FROM \(entity.tableName)\(rows) ORDER BY Z_PK\(descending ? " DESC" : "")"
  }
}
