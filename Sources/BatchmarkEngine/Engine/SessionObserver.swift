// What shows stored objects and is notified of changes, as the list on an app's screen is.
public import CoreDataModel

/// Holds the rows of a session's store in memory, and is notified of what the session stored only in the merge phase.
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
  /// What the observer has now. The harness compares it with the store, to detect a merge that misses rows.
  func contents() throws -> ObservedContents
}

/// The rows an observer has in memory.
///
/// ```swift
/// var contents = ObservedContents(of: quake)
/// contents.add { name in name == "code" ? "us1000ep7p" : .null }
/// contents.rows  // 1
/// ```
public struct ObservedContents: Sendable, Hashable {
  /// How many rows were added.
  public private(set) var rows = 0
  private var hash: ContentHash
  /// The attributes by name, without their descriptions, which would be copied for each value.
  private let attributes: [Attribute]

  private struct Attribute: Hashable {
    let name: String
    let type: AttributeType
  }

  /// An attribute that rows are ordered by.
  public struct SortKey: Sendable, Hashable, CustomStringConvertible {
    public let attribute: String
    public let isAscending: Bool

    /// An order by the attribute's values, the least first unless it says otherwise.
    public init(_ attribute: String, ascending isAscending: Bool = true) {
      self.attribute = attribute
      self.isAscending = isAscending
    }

    /// The attribute, and whether the greatest comes first.
    public var description: String { attribute + (isAscending ? "" : " descending") }
  }

  /// What the rows were said to be ordered by, the first counting most; empty for rows in no order.
  public let order: [SortKey]
  /// The first row, from 0, that sorts before its predecessor; nil if all are in order.
  ///
  /// Rows with equal sort keys may come in any order.
  public private(set) var firstOutOfOrder: Int?
  private var last: [StoredValue] = []

  /// No rows yet; each that is added comes behind the one before by the order.
  public init(of entity: EntityDescription, orderedBy order: [SortKey] = []) {
    self.order = order
    hash = ContentHash(entityName: entity.name)
    attributes = entity.attributes.sorted { $0.name < $1.name }.map { Attribute(name: $0.name, type: $0.type) }
  }

  /// Adds a row by its attributes' values, and returns the hash of these.
  @discardableResult public mutating func add(_ value: (String) -> AttributeValue) -> RowHash {
    var row = RowHash()
    for attribute in attributes { row.add(value(attribute.name), type: attribute.type) }
    if !order.isEmpty { compare(value) }
    add(row)
    return row
  }

  /// Compares a row's values with those of the one before it.
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

  /// Adds a row, in no order, by the hash of its values, which were added in the order of the attributes' names.
  public mutating func add(_ row: RowHash) {
    hash.add(row)
    rows += 1
  }

  /// The hash that the same rows have in a store.
  public var contentHash: String { hash.description }
}
