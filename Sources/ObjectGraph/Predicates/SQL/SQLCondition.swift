// A predicate and an order as parts of a SELECT.
internal import CoreDataModel

/// What follows `FROM <table> t0` to fetch the objects that match a predicate, in an order.
///
/// The connection needs ``PredicateFunctions``. The joins never change the number of rows, so that counts and limits
/// work without `DISTINCT`.
struct SQLCondition: Sendable, Hashable {
  /// The alias of the entity's own table.
  static let rootAlias = "t0"

  /// ` LEFT JOIN …` with a leading space, or empty.
  var joins: String
  /// What follows `WHERE`.
  var condition: String
  /// What follows `ORDER BY`; empty for no order.
  var ordering: String
  /// One for each `?`: first those of the condition, then those of the order.
  var parameters: [AttributeValue]
  /// The sort values, as columns that the order refers to; empty unless requested.
  ///
  /// Each starts with a comma.
  private(set) var sortColumns = SQLFragment("")

  /// - Throws: ``FetchPredicateError`` if the predicate or the order does not fit the entity.
  init(
    _ predicate: FetchPredicate = .constant(true), sortedBy descriptors: [FetchSortDescriptor] = [],
    readsSortColumns: Bool = false, entity: String, schema: any PredicateSchema
  ) throws(FetchPredicateError) {
    let generator = SQLGenerator(schema: schema)
    let scope = SQLScope(root: .init(alias: SQLCondition.rootAlias, entity: entity))
    let condition = try generator.condition(predicate, scope).withSelectedParameters
    var terms: [SQLFragment] = []
    if readsSortColumns {
      (sortColumns, terms) = try generator.sortColumns(descriptors, scope)
    } else {
      for descriptor in descriptors { terms.append(try generator.term(of: descriptor, scope)) }
    }
    let ordering = SQLFragment.sequence(terms, separator: ", ")
    joins = try scope.joinedTables()
    self.condition = condition.sql
    self.ordering = ordering.sql
    parameters = condition.parameters + ordering.parameters
  }
}
