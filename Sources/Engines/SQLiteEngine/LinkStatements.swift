// Linking rows that are stored, as SQL does it: an INSERT of every name that is new, and one UPDATE of all rows.
internal import CoreDataModel
internal import SQLiteDriver
internal import BatchmarkEngine

/// The statements that link what an insert of several rows a step stored, for its own transaction.
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

  /// The destination's rows, and its last key.
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

  /// Nobody has seen the rows yet, so their versions stay.
  private static func update(of links: [LinkColumns], in table: String) -> String {
    let settings = links.map { link in
      let (destination, name) = (link.destinationTable, link.destinationName)
      return "\(link.key) = (SELECT Z_PK FROM \(destination) WHERE \(destination).\(name) = \(table).\(link.name))"
    }
    return "UPDATE \(table) SET \(settings.joined(separator: ", "))"
  }
}
