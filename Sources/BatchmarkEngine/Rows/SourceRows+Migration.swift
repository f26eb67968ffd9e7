// The rows that a store must have after migrating to another version of its model.
internal import CoreDataModel

extension SourceRows {
  /// The rows with the columns that a version of the model has.
  ///
  /// O(rows) for each new attribute. The values of the others are not copied.
  package func migrated(to version: ModelVersion) -> SourceRows {
    let migrated = tables.map { table in version.model[table.entityName].map(table.migrated) ?? table }
    return SourceRows(tables: migrated)
  }
}

extension ColumnarRows {
  /// The rows with the columns of another version of their entity.
  ///
  /// A value comes from the attribute that the new one names as its former name, or from the one with the same name. If
  /// there was none, rows get the new attribute's default. If the attribute was optional and is required now, rows
  /// without a value get the default. An attribute that stays optional keeps its nulls, whatever its default is now.
  func migrated(to version: EntityDescription) -> ColumnarRows {
    let pairs = version.attributes.map { attribute -> (attribute: AttributeDescription, column: Column) in
      let origin = attributes.firstIndex { $0.name == attribute.renamingIdentifier ?? attribute.name }
      guard let origin else { return (attribute, Column.nothing(of: attribute.type, rows: count)) }
      let former = attributes[origin]
      var stored = attribute
      // The value that a row without one is stored with, before or during the migration.
      if !former.defaultValue.isNull || !former.isOptional || attribute.isOptional {
        stored.defaultValue = former.defaultValue
      }
      return (stored, columns[origin])
    }
    return ColumnarRows(
      entityName: entityName, attributes: pairs.map(\.attribute), columns: pairs.map(\.column), count: count)
  }
}

extension Column {
  /// A column of nulls.
  fileprivate static func nothing(of type: AttributeType, rows: Int) -> Column {
    let nulls = Array(repeating: true, count: rows)
    func bytes() -> BytesColumn {
      BytesColumn(bytes: [], starts: Array(repeating: 0, count: rows + 1), nulls: nulls)
    }
    return switch type.storageClass {
    case .integer: .integers(NumberColumn(numbers: Array(repeating: 0, count: rows), nulls: nulls))
    case .real: .reals(NumberColumn(numbers: Array(repeating: 0, count: rows), nulls: nulls))
    case .text: .text(bytes())
    case .blob: .blobs(bytes())
    }
  }
}
