// A fetch of dictionaries as one SELECT.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The SELECT of a dictionary fetch, and how to read its columns.
///
/// The order of the rows is always defined: if sort descriptors do not decide, groups are ordered by their grouping
/// values, distinct rows by their values, and all others by their keys.
struct SQLDictionaryQuery {
  /// How to read a column's value.
  enum ColumnType: Equatable {
    case attribute(AttributeType)
    /// An integer or a double, as stored.
    case number
    /// An object: its key, followed by a column with its entity number.
    case object
  }

  struct Column {
    let name: String
    let reading: Reading
  }

  /// The position and the type of a value in a result row.
  struct Reading {
    let type: ColumnType
    /// The index of the value, or of its first part.
    let index: Int
  }

  private(set) var columns: [Column] = []
  /// How many columns the values take in a result row.
  private(set) var valueCount = 0
  /// Without a limit.
  private(set) var select = SQLFragment("")
  /// Whether to read sort values after the columns, so that results of several stores can be merged.
  private let readsSortColumns: Bool
  private let request: FetchRequest<ManagedObject>
  private let schema: any PredicateSchema

  /// - Parameters:
  ///   - request: What to fetch.
  ///   - restriction: A condition on the rows of the entity's table before the request's own; empty for none.
  ///   - schema: The entity's tables.
  ///   - readsSortColumns: Whether the rows will be merged with those of other stores.
  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)``, ``ObjectGraphError/predicate(_:)``.
  init(
    _ request: FetchRequest<ManagedObject>, restriction: String = "", schema: any PredicateSchema,
    readsSortColumns: Bool = false
  ) throws(ObjectGraphError) {
    self.readsSortColumns = readsSortColumns
    self.request = request
    self.schema = schema
    let properties = try request.checkedProperties(schema)
    if readsSortColumns {
      try request.checkForSeveralStores(
        aggregates: properties.contains { $0.aggregatesRows(of: request.entityName, schema) })
    }
    do throws(FetchPredicateError) {
      try generate(properties, restriction)
    } catch {
      throw .predicate(error)
    }
  }

  private mutating func generate(
    _ properties: [FetchedProperty], _ restriction: String
  ) throws(FetchPredicateError) {
    let entity = request.entityName
    let generator = SQLGenerator(schema: schema)
    let scope = SQLScope(root: .init(alias: SQLCondition.rootAlias, entity: entity))
    let condition = try generator.condition(request.predicate ?? .constant(true), scope).withSelectedParameters
    let groups = request.propertiesToGroupBy.map { FetchPath($0) }
    var groupTerms: [SQLFragment] = []
    for path in groups { groupTerms.append(try generator.operand(path, scope).sql) }

    let isGrouped = !groups.isEmpty || properties.contains { $0.aggregatesRows(of: entity, schema) }
    generator.rows = SQLRowNames(groups: isGrouped ? groups : nil)
    var values: [SQLFragment] = []
    for property in properties {
      let operand = try generator.operand(property.expression, scope)
      let index = values.count
      if operand.kind == .object {
        guard case .path(let path) = property.expression else {
          throw .unsupported(in: property.name, reason: "found a given object; expected a path to objects of the rows")
        }
        let object = try generator.object(at: path, scope)
        values += [object.key, object.entityNumber]
        columns.append(Column(name: property.name, reading: Reading(type: .object, index: index)))
      } else {
        values.append(operand.sql)
        let reading = Reading(type: type(of: property.expression), index: index)
        columns.append(Column(name: property.name, reading: reading))
      }
    }
    valueCount = values.count
    for case .expression(let description) in properties {
      generator.rows?.expressions[description.name] = description.expression
    }
    let having = try request.havingPredicate.map { (predicate) throws(FetchPredicateError) in
      try generator.condition(predicate, scope).withSelectedParameters
    }
    var order: [SQLFragment] = []
    var sortColumns = SQLFragment("")
    if readsSortColumns {
      (sortColumns, order) = try generator.sortColumns(request.sortDescriptors, scope)
    } else {
      for descriptor in request.sortDescriptors { order.append(try generator.term(of: descriptor, scope)) }
    }
    order += request.returnsDistinctResults ? values : isGrouped ? groupTerms : ["\(raw: SQLCondition.rootAlias).Z_PK"]

    let joins = try scope.joinedTables()
    let table = "\(schema.tableName(of: entity)) \(SQLCondition.rootAlias)"
    let restriction = restriction.isEmpty ? "" : restriction + " AND "
    select = """
      SELECT \(raw: request.returnsDistinctResults ? "DISTINCT " : "")\(.sequence(values, separator: ", "))\(sortColumns) \
      FROM \(raw: table + joins) WHERE \(raw: restriction)(\(condition))
      """
    if !groupTerms.isEmpty { select = "\(select) GROUP BY \(.sequence(groupTerms, separator: ", "))" }
    if let having { select = "\(select) HAVING (\(having))" }
    if !order.isEmpty { select = "\(select) ORDER BY \(.sequence(order, separator: ", "))" }
  }

  private func type(of expression: FetchExpression) -> ColumnType {
    switch expression {
    case .path(let path), .aggregate(.minimum, let path), .aggregate(.maximum, let path):
      if schema.withoutEntity(path, from: request.entityName) != nil {
        .attribute(.string)
      } else if case .attribute(_, let type) = schema.end(of: path, from: request.entityName) {
        .attribute(type)
      } else {
        .number
      }
    case .aggregate(.sum, let path):
      // Without rows it is 0, which is an integer in SQL.
      switch schema.end(of: path, from: request.entityName) {
      case .attribute(_, .double), .attribute(_, .float): .attribute(.double)
      case .attribute(_, .decimal): .attribute(.decimal)
      default: .number
      }
    case .constant(let value): value.type.map(ColumnType.attribute) ?? .number
    case .function(let function, _) where function.isAboutText: .attribute(.string)
    case .now: .attribute(.date)
    default: .number
    }
  }
}

extension FetchedProperty {
  var expression: FetchExpression {
    switch self {
    case .property(let name): .path(name == ReservedWord.myself.rawValue ? FetchPath(keys: []) : FetchPath(name))
    case .expression(let description): description.expression
    }
  }

  func aggregatesRows(of entity: String, _ schema: any PredicateSchema) -> Bool {
    expression.aggregatesRows(of: entity, schema)
  }
}

extension AttributeValue {
  /// The attribute type for every value of this kind; `nil` for a kind that no attribute has.
  fileprivate var type: AttributeType? {
    switch self {
    case .integer: .int64
    case .boolean: .boolean
    case .real: .double
    case .decimal: .decimal
    case .date: .date
    case .string: .string
    case .binary: .binary
    case .uuid: .uuid
    case .uri: .uri
    case .null, .reference: nil
    }
  }
}
