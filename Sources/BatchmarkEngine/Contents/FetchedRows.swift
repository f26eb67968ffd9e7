// The rows of a fetch, counted and hashed while it is measured, so that a fast but wrong answer is a failure.
public import CoreDataModel

/// The rows that a fetch returns.
///
/// ```swift
/// var fetched = FetchedRows(of: quake)
/// fetched.add { name in name == "code" ? "us1000ep7p" : .null }
/// fetched.rows  // 1
/// ```
public struct FetchedRows: Sendable, Hashable {
  /// How many rows were added, with or without values.
  public private(set) var rows = 0
  /// The values of all rows; `nil` if only their number was reported.
  public private(set) var contents: ObservedContents?
  /// A hash of the values of the rows and of their order.
  package private(set) var sequence: UInt64 = 0
  private let entity: EntityDescription

  /// Starts with no rows.
  public init(of entity: EntityDescription) { self.entity = entity }

  /// Adds rows without values.
  public mutating func count(_ rows: Int) { self.rows += rows }

  /// Adds a row by its attributes' values.
  public mutating func add(_ value: (String) -> AttributeValue) {
    begin()
    if let row = contents?.add(value) { sequence.add(row) }
  }

  /// Adds a row by the hash of its values, added in the order of the attributes' names.
  public mutating func add(_ row: RowHash) {
    begin()
    contents?.add(row)
    sequence.add(row)
  }

  /// Adds a row that was reached from another along a relationship.
  ///
  /// Call it each time the row is reached.
  ///
  /// - Parameters:
  ///   - row: The hash of its values, added in the order of the attributes' names.
  ///   - origin: The hash of the row it was reached from: of its values, or the result of this method for it.
  /// - Returns: The `origin` of rows that are reached from it.
  @discardableResult public mutating func add(_ row: RowHash, reachedFrom origin: RowHash) -> RowHash {
    begin()
    let reached = row.reached(from: origin)
    contents?.add(reached)
    return reached
  }

  private mutating func begin() {
    rows += 1
    if contents == nil { contents = ObservedContents(of: entity) }
  }
}

extension RowHash {
  /// The hash of a row together with the row it was reached from.
  package func reached(from origin: RowHash) -> RowHash {
    var reached = self
    reached.add(origin)
    return reached
  }
}

extension UInt64 {
  /// Adds a row to an order-dependent hash.
  package mutating func add(_ row: RowHash) { self = (self ^ row.word) &* 0x0000_0100_0000_01B3 }
}
