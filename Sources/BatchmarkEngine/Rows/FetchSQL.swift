// A hand-written SELECT for the rows of a query.
package import CoreDataModel
internal import ObjectGraph

/// A statement that reads columns of a query's rows.
package struct FetchSQL {
  package let text: String
  /// The values of its parameters.
  package let values: [StoredValue]

  /// Rows of a query without an order come in key order.
  package init(_ columns: String, _ query: FetchQuery, of entity: EntityDescription) {
    let filter = query.condition.map { ConditionSQL($0, entity: entity) }
    let rows = filter.map { " WHERE " + $0.sql } ?? ""
    // A negative limit means no limit.
    let part = query.isPart ? " LIMIT \(query.limit ?? -1) OFFSET \(query.offset)" : ""
    let order = FetchSQL.order(of: query, entity) ?? "Z_PK"
    text = "SELECT \(columns) FROM \(entity.tableName)\(rows) ORDER BY \(order)\(part)"
    values = filter?.parameters ?? []
  }

  /// The expression after ORDER BY; `nil` if the query has no order.
  package static func order(of query: FetchQuery, _ entity: EntityDescription) -> String? {
    query.order.flatMap { entity.attribute(named: $0) }.map { $0.columnName + (query.isAscending ? "" : " DESC") }
  }

  /// All columns of a row: its key, its version, and its attributes sorted by name.
  package static func columns(of entity: EntityDescription) -> String {
    (["Z_PK", "Z_OPT"] + attributes(of: entity).map(\.columnName)).joined(separator: ", ")
  }

  /// The attributes in the order of reading and hashing.
  package static func attributes(of entity: EntityDescription) -> [AttributeDescription] {
    entity.attributes.sorted { $0.name < $1.name }
  }
}
