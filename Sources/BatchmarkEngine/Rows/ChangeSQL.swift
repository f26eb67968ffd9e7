// The statements a person writes by hand to update or delete rows: one for their keys and one by key, or one for all of them.
package import CoreDataModel
internal import ObjectGraph

/// Plain SQL that changes the rows that meet a condition.
package struct ChangeSQL {
  /// What is done to each row.
  package enum Change: Sendable {
    case update([Assignment])
    case delete
  }

  /// The statement up to its WHERE; its parameters are ``assigned``.
  package let verb: String
  /// The WHERE of the rows; empty for all of them.
  package let rows: String
  /// The values that an update gives, in the order of its parameters; empty for a deletion.
  package let assigned: [StoredValue]
  /// The values of the parameters of ``rows``.
  package let values: [StoredValue]
  /// Reads the keys and versions of the rows, in the order of the keys.
  package let find: String
  /// Changes the row of a key; a deletion also asks for the version.
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

  /// Reads the keys and versions of some rows, in the order of their keys.
  package static func find(_ entity: EntityDescription, _ rows: String, descending: Bool = false) -> String {
    "SELECT Z_PK, Z_OPT FROM \(entity.tableName)\(rows) ORDER BY Z_PK\(descending ? " DESC" : "")"
  }
}
