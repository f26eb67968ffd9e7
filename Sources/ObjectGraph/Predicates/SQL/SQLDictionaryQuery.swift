// A fetch of dictionaries as one SELECT.

/// The SELECT of a dictionary fetch, and how its columns are read.
///
/// The order of the rows is settled to the last: where sort descriptors leave it open, groups come in the order of what
/// groups them, distinct rows in the order of their values, all others in the order of their keys.
struct SQLDictionaryQuery {
  /// How a column's value is read.
  enum ColumnType: Equatable {
    case attribute(AttributeType)
    /// An integer or a double, as it comes.
    case number
  }

  struct Column {
    let name: String
    let type: ColumnType
  }

  private(set) var columns: [Column] = []
  /// Without a limit.
  private(set) var select = SQLFragment("")
  private let request: FetchRequest
  private let schema: any PredicateSchema

  /// - Parameters:
  ///   - request: What to fetch.
  ///   - restriction: A condition on the rows of the entity's table before the request's own; empty for none.
  ///   - schema: How the entity lies in tables.
  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)``, ``ObjectGraphError/predicate(_:)``.
  init(
    _ request: FetchRequest, restriction: String = "", schema: any PredicateSchema
  ) throws(ObjectGraphError) {
    self.request = request
    self.schema = schema
    let properties = try checkedProperties()
    try checkDistinct(properties)
    do throws(FetchPredicateError) {
      try generate(properties, restriction)
    } catch {
      throw .predicate(error)
    }
  }

  // MARK: - Checks

  private func refusal(_ found: String, _ expected: String) -> ObjectGraphError {
    .invalidFetch(entity: request.entityName, found: found, expected: expected)
  }

  /// What to fetch, each known by a name of its own.
  private func checkedProperties() throws(ObjectGraphError) -> [FetchedProperty] {
    if request.fetchBatchSize > 0 { throw refusal("a fetchBatchSize", "0, because dictionaries are read at once") }
    if request.havingPredicate != nil, request.propertiesToGroupBy.isEmpty {
      throw refusal("a havingPredicate without propertiesToGroupBy", "both, or a condition on rows in the predicate")
    }
    for name in request.propertiesToGroupBy { try checkPath(name, in: "propertiesToGroupBy") }
    let all = schema.propertyNames(of: request.entityName)
    let attributes = all.filter { name in
      if case .attribute = schema.property(name, of: request.entityName) { true } else { false }
    }
    let properties =
      request.propertiesToFetch.isEmpty ? attributes.map(FetchedProperty.property) : request.propertiesToFetch
    var names: Set<String> = []
    for property in properties {
      switch property {
      case .property(let name):
        try checkPath(name, in: "propertiesToFetch")
        if case .toOne = schema.end(of: FetchPath(name), from: request.entityName) {
          throw refusal(
            "the relationship '\(name)' in propertiesToFetch", "an attribute, or a path to one such as '\(name).…'")
        }
      case .expression(let description):
        if description.name.isEmpty || description.name.contains(".") || all.contains(description.name) {
          throw refusal(
            "an expression named '\(description.name)'", "a name without points that no property of the entity has")
        }
      }
      if !names.insert(property.name).inserted {
        throw refusal("'\(property.name)' twice in propertiesToFetch", "every name once")
      }
    }
    return properties
  }

  private func checkPath(_ name: String, in place: String) throws(ObjectGraphError) {
    let path = FetchPath(name)
    if path.keys.isEmpty || path.keys.joined(separator: ".") != name {
      throw refusal("'\(name)' in \(place)", "the name of a property, or names with points between them")
    }
    if schema.isThroughToMany(path, from: request.entityName) {
      throw refusal(
        "'\(name)' in \(place), which goes through a to-many relationship",
        "attributes, and paths through to-one relationships")
    }
  }

  /// Of rows that became one, nothing else is left to sort by.
  private func checkDistinct(_ properties: [FetchedProperty]) throws(ObjectGraphError) {
    guard request.returnsDistinctResults else { return }
    let names = properties.map(\.name)
    for descriptor in request.sortDescriptors {
      let path = descriptor.path.keys.joined(separator: ".")
      if !names.contains(path) {
        throw refusal(
          "an order by '\(path)' with returnsDistinctResults",
          "one by what is fetched: \(names.joined(separator: ", "))")
      }
    }
  }

  // MARK: - Generation

  private mutating func generate(
    _ properties: [FetchedProperty], _ restriction: String
  ) throws(FetchPredicateError) {
    let entity = request.entityName
    let generator = SQLGenerator(schema: schema)
    let scope = SQLScope(root: .init(alias: SQLCondition.rootAlias, entity: entity))
    let condition = try generator.condition(request.predicate ?? .constant(true), scope)
    let groups = request.propertiesToGroupBy.map { FetchPath($0) }
    var groupTerms: [SQLFragment] = []
    for path in groups { groupTerms.append(try generator.operand(path, scope).sql) }

    let isGrouped = !groups.isEmpty || properties.contains { $0.aggregatesRows(of: entity, schema) }
    generator.rows = SQLRowNames(groups: isGrouped ? groups : nil)
    var values: [SQLFragment] = []
    for property in properties {
      let operand = try generator.operand(property.expression, scope)
      if operand.kind == .object {
        throw .unsupported(in: property.name, reason: "found an object; expected a value, such as an attribute of it")
      }
      values.append(operand.sql)
      columns.append(Column(name: property.name, type: type(of: property.expression)))
    }
    for case .expression(let description) in properties {
      generator.rows?.expressions[description.name] = description.expression
    }
    let having = try request.havingPredicate.map { (predicate) throws(FetchPredicateError) in
      try generator.condition(predicate, scope)
    }
    var order: [SQLFragment] = []
    for descriptor in request.sortDescriptors { order.append(try generator.term(of: descriptor, scope)) }
    order += request.returnsDistinctResults ? values : isGrouped ? groupTerms : ["\(raw: SQLCondition.rootAlias).Z_PK"]

    let joins = scope.joins.map { " " + $0 }.joined()
    let table = "\(schema.tableName(of: entity)) \(SQLCondition.rootAlias)"
    let restriction = restriction.isEmpty ? "" : restriction + " AND "
    select = """
      SELECT \(raw: request.returnsDistinctResults ? "DISTINCT " : "")\(.sequence(values, separator: ", ")) \
      FROM \(raw: table + joins) WHERE \(raw: restriction)(\(condition))
      """
    if !groupTerms.isEmpty { select = "\(select) GROUP BY \(.sequence(groupTerms, separator: ", "))" }
    if let having { select = "\(select) HAVING (\(having))" }
    if !order.isEmpty { select = "\(select) ORDER BY \(.sequence(order, separator: ", "))" }
  }

  private func type(of expression: FetchExpression) -> ColumnType {
    switch expression {
    case .path(let path), .aggregate(.minimum, let path), .aggregate(.maximum, let path):
      if case .attribute(_, let type) = schema.end(of: path, from: request.entityName) {
        .attribute(type)
      } else {
        .number
      }
    case .constant(let value): value.type.map(ColumnType.attribute) ?? .number
    default: .number
    }
  }
}

extension FetchedProperty {
  fileprivate var expression: FetchExpression {
    switch self {
    case .property(let name): .path(FetchPath(name))
    case .expression(let description): description.expression
    }
  }

  fileprivate func aggregatesRows(of entity: String, _ schema: any PredicateSchema) -> Bool {
    expression.aggregatesRows(of: entity, schema)
  }
}

extension AttributeValue {
  /// The type that holds every value of this kind; nil for what no attribute holds.
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
