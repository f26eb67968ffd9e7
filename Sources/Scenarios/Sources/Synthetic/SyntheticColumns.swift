// The attributes of synthetic rows: which value each row has under the uniqueness constraints.
import BatchmarkEngine
import CoreDataModel

/// Makes the columns of tables, one table after the other.
struct SyntheticColumns {
  /// A value, by its length and its number among the values of this length.
  private struct Value: Hashable {
    let length: Int
    let number: Int
  }

  /// An attribute in a table and those that share it.
  private struct Field: Hashable {
    let root: String
    let attribute: String
  }

  private let synthetic: SyntheticSource
  /// The attributes that must differ across the entities of a hierarchy: one of each constraint.
  private var separated: Set<Field> = []
  /// How many values of each length the tables so far have used.
  private var used: [Field: [Int: Int]] = [:]
  /// How many unique values the tables so far have drawn.
  private var drawn: [Field: Int] = [:]

  init(_ synthetic: SyntheticSource, _ entities: [StoredEntity]) {
    self.synthetic = synthetic
    for entity in entities {
      for constraint in entity.uniquenessConstraints {
        if let name = mostDistinct(of: constraint, root: entity.rootName, among: entities) {
          separated.insert(Field(root: entity.rootName, attribute: name))
        }
      }
    }
  }

  /// The attribute of a constraint that has the most different values in the hierarchy.
  ///
  /// It is distributed last.
  private func mostDistinct(of constraint: [String], root: String, among entities: [StoredEntity]) -> String? {
    let attributes = entities.filter { $0.rootName == root }.flatMap { synthetic.entity($0.name).attributes }
    return constraint.max { one, other in
      let counts = [one, other].map { name in attributes.filter { $0.name == name }.reduce(0) { $0 + $1.distinct } }
      return (counts[0], one) < (counts[1], other)
    }
  }

  /// Makes the rows of an entity.
  mutating func table(of entity: StoredEntity) throws(SourceError) -> ColumnarRows {
    let profile = synthetic.entity(entity.name, unique: entity.uniquenessConstraints)
    var values: [String: [Value?]] = [:]
    for attribute in entity.attributes {
      guard let shape = profile.attributes.first(where: { $0.name == attribute.name }) else { continue }
      values[attribute.name] = try distribute(shape, type: attribute.type, of: entity, rows: profile.rows)
    }
    for constraint in entity.uniquenessConstraints where constraint.count > 1 {
      try separate(constraint, of: entity, in: &values)
    }
    for constraint in entity.uniquenessConstraints where !SyntheticColumns.holds(constraint, in: values) {
      throw SourceError(
        making: entity.name, found: "several uniqueness constraints with \(constraint.joined(separator: ", "))",
        expected: "each attribute in one constraint at most")
    }
    var columns: [Column] = []
    for attribute in entity.attributes {
      let field = Field(root: entity.rootName, attribute: attribute.name)
      if let recipe = profile.recipes.first(where: { $0.name == attribute.name }) {
        columns.append(try column(recipe, of: attribute, field: field, of: entity, rows: profile.rows))
      } else {
        columns.append(column(attribute, field: field, values[attribute.name], rows: profile.rows))
      }
    }
    return ColumnarRows(
      entityName: entity.name, attributes: entity.attributes, columns: columns, count: profile.rows)
  }

  /// Finds errors in making an entity's rows that the values alone show.
  mutating func check(_ entity: StoredEntity) throws(SourceError) {
    let profile = synthetic.entity(entity.name, unique: entity.uniquenessConstraints)
    for attribute in entity.attributes {
      if let shape = profile.attributes.first(where: { $0.name == attribute.name }) {
        _ = try divide(shape, type: attribute.type, of: entity)
      } else if let recipe = profile.recipes.first(where: { $0.name == attribute.name }) {
        let field = Field(root: entity.rootName, attribute: attribute.name)
        _ = try firstValue(recipe, of: attribute, field: field, of: entity, rows: profile.rows)
        guard case .listed(let values) = recipe.values else { continue }
        var builder = ColumnBuilder(attribute)
        do throws(FieldMismatch) {
          for value in values { try builder.append(value) }
        } catch {
          throw SourceError(making: "\(entity.name).\(attribute.name)", found: error.found, expected: error.expected)
        }
      }
    }
  }

  /// Assigns a value to every row.
  ///
  /// Values of one length are used in turn, so that each occurs about equally often.
  private mutating func distribute(
    _ shape: DataProfile.Attribute, type: AttributeType, of entity: StoredEntity, rows: Int
  ) throws(SourceError) -> [Value?] {
    var values: [Value?] = Array(repeating: nil, count: shape.nulls)
    for (part, first, count) in try divide(shape, type: type, of: entity) {
      for position in 0..<part.count { values.append(Value(length: part.number, number: first + position % count)) }
    }
    let order = Permutation(of: rows, seed: synthetic.seed, field: "\(entity.name).\(shape.name) order")
    return (0..<rows).map { values[order[$0]] }
  }

  /// Divides the different values of an attribute among their lengths: the first value of each length, and how many
  /// there are.
  private mutating func divide(
    _ shape: DataProfile.Attribute, type: AttributeType, of entity: StoredEntity
  ) throws(SourceError) -> [(part: Distribution.Part, first: Int, count: Int)] {
    let field = Field(root: entity.rootName, attribute: shape.name)
    let isUnique = entity.uniquenessConstraints.contains([shape.name])
    let room = shape.lengths.parts.map { part in
      min(part.count, SyntheticValues.capacity(of: type, length: part.number) - (used[field]?[part.number] ?? 0))
    }
    guard let different = SyntheticColumns.division(of: shape.distinct, among: room, isExact: isUnique) else {
      throw SourceError(
        making: "\(entity.name).\(shape.name)", found: "\(shape.distinct) different values",
        expected: "no more than there are of their lengths in \(field.root) and the entities that inherit from it")
    }
    return zip(shape.lengths.parts, different).map { part, count in
      let first = used[field]?[part.number] ?? 0
      if separated.contains(field) { used[field, default: [:]][part.number] = first + count }
      return (part, first, count)
    }
  }

  /// Divides a number among parts in proportion to their room: at least one for each, and at most its room.
  ///
  /// - Returns: `nil` if a part would get nothing, or if there is too little room and the result must be exact.
  ///   Otherwise at most the total room is divided.
  static func division(of number: Int, among room: [Int], isExact: Bool) -> [Int]? {
    guard room.allSatisfy({ $0 > 0 }) else { return nil }
    var spare = room.reduce(0) { $0 + $1 - 1 }
    var rest = number - room.count
    guard rest >= 0, rest <= spare || !isExact else { return nil }
    rest = min(rest, spare)
    return room.map { room in
      guard spare > 0 else { return 1 }
      let more = rest * (room - 1) / spare
      rest -= more
      spare -= room - 1
      return 1 + more
    }
  }

  /// Exchanges values of one attribute between rows until no two rows agree in all attributes.
  private func separate(
    _ constraint: [String], of entity: StoredEntity, in values: inout [String: [Value?]]
  ) throws(SourceError) {
    guard let last = constraint.first(where: { separated.contains(Field(root: entity.rootName, attribute: $0)) }),
      var column = values[last]
    else { return }
    let others = constraint.filter { $0 != last }.map { values[$0] ?? [] }
    // A row that lacks one of the values never conflicts.
    let rows = column.indices.filter { row in column[row] != nil && others.allSatisfy { !$0.isEmpty && $0[row] != nil }
    }
    let groups = Dictionary(grouping: rows) { row in others.map { $0[row] } }.values.sorted { $0[0] < $1[0] }
    let counts = rows.reduce(into: [Value: Int]()) { counts, row in column[row].map { counts[$0, default: 0] += 1 } }
    let different = counts.sorted { ($0.key.length, $0.key.number) < ($1.key.length, $1.key.number) }
    guard let pairs = distinctPairs(perSource: groups.map(\.count), perDestination: different.map(\.value)) else {
      throw SourceError(
        making: entity.name, found: "\(rows.count) rows with values of \(constraint.joined(separator: ", "))",
        expected: "enough distinct values that no two rows are alike in all of them")
    }
    var positions = groups.map { $0[...] }
    for (group, value) in pairs {
      if let row = positions[group].popFirst() { column[row] = different[value].key }
    }
    values[last] = column
  }

  /// Whether no two rows agree in all attributes.
  ///
  /// A row that lacks a value equals no other row.
  private static func holds(_ constraint: [String], in values: [String: [Value?]]) -> Bool {
    let columns = constraint.compactMap { values[$0] }
    guard columns.count == constraint.count else { return true }
    var seen: Set<[Value]> = []
    return (columns.first?.indices ?? 0..<0).allSatisfy { row in
      let key = columns.compactMap { $0[row] }
      return key.count < columns.count || seen.insert(key).inserted
    }
  }

  /// Draws the values of an attribute.
  ///
  /// Unique values differ from those of the tables so far.
  private mutating func column(
    _ recipe: AttributeRecipe, of attribute: AttributeDescription, field: Field, of entity: StoredEntity, rows: Int
  ) throws(SourceError) -> Column {
    let first = try firstValue(recipe, of: attribute, field: field, of: entity, rows: rows)
    do throws(FieldMismatch) {
      return try RecipeColumn(
        recipe, of: attribute, owner: entity.name, root: field.root, rows: rows, firstValue: first, seed: synthetic.seed
      ).column()
    } catch {
      throw SourceError(making: "\(entity.name).\(attribute.name)", found: error.found, expected: error.expected)
    }
  }

  /// The number of the first value that an attribute's rows draw.
  private mutating func firstValue(
    _ recipe: AttributeRecipe, of attribute: AttributeDescription, field: Field, of entity: StoredEntity, rows: Int
  ) throws(SourceError) -> Int {
    let first = recipe.isAllDifferent(of: rows) ? drawn[field, default: 0] : 0
    let count = recipe.distinct ?? 0
    guard first <= recipe.values.capacity - count else {
      throw SourceError(
        making: "\(entity.name).\(attribute.name)", found: "\(first + count) different values",
        expected: "no more than \(recipe.values.capacity), as many as there are")
    }
    if recipe.isAllDifferent(of: rows) { drawn[field] = first + count }
    return first
  }

  private func column(_ attribute: AttributeDescription, field: Field, _ values: [Value?]?, rows: Int) -> Column {
    var builder = ColumnBuilder(attribute)
    var makers: [Int: SyntheticValues] = [:]
    for row in 0..<rows {
      guard let value = values?[row] else {
        builder.appendNull()
        continue
      }
      if makers[value.length] == nil {
        makers[value.length] = SyntheticValues(
          attribute.type, length: value.length, seed: synthetic.seed, field: "\(field.root).\(field.attribute)")
      }
      makers[value.length]?.append(value.number, to: &builder)
    }
    return builder.column
  }
}
