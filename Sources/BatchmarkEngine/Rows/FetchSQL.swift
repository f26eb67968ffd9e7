// The SELECT a person writes by hand for rows that a query asks for.
package import CoreDataModel
internal import ObjectGraph

/// A statement that reads columns of the rows that a query asks for.
package struct FetchSQL {
  package let text: String
  /// The values of its parameters.
  package let values: [StoredValue]

  /// Rows of a query without an order come in the order of their keys.
  package init(_ columns: String, _ query: FetchQuery, of entity: EntityDescription) {
    let filter = query.condition.map { ConditionSQL($0, entity: entity) }
    let rows = filter.map { " WHERE " + $0.sql } ?? ""
    // A negative limit is none.
    let part = query.isPart ? " LIMIT \(query.limit ?? -1) OFFSET \(query.offset)" : ""
    let order = FetchSQL.order(of: query, entity) ?? "Z_PK"
    text = "SELECT \(columns) FROM \(entity.tableName)\(rows) ORDER BY \(order)\(part)"
    values = filter?.parameters ?? []
  }

  /// What stands behind ORDER BY; nil where the query has no order.
  package static func order(of query: FetchQuery, _ entity: EntityDescription) -> String? {
    query.order.flatMap { entity.attribute(named: $0) }.map { $0.columnName + (query.isAscending ? "" : " DESC") }
  }

  /// Everything that a row has: its key, its version, and its attributes by their names.
  package static func columns(of entity: EntityDescription) -> String {
    (["Z_PK", "Z_OPT"] + attributes(of: entity).map(\.columnName)).joined(separator: ", ")
  }

  /// The attributes in the order in which their values are read and hashed.
  package static func attributes(of entity: EntityDescription) -> [AttributeDescription] {
    entity.attributes.sorted { $0.name < $1.name }
  }
}
