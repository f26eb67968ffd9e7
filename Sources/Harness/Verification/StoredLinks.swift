// The links of rows, read back from a store or computed from the source.
internal import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver

/// The rows of one link, and the objects they are linked to.
package struct StoredLinks: Codable, Sendable, Hashable {
  package var relationship: String
  /// How many rows are linked.
  package var linkedRows: Int
  /// A hash of every row's values with the name of its linked object, independent of their order.
  package var hash: String
  /// How many objects rows can be linked to, whether or not any row is.
  package var objects: Int
  /// A hash of their names.
  package var objectsHash: String

  package init(relationship: String, linkedRows: Int, hash: String, objects: Int, objectsHash: String) {
    self.relationship = relationship
    self.linkedRows = linkedRows
    self.hash = hash
    self.objects = objects
    self.objectsHash = objectsHash
  }
}

/// Adds up the rows of a link or a relationship and the objects that they are linked to, in any order.
///
/// Rows are identified by their values alone: two rows with the same values cannot be distinguished.
struct LinkTally {
  private let name: String
  private var rows: ContentHash
  private var objects: ContentHash
  private var destinations: Set<RowHash> = []
  private var linkedRows = 0
  private var objectCount = 0

  /// Starts the tally of a link; rows and objects are added separately.
  init(_ link: Link, of entityName: String) {
    name = link.relationship
    rows = ContentHash(entityName: entityName)
    objects = ContentHash(entityName: link.destinationEntityName)
  }

  /// Starts the tally of a relationship.
  init(_ relationship: String, of entityName: String) {
    name = "\(entityName).\(relationship)"
    rows = ContentHash(entityName: name)
    objects = rows
  }

  /// Adds a row; the hash covers its values and then its linked object.
  mutating func add(row: RowHash, isLinked: Bool) {
    rows.add(row)
    if isLinked { linkedRows += 1 }
  }

  /// Adds an object; the hash covers its name.
  mutating func add(object: RowHash) {
    objects.add(object)
    objectCount += 1
  }

  /// Adds a pair of rows, each with its position among those of the other, from 0; 0 if that end has no order.
  mutating func add(from source: RowHash, to destination: RowHash, position: Int = 0, inversePosition: Int = 0) {
    var row = source
    row.add(destination)
    row.add(Int64(position))
    row.add(Int64(inversePosition))
    add(row: row, isLinked: true)
    if destinations.insert(destination).inserted { add(object: destination) }
  }

  var links: StoredLinks {
    StoredLinks(
      relationship: name, linkedRows: linkedRows, hash: rows.description, objects: objectCount,
      objectsHash: objects.description)
  }
}

extension RowHash {
  /// The hash that replaces a deleted row.
  static let gone: RowHash = {
    var hash = RowHash()
    hash.addNull()
    return hash
  }()
}

extension StoredLinks {
  /// Reads the links of every row of the entity.
  ///
  /// A key without an object counts as a dangling key.
  init(reading columns: LinkColumns, of entity: EntityDescription, over connection: Connection) throws {
    var tally = LinkTally(columns.link, of: entity.name)
    let attributes = entity.attributes.sorted { $0.name < $1.name }
    let values = attributes.map { "source.\($0.columnName), " }.joined()
    let rows = try connection.prepare(
      "SELECT \(values)source.\(columns.key), destination.\(columns.destinationName) FROM \(entity.tableName) AS source "
        + "LEFT JOIN \(columns.destinationTable) AS destination ON destination.Z_PK = source.\(columns.key)")
    let (key, name) = (attributes.count, attributes.count + 1)
    while try rows.step() {
      var row = RowHash()
      for (index, attribute) in attributes.enumerated() {
        _ = row.add(index, of: rows, as: attribute.type.storageClass)
      }
      if rows.isNull(key) || !rows.isNull(name) {
        _ = row.add(name, of: rows, as: .text)
      } else {
        row.add(rows.int64(key))
      }
      tally.add(row: row, isLinked: !rows.isNull(key))
    }
    let objects = try connection.prepare("SELECT \(columns.destinationName) FROM \(columns.destinationTable)")
    while try objects.step() {
      var object = RowHash()
      _ = object.add(0, of: objects, as: .text)
      tally.add(object: object)
    }
    self = tally.links
  }
}
