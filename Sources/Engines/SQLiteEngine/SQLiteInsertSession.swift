// A store that plain SQLite inserts rows into, with the keys of their destinations.
internal import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver

/// A session of the `sqlite` engine that inserts.
final class SQLiteInsertSession: ConnectionSession, InsertSession {
  let connection: Connection
  /// One for each entity with rows.
  private let insertions: [RowInsertion]
  /// Links the rows of one entity after they have been stored.
  private let linkStatements: LinkStatements
  private let entities: [StoredEntity]
  private let storesRelationships: Bool

  /// Creates and opens the store.
  ///
  /// `linking` says whether rows of one entity are linked together with their values or after all of them have been
  /// stored. Rows of several entities are stored with their keys.
  init(_ setup: StoreSetup, _ cell: Cell, rowsPerStep: RowCount, linking: RelationshipStorage) throws {
    try setup.createStore()
    connection = try setup.connect()
    try connection.execute(StoreSetup.firstWrite)
    let links = try setup.linkColumns
    linkStatements = LinkStatements(linking == .afterwards ? links : [], of: try setup.entity)
    entities = setup.storedEntities
    storesRelationships = cell[.relationships] == .all && setup.hasRelatedRows
    insertions = try entities.map { [connection, storesRelationships] entity in
      try RowInsertion(
        into: entity, policy: setup.mergePolicy, connection: connection, rowsPerStep: rowsPerStep,
        links: linking == .withRows ? links : [],
        keyColumns: storesRelationships ? RelatedKeys.columns(of: entity) : [])
    }
  }

  func insert(_ source: SourceRows) throws {
    try connection.transaction {
      let keys = storesRelationships ? try RelatedKeys(source, entities, over: connection) : nil
      for (index, (insertion, rows)) in zip(insertions, source.tables).enumerated() {
        try insertion.add(rows, keys: keys?.columns(ofTable: index) ?? [])
      }
      try keys?.insertJoins(over: connection)
      try linkStatements.run(over: connection)
    }
  }
}

/// Statements that link rows inserted several per step, for a separate transaction.
struct LinkStatements {
  private let texts: [String]

  init(_ links: [LinkColumns], of entity: EntityDescription) {
    texts =
      links.flatMap { LinkStatements.texts(of: $0, from: entity.tableName) }
      + (links.isEmpty ? [] : [LinkStatements.update(of: links, in: entity.tableName)])
  }

  func run(over connection: Connection) throws(SQLiteError) {
    for text in texts { try connection.execute(text) }
  }

  /// The rows of the destination, and its last key.
  private static func texts(of link: LinkColumns, from table: String) -> [String] {
    let (destination, name) = (link.destinationTable, link.destinationName)
    let ofEntity = "WHERE Z_NAME = '\(link.link.destinationEntityName)'"
    return [
      "INSERT INTO \(destination) (Z_PK, Z_ENT, Z_OPT, \(name)) "
        + "SELECT Z_MAX + row_number() OVER (), Z_ENT, 1, name FROM Z_PRIMARYKEY, "
        + "(SELECT \(link.name) AS name FROM \(table) WHERE \(link.name) IS NOT NULL "
        + "EXCEPT SELECT \(name) FROM \(destination)) \(ofEntity)",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT coalesce(max(Z_PK), 0) FROM \(destination)) \(ofEntity)",
    ]
  }

  /// The versions stay the same, because nothing has read the rows yet.
  private static func update(of links: [LinkColumns], in table: String) -> String {
    let settings = links.map { link in
      let (destination, name) = (link.destinationTable, link.destinationName)
      return "\(link.key) = (SELECT Z_PK FROM \(destination) WHERE \(destination).\(name) = \(table).\(link.name))"
    }
    return "UPDATE \(table) SET \(settings.joined(separator: ", "))"
  }
}
