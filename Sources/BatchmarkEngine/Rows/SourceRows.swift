// All rows of a source: a table for each entity with rows, and the relationships between rows.
public import CoreDataModel

/// The parsed rows of a source, the same for every engine.
///
/// A feed and the generator have unrelated rows of one entity. A store may have related rows of several.
public struct SourceRows: Sendable {
  /// In the order of the entities' numbers, including entities without rows.
  public let tables: [ColumnarRows]
  /// The relationships of the rows, with each pair of rows once; empty for unrelated rows.
  public let relationships: [RelatedRows]
  /// The pieces in which the cell saves its related rows; `nil` if all are saved at once.
  public private(set) var pieces: GraphPieces?
  /// The number of rows of all tables.
  public let count: Int
  /// Whether there is one table in which every row comes after the rows it refers to, so that the first rows refer to
  /// none of the others.
  private let isInOrder: Bool

  /// - Parameters:
  ///   - tables: The tables in the order of the entities' numbers.
  ///   - relationships: Each pair of rows once.
  ///   - isInOrder: Whether there is one table, and every row of it comes after the rows it refers to.
  public init(tables: [ColumnarRows], relationships: [RelatedRows] = [], isInOrder: Bool = false) {
    self.tables = tables
    self.relationships = relationships
    self.isInOrder = isInOrder
    count = tables.reduce(0) { $0 + $1.count }
  }

  public init(_ table: ColumnarRows) { self.init(tables: [table]) }

  /// Divides related rows, or rows of several entities, into pieces with this many roots.
  package mutating func divide(by roots: RowCount) {
    guard case .rows(let roots) = roots, tables.count > 1 || !relationships.isEmpty else { return }
    pieces = GraphPieces(self, roots: roots)
  }

  /// The first rows with copies of their values; all rows without copies if ``prefix(_:)`` returns all.
  ///
  /// An engine that keeps them after a warm-up cannot access the other rows. O(values).
  package func copy(ofFirst rows: Int) -> SourceRows {
    let part = prefix(rows)
    if part.count == count { return part }
    return SourceRows(
      tables: part.tables.map { $0.copied() }, relationships: part.relationships, isInOrder: isInOrder)
  }

  /// The first rows, without copies of their values; all rows if one of the first might refer to another row, because a
  /// part of a graph cannot be saved.
  public func prefix(_ rows: Int) -> SourceRows {
    guard relationships.isEmpty || isInOrder else { return self }
    var rest = max(rows, 0)
    let tables = tables.map { table in
      let part = table.prefix(rest)
      rest -= part.count
      return part
    }
    return SourceRows(
      tables: tables, relationships: relationships.map { $0.prefix(tables[$0.table].count) }, isInOrder: isInOrder)
  }
}

/// The pairs of rows of one relationship, seen from the end that stores them (`StoredRelationship` of ObjectGraph).
public struct RelatedRows: Sendable {
  /// Two rows that are related.
  public struct Pair: Sendable, Hashable {
    /// The row, in the source's table ``RelatedRows/table``.
    public let row: Int
    /// The table of the destination, and its row there.
    public let destinationTable: Int
    public let destinationRow: Int
    /// The destination's position among the row's destinations, from 0; 0 if the relationship has no order.
    public var position = 0
    /// The row's position among the destination's rows, from 0; 0 if the inverse has no order.
    public var inversePosition = 0

    public init(row: Int, destinationTable: Int, destinationRow: Int, position: Int = 0, inversePosition: Int = 0) {
      self.row = row
      self.destinationTable = destinationTable
      self.destinationRow = destinationRow
      self.position = position
      self.inversePosition = inversePosition
    }
  }

  /// The table of the rows with the relationship, as an index in ``SourceRows/tables``.
  public let table: Int
  public let relationship: RelationshipDescription
  /// `nil` if the relationship has no inverse.
  public let inverse: RelationshipDescription?
  /// Ordered by row, and within a row by the relationship's order.
  public let pairs: [Pair]

  public init(
    table: Int, relationship: RelationshipDescription, inverse: RelationshipDescription?, pairs: [Pair]
  ) {
    self.table = table
    self.relationship = relationship
    self.inverse = inverse
    self.pairs = pairs
  }

  /// The pairs of the first rows of the table.
  func prefix(_ rows: Int) -> RelatedRows {
    RelatedRows(
      table: table, relationship: relationship, inverse: inverse, pairs: Array(pairs.prefix { $0.row < rows }))
  }
}
