// The rows of trees: one tree after the other, each one level by level from its root, so that a parent always comes
// before its children.
import BatchmarkEngine
import CoreDataModel

/// Makes the rows of trees.
struct TreeRows {
  static let source = "trees"

  private let settings: TreeSettings
  private let levelStarts: [Int]
  private let rowsPerTree: Int

  init(_ settings: TreeSettings) {
    self.settings = settings
    levelStarts = settings.levelStarts
    rowsPerTree = settings.rowsPerTree
  }

  /// The parent of a row; `nil` for a root.
  ///
  /// The rows of a tree are numbered like those of a heap with this many children per node.
  func parent(of row: Int) -> Int? {
    let place = row % rowsPerTree
    return place == 0 ? nil : row - place + (place - 1) / settings.fanOut
  }

  /// Makes the columns of an entity and the references between its rows; O(rows × attributes).
  ///
  /// - Throws: ``SourceError`` if an attribute has no field or cannot hold it, or if the entity has no relationship for
  ///   trees.
  func rows(for entity: EntityDescription) throws(SourceError) -> SourceRows {
    guard let tree = entity.treeRelationships.first else {
      throw SourceError(
        source: TreeRows.source, found: "no to-one relationship of \(entity.name) to itself",
        expected: "one with a to-many inverse")
    }
    var columns: [Column] = []
    for attribute in entity.attributes { columns.append(try column(for: attribute, of: entity)) }
    let pairs = (0..<settings.rows).compactMap { row in
      parent(of: row).map { RelatedRows.Pair(row: row, destinationTable: 0, destinationRow: $0) }
    }
    return SourceRows(
      tables: [
        ColumnarRows(
          entityName: entity.name, attributes: entity.attributes, columns: columns, count: settings.rows)
      ],
      relationships: [RelatedRows(table: 0, relationship: tree.parent, inverse: tree.children, pairs: pairs)],
      isInOrder: true)
  }

  private func column(for attribute: AttributeDescription, of entity: EntityDescription) throws(SourceError) -> Column {
    guard let field = SourceField.ofTrees.first(where: { $0.name == attribute.name }) else {
      throw entity.missingField(attribute.name, fields: SourceField.ofTrees.map(\.name), source: TreeRows.source)
    }
    guard field.kind.types.contains(attribute.type) else {
      throw SourceError(
        source: TreeRows.source, found: "the type '\(attribute.type.rawValue)' of the attribute '\(attribute.name)'",
        expected: field.kind.expectation)
    }
    let random = RandomField(seed: settings.seed, field: "trees \(field.name)")
    var column = ColumnBuilder(attribute)
    for row in 0..<settings.rows {
      switch field.name {
      case "name": column.append(bytes: TreeRows.digits(random[row]))
      case "level": append(level(of: row), to: &column)
      case "tree": append(row / rowsPerTree, to: &column)
      case "half": append(row / rowsPerTree % 2, to: &column)
      default: column.append(real: Double(random.number(row, below: 1_000_000)) / 1_000)  // weight, the only one left
      }
    }
    return column.column
  }

  private func level(of row: Int) -> Int {
    let place = row % rowsPerTree
    return (levelStarts.firstIndex { $0 > place } ?? 1) - 1
  }

  private func append(_ number: Int, to column: inout ColumnBuilder) {
    if column.attribute.type.storageClass == .integer {
      column.append(integer: Int64(number))
    } else {
      column.append(real: Double(number))
    }
  }

  /// Sixteen hexadecimal digits.
  ///
  /// Different rows have different numbers (``RandomField``), and so different names.
  private static func digits(_ number: UInt64) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return stride(from: 60, through: 0, by: -4).map { shift in digits[Int(number >> shift & 15)] }
  }
}
