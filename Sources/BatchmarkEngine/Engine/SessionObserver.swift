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
  /// Takes in everything that was ingested or changed, and returns when all of it is seen.
  func merge() throws
  /// What the observer has now: checked against what is stored, since a merge that misses rows is no merge.
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
  /// By name; no descriptions, which would be copied with all that they hold for each value.
  private let attributes: [Attribute]

  private struct Attribute: Hashable {
    let name: String
    let type: AttributeType
  }

  /// No rows yet.
  public init(of entity: EntityDescription) {
    hash = ContentHash(entityName: entity.name)
    attributes = entity.attributes.sorted { $0.name < $1.name }.map { Attribute(name: $0.name, type: $0.type) }
  }

  /// Adds a row by its attributes' values, and returns the hash of these.
  @discardableResult public mutating func add(_ value: (String) -> AttributeValue) -> RowHash {
    var row = RowHash()
    for attribute in attributes { row.add(value(attribute.name), type: attribute.type) }
    add(row)
    return row
  }

  /// Adds a row by the hash of its values, which were added in the order of the attributes' names.
  public mutating func add(_ row: RowHash) {
    hash.add(row)
    rows += 1
  }

  /// The hash that the same rows have in a store.
  public var contentHash: String { hash.description }
}
