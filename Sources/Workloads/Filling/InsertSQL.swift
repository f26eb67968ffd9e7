// The INSERT a person writes by hand, with the clause the merge policy asks for where values must be unique.
package import ObjectGraph

/// Plain SQL that inserts into an entity's table.
///
/// A row's parameters are its key and then its attributes, in the entity's order.
package struct InsertSQL {
  private let entity: EntityDescription
  private let entityNumber: Int64
  private let policy: MergePolicy

  package init(into entity: EntityDescription, entityNumber: Int64, policy: MergePolicy) {
    self.entity = entity
    self.entityNumber = entityNumber
    self.policy = policy
  }

  package var parametersARow: Int { entity.attributes.count + 1 }

  /// The statement for so many rows.
  ///
  /// One of several rows that fails gives up the whole transaction, which is what its caller would do. Were only the
  /// statement to be undone, SQLite would first copy every page that it touches.
  package func text(rows: Int) -> String {
    let columns = entity.attributes.map(\.columnName)
    let row = "(?, \(entityNumber), 1, \(columns.map { _ in "?" }.joined(separator: ", ")))"
    return "INSERT \(rows > 1 ? "OR ROLLBACK " : "")INTO \(entity.tableName) "
      + "(Z_PK, Z_ENT, Z_OPT, \(columns.joined(separator: ", "))) VALUES "
      + Array(repeating: row, count: rows).joined(separator: ", ") + conflictClauses(columns)
  }

  private func conflictClauses(_ columns: [String]) -> String {
    entity.uniquenessConstraints.map { (constraint: [String]) -> String in
      let unique = constraint.compactMap { entity.attribute(named: $0)?.columnName }
      let target = " ON CONFLICT (\(unique.joined(separator: ", "))) DO "
      switch policy.mergeType {
      case .error, .storeTrump, .rollback: return target + "NOTHING"
      case .objectTrump, .overwrite:
        let others = columns.filter { !unique.contains($0) }.map { ", \($0) = excluded.\($0)" }
        return target + "UPDATE SET Z_OPT = Z_OPT + 1\(others.joined())"
      }
    }.joined()
  }
}
