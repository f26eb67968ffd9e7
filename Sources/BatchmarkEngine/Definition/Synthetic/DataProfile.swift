// How rows are made up, without what is in them: counts and lengths, from which rows of the same shape can be made.
package import CoreDataModel

/// How many rows there are, how many values are null or distinct and how long, and how rows are related.
///
/// Measured of rows it has names of the model and counts, and neither a value nor anything worked out of one but its
/// length. An author may ask for values of other kinds, and for links, by recipes.
package struct DataProfile: Sendable, Hashable {
  /// The rows of one entity, those of its sub-entities not among them.
  package struct Entity: Sendable, Hashable {
    package var name: String
    package var rows: Int
    /// Attributes that have a value in some row, inherited ones among them.
    package var attributes: [Attribute] = []
    /// Relationships with destinations, each by one of its two ends, once for each destination entity.
    package var relationships: [Relationship] = []
    /// Attributes whose values are drawn; none of them is among the others.
    package var recipes: [AttributeRecipe] = []
    /// Relationships whose destinations are drawn, each by one of its two ends; none of them is among the others.
    package var links: [LinkRecipe] = []

    package init(name: String, rows: Int) {
      self.name = name
      self.rows = rows
    }
  }

  /// The values of an attribute.
  package struct Attribute: Sendable, Hashable {
    package var name: String
    /// Rows without a value.
    package var nulls: Int
    /// How many different values there are.
    package var distinct: Int
    /// How many values there are of each length: the bytes of text and blobs, and for numbers those that SQLite keeps
    /// them in (https://www.sqlite.org/fileformat2.html#record_format).
    ///
    /// That is 0 for 0 and 1, up to 8 for large numbers; a whole real number is kept as an integer, another in 8 bytes.
    /// A boolean takes none: how many are true is left open.
    package var lengths: Distribution

    package init(name: String, nulls: Int, distinct: Int, lengths: Distribution) {
      self.name = name
      self.nulls = nulls
      self.distinct = distinct
      self.lengths = lengths
    }
  }

  /// The destinations of rows among the rows of one entity; the remaining rows have none.
  package struct Relationship: Sendable, Hashable {
    package var name: String
    /// The entity of the rows, without those of its sub-entities.
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

  /// How many rows of an entity have a destination in a relationship, by either of its ends.
  ///
  /// Where the destinations are of several entities, rows with more than one count for each of them.
  package func rows(of entity: Entity, with relationship: RelationshipDescription, in model: ManagedObjectModel) -> Int
  {
    let own = entity.relationships.filter { $0.name == relationship.name }
    let others = entities.filter { model.entity($0.name, isKindOf: relationship.destinationEntityName) }
    let back = others.flatMap(\.relationships).filter {
      $0.name == relationship.inverseName && $0.destination == entity.name
    }
    let counted = own.reduce(0) { $0 + $1.perRow.count } + back.reduce(0) { $0 + $1.perDestination.count }
    let drawn = entity.links.filter { $0.name == relationship.name }.reduce(0) { $0 + $1.linked(of: entity.rows) }
    // In a required relationship, every row is a destination once before one is twice.
    let drawnBack = others.reduce(0) { total, other in
      total
        + other.links.filter { $0.name == relationship.inverseName && $0.destination == entity.name }
        .reduce(0) { $0 + min($1.linked(of: other.rows), entity.rows) }
    }
    return counted + drawn + (relationship.isOptional ? 0 : drawnBack)
  }
}

/// How often each of some numbers occurs.
package struct Distribution: Sendable, Hashable {
  /// One number and how often it occurs, at least once.
  package struct Part: Sendable, Hashable {
    package var number: Int
    package var count: Int
  }

  /// By number, each number once.
  package let parts: [Part]

  /// Takes counts by number; those of 0 are left out.
  package init(_ counts: [Int: Int]) {
    parts = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { Part(number: $0.key, count: $0.value) }
  }

  package init(counting numbers: some Sequence<Int>) {
    self.init(numbers.reduce(into: [:]) { $0[$1, default: 0] += 1 })
  }

  /// How many there are together.
  package var count: Int { parts.reduce(0) { $0 + $1.count } }

  package var sum: Int { parts.reduce(0) { $0 + $1.number * $1.count } }

  /// The greatest number, 0 where there is none.
  package var greatest: Int { parts.last?.number ?? 0 }

  /// Each number, repeated as often as it occurs, in descending order.
  package var numbers: [Int] { parts.reversed().flatMap { Array(repeating: $0.number, count: $0.count) } }

  /// The most parts that a measured profile has.
  package static let mostParts = 20

  /// The same in at most 20 parts: where there are more numbers, the two whole numbers about the mean of each tenth stand
  /// for it, so that count and sum stay.
  package var condensed: Distribution {
    guard parts.count > Distribution.mostParts else { return self }
    let buckets = Distribution.mostParts / 2
    let total = count
    var counts: [Int: Int] = [:]
    var seen = 0
    var bucket = (number: 0, count: 0, sum: 0)
    for part in parts {
      // A number is in the bucket that the first of its occurrences is in.
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

  /// Every count as many times.
  package func scaled(by factor: Int) -> Distribution {
    Distribution(Dictionary(uniqueKeysWithValues: parts.map { ($0.number, $0.count * factor) }))
  }
}
