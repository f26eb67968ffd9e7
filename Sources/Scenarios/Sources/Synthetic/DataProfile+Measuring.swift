// Measures the profile of existing rows.
package import BatchmarkEngine
import CoreDataModel

extension DataProfile {
  /// Measures rows.
  ///
  /// O(values); the distinct values of one attribute at a time are kept in memory. Relationships that are their own
  /// inverse are left out (``SourceRows/selfInverses``): their pairs would have to be made two at a time.
  package init(measuring rows: SourceRows) {
    var entities = rows.tables.map { table in
      var entity = Entity(name: table.entityName, rows: table.count)
      entity.attributes = zip(table.attributes, table.columns).compactMap { attribute, column in
        let profile = Attribute(measuring: column, of: attribute, rows: table.count)
        return profile.distinct > 0 ? profile : nil
      }
      return entity
    }
    for related in rows.relationships where related.isFirstEnd {
      let byDestination = Dictionary(grouping: related.pairs, by: \.destinationTable)
      for (destination, pairs) in byDestination.sorted(by: { $0.key < $1.key }) {
        entities[related.table].relationships.append(
          Relationship(
            name: related.relationship.name, destination: rows.tables[destination].entityName,
            perRow: .occurrences(of: pairs.map(\.row)), perDestination: .occurrences(of: pairs.map(\.destinationRow))))
      }
    }
    self.init(entities: entities)
  }
}

extension SourceRows {
  /// The relationships of the rows that are their own inverse, such as `Person.friends`.
  package var selfInverses: [String] {
    relationships.filter(\.isSelfInverse).map { "\(tables[$0.table].entityName).\($0.relationship.name)" }
  }
}

extension RelatedRows {
  /// Whether each pair occurs twice, once in each direction.
  fileprivate var isSelfInverse: Bool { relationship.isInverse(of: inverse) }

  /// Whether this end lists the pairs.
  ///
  /// Both ends of a one-to-one relationship are in the rows.
  fileprivate var isFirstEnd: Bool {
    guard !isSelfInverse else { return false }
    guard let inverse, !inverse.isToMany, !relationship.isToMany else { return true }
    // The destination of an inverse is the entity that declares the other end.
    return (inverse.destinationEntityName, relationship.name) < (relationship.destinationEntityName, inverse.name)
  }
}

extension RelationshipDescription {
  /// Whether the relationship is its own inverse.
  func isInverse(of inverse: RelationshipDescription?) -> Bool {
    inverse.map { $0.name == name && $0.destinationEntityName == destinationEntityName } ?? false
  }
}

extension Distribution {
  /// How many different values occur once, how many twice, and so on.
  fileprivate static func occurrences(of values: [Int]) -> Distribution {
    let counts = values.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    return Distribution(counting: counts.values).condensed
  }
}

extension DataProfile.Attribute {
  fileprivate init(measuring column: Column, of attribute: AttributeDescription, rows: Int) {
    switch column {
    case .integers(let numbers):
      self.init(attribute, rows, (0..<rows).compactMap { numbers[$0] }, length: StoredLength.of)
    case .reals(let numbers):
      self.init(attribute, rows, (0..<rows).compactMap { numbers[$0] }, length: StoredLength.of)
    case .text(let bytes), .blobs(let bytes):
      self.init(attribute, rows, (0..<rows).compactMap { bytes[$0].map(Array.init) }, length: \.count)
    }
  }

  private init<Value: Hashable>(
    _ attribute: AttributeDescription, _ rows: Int, _ values: [Value], length: (Value) -> Int
  ) {
    let lengths = Distribution(counting: values.map(length)).condensed
    self.init(
      name: attribute.name, nulls: rows - values.count,
      // For some lengths there are fewer printable texts than different values in a store.
      distinct: min(Set(values).count, SyntheticValues.mostDistinct(of: attribute.type, lengths)), lengths: lengths)
  }
}

/// The number of bytes in which SQLite stores a number.
enum StoredLength {
  /// The lengths of integers.
  ///
  /// A real number that is not whole needs the last one.
  static let all = [0, 1, 2, 3, 4, 6, 8]

  static func of(_ number: Int64) -> Int {
    if number == 0 || number == 1 { return 0 }
    let bits = Int64.bitWidth - (number < 0 ? ~number : number).leadingZeroBitCount + 1
    return all.first { $0 * 8 >= bits } ?? 8
  }

  /// A whole number of at most six bytes is stored as an integer.
  static func of(_ number: Double) -> Int { Int64(exactly: number).map { of($0) } ?? 8 }
}
