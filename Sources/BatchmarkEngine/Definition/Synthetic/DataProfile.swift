// The shape of rows without their contents: counts and lengths, from which similar rows can be made.
package import CoreDataModel

/// The numbers of rows, of null and of distinct values, the lengths of values, and how rows are related.
///
/// A measured profile has names of the model and counts. It contains no values, and nothing derived from them except
/// lengths. Authors may add other kinds of values, and links, with recipes.
package struct DataProfile: Sendable, Hashable {
  /// The rows of one entity, without its subentities.
  package struct Entity: Sendable, Hashable {
    package var name: String
    package var rows: Int
    /// Attributes with a value in some row, including inherited ones.
    package var attributes: [Attribute] = []
    /// Relationships with destinations, each at only one of its two ends, once for each destination entity.
    package var relationships: [Relationship] = []
    /// Attributes with drawn values; none of them is in ``attributes``.
    package var recipes: [AttributeRecipe] = []
    /// Relationships with drawn destinations, each at only one of its two ends; none of them is in ``relationships``.
    package var links: [LinkRecipe] = []

    package init(name: String, rows: Int) {
      self.name = name
      self.rows = rows
    }
  }

  /// The values of an attribute.
  package struct Attribute: Sendable, Hashable {
    package var name: String
    /// The number of rows without a value.
    package var nulls: Int
    /// The number of different values.
    package var distinct: Int
    /// The number of values of each length: the bytes of text and blobs, and for numbers the bytes in which SQLite
    /// stores them (https://www.sqlite.org/fileformat2.html#record_format).
    ///
    /// These are from 0 bytes for 0 and 1 to 8 for large numbers. A whole real number is stored as an integer, any
    /// other in 8 bytes. A Boolean takes none, so the profile does not say how many are true.
    package var lengths: Distribution

    package init(name: String, nulls: Int, distinct: Int, lengths: Distribution) {
      self.name = name
      self.nulls = nulls
      self.distinct = distinct
      self.lengths = lengths
    }
  }

  /// The destinations of rows among the rows of one entity; the other rows have none.
  package struct Relationship: Sendable, Hashable {
    package var name: String
    /// The entity of the destination rows, without its subentities.
    package var destination: String
    /// How many rows have one, two, three, … destinations; always one in a to-one relationship.
    package var perRow: Distribution
    /// How many destinations one, two, three, … rows share.
    package var perDestination: Distribution

    package init(name: String, destination: String, perRow: Distribution, perDestination: Distribution) {
      self.name = name
      self.destination = destination
      self.perRow = perRow
      self.perDestination = perDestination
    }
  }

  package var entities: [Entity]

  package init(entities: [Entity]) { self.entities = entities }

  package var rows: Int { entities.reduce(0) { $0 + $1.rows } }

  /// How many rows of an entity have a destination in a relationship, at either of its ends.
  ///
  /// If the destinations belong to several entities, a row with several of them counts once for each entity.
  package func rows(of entity: Entity, with relationship: RelationshipDescription, in model: ManagedObjectModel) -> Int
  {
    let own = entity.relationships.filter { $0.name == relationship.name }
    let others = entities.filter { model.entity($0.name, isKindOf: relationship.destinationEntityName) }
    let back = others.flatMap(\.relationships).filter {
      $0.name == relationship.inverseName && $0.destination == entity.name
    }
    let counted = own.reduce(0) { $0 + $1.perRow.count } + back.reduce(0) { $0 + $1.perDestination.count }
    let drawn = entity.links.filter { $0.name == relationship.name }.reduce(0) { $0 + $1.linked(of: entity.rows) }
    // In a required relationship, every row is a destination once before any is one twice.
    let drawnBack = others.reduce(0) { total, other in
      total
        + other.links.filter { $0.name == relationship.inverseName && $0.destination == entity.name }
        .reduce(0) { $0 + min($1.linked(of: other.rows), entity.rows) }
    }
    return counted + drawn + (relationship.isOptional ? 0 : drawnBack)
  }
}

/// How often each number occurs.
package struct Distribution: Sendable, Hashable {
  /// A number and how often it occurs, at least once.
  package struct Part: Sendable, Hashable {
    package var number: Int
    package var count: Int
  }

  /// Sorted by number, without duplicates.
  package let parts: [Part]

  /// Takes counts by number; counts of 0 are dropped.
  package init(_ counts: [Int: Int]) {
    parts = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { Part(number: $0.key, count: $0.value) }
  }

  package init(counting numbers: some Sequence<Int>) {
    self.init(numbers.reduce(into: [:]) { $0[$1, default: 0] += 1 })
  }

  /// The sum of all counts.
  package var count: Int { parts.reduce(0) { $0 + $1.count } }

  package var sum: Int { parts.reduce(0) { $0 + $1.number * $1.count } }

  /// The greatest number; 0 if there is none.
  package var greatest: Int { parts.last?.number ?? 0 }

  /// Each number, repeated as often as it occurs, in descending order.
  package var numbers: [Int] { parts.reversed().flatMap { Array(repeating: $0.number, count: $0.count) } }

  /// The maximum number of parts in a measured profile.
  package static let mostParts = 20

  /// The same in at most 20 parts.
  ///
  /// If there are more numbers, each tenth is replaced by the two whole numbers around its mean, so that count and sum
  /// stay the same.
  package var condensed: Distribution {
    guard parts.count > Distribution.mostParts else { return self }
    let buckets = Distribution.mostParts / 2
    let total = count
    var counts: [Int: Int] = [:]
    var seen = 0
    var bucket = (number: 0, count: 0, sum: 0)
    for part in parts {
      // A number belongs to the bucket of its first occurrence.
      let number = seen * buckets / total
      if number != bucket.number {
        Distribution.add(bucket.count, bucket.sum, to: &counts)
        bucket = (number, 0, 0)
      }
      bucket.count += part.count
      bucket.sum += part.number * part.count
      seen += part.count
    }
    Distribution.add(bucket.count, bucket.sum, to: &counts)
    return Distribution(counts)
  }

  private static func add(_ count: Int, _ sum: Int, to counts: inout [Int: Int]) {
    guard count > 0 else { return }
    let (mean, rest) = sum.quotientAndRemainder(dividingBy: count)
    counts[mean, default: 0] += count - rest
    counts[mean + 1, default: 0] += rest
  }

  /// Multiplies every count.
  package func scaled(by factor: Int) -> Distribution {
    Distribution(Dictionary(uniqueKeysWithValues: parts.map { ($0.number, $0.count * factor) }))
  }
}
