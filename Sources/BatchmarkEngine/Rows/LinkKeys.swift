// The keys of linked objects, looked up during the insert. Missing objects are inserted.
internal import CoreDataModel
internal import ObjectGraph
internal import SQLiteDriver

/// The destination's keys by name, over one connection.
final class LinkKeys {
  private let columns: LinkColumns
  private let connection: Connection
  private let insert: Statement
  private let entityNumber: Int64
  private var keys: [TextKey: Int64] = [:]
  private var lastKey: Int64

  /// Prepares the destination's statement.
  ///
  /// It does not know rows that are stored already.
  init(_ columns: LinkColumns, connection: Connection) throws(SQLiteError) {
    self.columns = columns
    self.connection = connection
    let ofEntity = "FROM Z_PRIMARYKEY WHERE Z_NAME = '\(columns.link.destinationEntityName)'"
    entityNumber = try connection.scalar("SELECT Z_ENT \(ofEntity)") ?? 0
    lastKey = try connection.scalar("SELECT Z_MAX \(ofEntity)") ?? 0
    insert = try connection.prepare(
      "INSERT INTO \(columns.destinationTable) (Z_PK, Z_ENT, Z_OPT, \(columns.destinationName)) "
        + "VALUES (?, \(entityNumber), 1, ?)")
  }

  /// The rows' names, prepared for binding as keys.
  func binding(_ rows: ColumnarRows) -> LinkBinding? {
    for (attribute, column) in zip(rows.attributes, rows.columns) where attribute.name == columns.link.attribute {
      guard case .text(let names) = column else { return nil }
      return LinkBinding(
        keys: self, names: names, fallback: StoredValue(attribute.defaultValue, type: attribute.type).text)
    }
    return nil
  }

  func key(of name: String) throws(SQLiteError) -> Int64 {
    if let key = keys[TextKey(name)] { return key }
    lastKey += 1
    keys[TextKey(name)] = lastKey
    try insert.bind(lastKey, at: 1)
    try insert.bind(text: name, at: 2)
    try insert.run()
    return lastKey
  }

  /// Records the last key, at the end of the transaction.
  func noteLastKey() throws(SQLiteError) {
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(lastKey) WHERE Z_ENT = \(entityNumber)")
  }
}

/// The names in the rows of one source.
struct LinkBinding {
  fileprivate let keys: LinkKeys
  fileprivate let names: BytesColumn
  fileprivate let fallback: String?

  /// Binds the key of the row's linked object, or null.
  func bind(_ row: Int, to statement: Statement, at index: Int) throws(SQLiteError) {
    guard let name = names.string(at: row) ?? fallback else { return try statement.bindNull(at: index) }
    try statement.bind(keys.key(of: name), at: index)
  }
}

/// A text that equals another one if both have the same bytes, as in SQLite.
///
/// Swift's own `==` is also true for texts that only look the same, such as an `é` of one code point and one of two.
package struct TextKey: Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: TextKey, other: TextKey) -> Bool {
    // On Linux, Swift stores texts as contiguous UTF-8.
    let isSame = one.text.utf8.withContiguousStorageIfAvailable { mine in
      other.text.utf8.withContiguousStorageIfAvailable { mine.count == $0.count && mine.elementsEqual($0) }
    }
    return (isSame ?? nil) ?? one.text.utf8.elementsEqual(other.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    // Equal bytes imply equal texts, so the hash of the text is valid.
    text.hash(into: &hasher)
  }
}
