// An object that shows stored objects and is notified of changes, like the list on an app's screen.
public import CoreDataModel

/// Keeps the rows of a session's store in memory.
///
/// It is notified of stored rows only in the merge phase.
///
/// ```swift
/// final class RowList: SessionObserver {
///   let entity: EntityDescription
///   private var codes: [String] = []
///   init(_ entity: EntityDescription) { self.entity = entity }
///   func merge() throws { codes = [] }  // and reads what is stored
///   func contents() throws -> ObservedContents { ObservedContents(of: entity) }
/// }
/// ```
public protocol SessionObserver: AnyObject {
  /// Merges everything that was ingested or changed, and returns when all of it is visible.
  func merge() throws
  /// The observer's current rows. The harness compares them with the store, to detect a merge that misses rows.
  func contents() throws -> ObservedContents
}

/// The rows that an observer has in memory.
///
/// ```swift
/// var contents = ObservedContents(of: quake)
/// contents.add { name in name == "code" ? "us1000ep7p" : .null }
/// contents.rows  // 1
/// ```
public struct ObservedContents: Sendable, Hashable {
  /// The number of added rows.
  public private(set) var rows = 0
  private var hash: ContentHash
  /// The attributes by name, without their descriptions, which would be copied for each value.
  private let attributes: [Attribute]

  private struct Attribute: Hashable {
    let name: String
    let type: AttributeType
  }

  /// An attribute to order rows by.
  public struct SortKey: Sendable, Hashable, CustomStringConvertible {
    public let attribute: String
    public let isAscending: Bool

    /// An order by the attribute's values, ascending by default.
    public init(_ attribute: String, ascending isAscending: Bool = true) {
      self.attribute = attribute
      self.isAscending = isAscending
    }

    /// The attribute, and whether the order is descending.
    public var description: String { attribute + (isAscending ? "" : " descending") }
  }

  /// The declared order of the rows, the most significant key first; empty for unordered rows.
  public let order: [SortKey]
  /// The first row, from 0, that sorts before its predecessor; `nil` if all rows are in order.
  ///
  /// Rows with equal sort keys may come in any order.
  public private(set) var firstOutOfOrder: Int?
  private var last: [StoredValue] = []

  /// Starts with no rows.
  ///
  /// Rows must be added in the given order.
  public init(of entity: EntityDescription, orderedBy order: [SortKey] = []) {
    self.order = order
    hash = ContentHash(entityName: entity.name)
    attributes = entity.attributes.sorted { $0.name < $1.name }.map { Attribute(name: $0.name, type: $0.type) }
  }

  /// Adds a row by its attributes' values, and returns the hash of these values.
  @discardableResult public mutating func add(_ value: (String) -> AttributeValue) -> RowHash {
    var row = RowHash()
    for attribute in attributes { row.add(value(attribute.name), type: attribute.type) }
    if !order.isEmpty { compare(value) }
    add(row)
    return row
  }

  /// Compares a row's values with those of the previous row.
  private mutating func compare(_ value: (String) -> AttributeValue) {
    let values = order.map { key in
      StoredValue(value(key.attribute), type: attributes.first { $0.name == key.attribute }?.type ?? .string)
    }
    if rows > 0, firstOutOfOrder == nil {
      for (key, (one, two)) in zip(order, zip(last, values)) where one != two {
        if key.isAscending ? two.sorts(before: one) : one.sorts(before: two) { firstOutOfOrder = rows }
        break
      }
    }
    last = values
  }

  /// Adds an unordered row by the hash of its values, added in the order of the attributes' names.
  public mutating func add(_ row: RowHash) {
    hash.add(row)
    rows += 1
  }

  /// The hash that the same rows have in a store.
  public var contentHash: String { hash.description }
}
