// Relationships followed by GRDB: a request with associations, which reads each to-many relationship with one
// statement.
internal import BatchmarkEngine
internal import CoreDataModel
internal import GRDB

extension GRDBFetchSession {
  /// Reads the rows with their associated rows, and hashes every value.
  ///
  /// GRDB passes the keys of all rows as parameters of the statement for a to-many relationship.
  func follow(
    _ database: Database, _ query: FetchQuery, _ path: [FollowedRelationship], into rows: inout FetchedRows
  ) throws {
    let root = PathColumns(entity.attributes.sorted { $0.name < $1.name }.map { ($0.columnName, $0.type) })
    let places = path.map { PathColumns($0.columns.map { ($0.name, $0.type) }) }
    let table = Table(entity.tableName)
    let request = including(
      path[...], from: table, in: chosen(from: table.all().select(root.selection(before: path[...])), query))
    let found: [Row]
    do {
      found = try Row.fetchAll(database, request)
    } catch let error as DatabaseError where error.message == "too many SQL variables" {
      throw EngineError.tooManyRows(
        path: query.path.joined(separator: "."), limit: database.maximumStatementArgumentCount)
    }
    hold(found)
    for row in found {
      let hash = root.hash(row)
      rows.add(hash)
      visit(row, hash, path[...], places[...], into: &rows)
    }
  }

  /// The rows of the query.
  private func chosen(from all: QueryInterfaceRequest<Row>, _ query: FetchQuery) -> QueryInterfaceRequest<Row> {
    let column = query.order.flatMap { entity.attribute(named: $0) }.map { GRDB.Column($0.columnName) }
    var request = all
    if let column {
      request = query.isAscending ? request.order(column) : request.order(column.desc)
    } else {
      request = request.order(GRDB.Column("Z_PK"))
    }
    if query.isPart { request = request.limit(query.limit ?? Int.max, offset: query.offset) }
    // The condition is SQL, and joined tables may have columns with the same names.
    let table = "fetched"
    return filtered(request.aliased(TableAlias<Row>(name: table)), query, table: table)
  }

  /// The request with everything on the path.
  private func including<Request: DerivableRequest>(
    _ path: ArraySlice<FollowedRelationship>, from table: Table<Row>, in request: Request
  ) -> Request where Request.RowDecoder == Row {
    guard let relationship = path.first else { return request }
    let destination = Table(relationship.destination.tableName)
    let selection = PathColumns(relationship.columns.map { ($0.name, $0.type) }).selection(before: path.dropFirst())
    let key = relationship.name
    func rest<Reached: DerivableRequest>(_ reached: Reached) -> Reached where Reached.RowDecoder == Row {
      including(path.dropFirst(), from: destination, in: reached.select(selection))
    }
    switch relationship.storage {
    case .key(let column):
      return request.including(
        optional: rest(table.belongsTo(destination, key: key, using: ForeignKey([column], to: ["Z_PK"]))))
    case .inverseKey(let column):
      let foreignKey = ForeignKey([column], to: ["Z_PK"])
      return relationship.isToMany
        ? request.including(all: rest(table.hasMany(destination, key: key, using: foreignKey)))
        : request.including(optional: rest(table.hasOne(destination, key: key, using: foreignKey)))
    case .join(let join, let source, let target):
      let pivot = Table(join)
      return request.including(
        all: rest(
          table.hasMany(
            Row.self, through: table.hasMany(pivot, using: ForeignKey([source], to: ["Z_PK"])),
            using: pivot.belongsTo(destination, using: ForeignKey([target], to: ["Z_PK"])), key: key)))
    }
  }

  /// Visits the destinations of a row.
  private func visit(
    _ row: Row, _ origin: RowHash, _ path: ArraySlice<FollowedRelationship>, _ places: ArraySlice<PathColumns>,
    into rows: inout FetchedRows
  ) {
    guard let relationship = path.first, let columns = places.first else { return }
    func reach(_ destination: Row) {
      let hash = rows.add(columns.hash(destination), reachedFrom: origin)
      visit(destination, hash, path.dropFirst(), places.dropFirst(), into: &rows)
    }
    if relationship.isToMany {
      for destination in row.prefetchedRows[relationship.name] ?? [] { reach(destination) }
    } else if let destination = row.scopes[relationship.name], !destination.hasNull(atIndex: 0) {
      reach(destination)
    }
  }
}

/// The columns of the rows at one position of a path.
private struct PathColumns {
  private let columns: [String]
  private let fields: [FetchedRecords.Field]

  /// The columns of some attributes, in the order of hashing.
  init(_ attributes: [(column: String, type: AttributeType)]) {
    columns = attributes.map(\.column)
    fields = attributes.map { FetchedRecords.Field(key: ColumnKey($0.column), storage: $0.type.storageClass) }
  }

  /// The columns to read of each row, from which the path continues.
  ///
  /// A to-many relationship after to-one ones is read by the keys of these rows.
  func selection(before path: ArraySlice<FollowedRelationship>) -> [any SQLSelectable] {
    var names = ["Z_PK", "Z_OPT"] + columns
    if case .key(let column)? = path.first?.storage, path.contains(where: \.isToMany) { names.append(column) }
    return names.map { GRDB.Column($0) }
  }

  func hash(_ row: Row) -> RowHash {
    var hash = RowHash()
    for (index, field) in fields.enumerated() { hash.add(field.value(row, index + 2)) }
    return hash
  }
}
